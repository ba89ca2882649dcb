// What a handler of messages remembers while models and nodes run: who speaks, and which messages are no news.
import { isBaseMessage } from '@langchain/core/messages';
import { namespaceIn, taskNamespaceOf, type StreamScope } from './stream-scope.js';

/** Where a message comes from: `langgraph_*` of the task, `ls_*` of the model, `tags`, `name`. */
export type MessageMetadata = Readonly<Record<string, unknown>>;

export interface MessageSource {
  readonly ns: readonly string[];
  readonly metadata: MessageMetadata;
}

/** What callbacks say of a run that starts. */
export interface StartedRun {
  readonly runId: string;
  readonly tags: readonly string[] | undefined;
  readonly metadata: MessageMetadata | undefined;
  readonly name: string | undefined;
}

const SILENCING_TAGS = ['langsmith:nostream', 'nostream'];
const HIDDEN_TAG = 'langsmith:hidden';

/** Runs of models and nodes whose messages are of interest, by LangChain run id, while they last. */
export class MessageSources {
  readonly #sources = new Map<string, MessageSource>();

  constructor(private readonly scope: StreamScope) {}

  model(run: StartedRun): void {
    if (!run.tags?.some((tag) => SILENCING_TAGS.includes(tag))) this.#listen(run);
  }

  /** Only the run of a node itself counts, not what it calls. @returns whether its messages will be emitted. */
  node(run: StartedRun): boolean {
    const { tags, metadata, name } = run;
    if (metadata === undefined || name !== metadata['langgraph_node'] || tags?.includes(HIDDEN_TAG)) return false;
    return this.#listen(run);
  }

  get(runId: string): MessageSource | undefined {
    return this.#sources.get(runId);
  }

  end(runId: string): void {
    this.#sources.delete(runId);
  }

  #listen({ runId, tags, metadata, name }: StartedRun): boolean {
    const taskNs = taskNamespaceOf(metadata);
    const ns = taskNs && metadata && namespaceIn(this.scope, taskNs, metadata);
    if (!ns) return false;
    this.#sources.set(runId, { ns, metadata: { tags, name, ...metadata } });
    return true;
  }
}

/** Ids of messages that were emitted, or that are not the nodes' own. */
export class KnownMessages {
  readonly #ids = new Set<string>();

  add(id: string | undefined): void {
    if (id !== undefined) this.#ids.add(id);
  }

  has(id: string | undefined): boolean {
    return id !== undefined && this.#ids.has(id);
  }

  /** Messages among the values, or in lists among them. */
  addFrom(values: readonly unknown[]): void {
    for (const value of values) {
      for (const item of Array.isArray(value) ? (value as unknown[]) : [value]) {
        if (isBaseMessage(item)) this.add(item.id);
      }
    }
  }
}
