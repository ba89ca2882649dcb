// A new checkpoint as something to save, and what is said of it once it is saved.
import type { CheckpointMetadata } from '@langchain/langgraph-checkpoint';
import type { RunnableConfig } from '@langchain/core/runnables';
import type { CheckpointEnvelope } from '../stream/protocol.js';
import type { StreamChunk } from '../stream-mode.js';
import { newVersions, nextCheckpoint } from './checkpoints.js';
import type { DeltaPlan } from './delta-channels.js';
import type { ExecutableGraph } from './executable-graph.js';
import { readChannels, type LiveState, versionsOf } from './live-state.js';
import type { Task } from './plan-tasks.js';
import { isSubgraph } from './subgraphs.js';
import { untracked } from './stored-writes.js';
import { checkpointPayload, taskSnapshot } from './stream-payloads.js';
import { chunkWriter, namespaceOf, outputKeys } from './superstep-scope.js';
import type { CheckpointCommit, RunOptions, SavedState } from './superstep-contract.js';

/** A checkpoint that is to be saved and nothing is said of yet. */
export interface CheckpointDraft {
  readonly state: LiveState;
  /** As it will read once it is saved. */
  readonly saved: SavedState;
  readonly commit: Omit<CheckpointCommit, 'chunks'>;
}

export function draftCheckpoint(
  state: LiveState,
  after: SavedState,
  place: { readonly step: number; readonly source: CheckpointMetadata['source'] },
  options: Pick<RunOptions, 'config'>,
  deltas?: DeltaPlan,
): CheckpointDraft {
  const configurable = options.config.configurable ?? {};
  const live = nextCheckpoint(deltas?.state ?? state, place.step, deltas?.snapshots);
  const { checkpoint } = live;
  const metadata: CheckpointMetadata = {
    source: place.source,
    step: place.step,
    parents: (configurable['checkpoint_map'] as Record<string, string> | undefined) ?? {},
    ...deltas?.metadata,
  };
  const parentId = after.config.configurable?.['checkpoint_id'] as string | undefined;
  const at = (checkpointId: string | undefined): RunnableConfig => ({
    configurable: {
      thread_id: configurable['thread_id'] as unknown,
      checkpoint_ns: namespaceOf(options),
      checkpoint_id: checkpointId,
    },
  });
  return {
    state: live,
    saved: {
      config: at(checkpoint.id),
      checkpoint,
      metadata,
      parentConfig: parentId === undefined ? undefined : at(parentId),
      pendingWrites: [],
    },
    commit: {
      parentConfig: at(parentId),
      checkpoint,
      metadata,
      newVersions: newVersions(versionsOf(after.checkpoint), live.versions),
    },
  };
}

/** What becomes of a run's checkpoints. */
export type Storage = 'saved' | 'passing';

/** Collects the chunks of a position: its values, its checkpoint. */
export class Announcement {
  readonly chunks: StreamChunk[] = [];
  private readonly streams;

  constructor(
    private readonly graph: ExecutableGraph,
    private readonly options: RunOptions,
    private readonly saved: SavedState,
    private readonly storage: Storage,
  ) {
    this.streams = chunkWriter(options, saved.metadata.step, (chunk) => this.chunks.push(chunk));
  }

  /** @param stand `saved`: the channels are those of the checkpoint, so a log may refer to it. */
  values({ channels }: LiveState, stand: 'saved' | 'ahead'): void {
    if (!this.streams.wants('values')) return;
    const keys = outputKeys(this.graph, this.options);
    const whole = keys === this.graph.spec.streamChannels && untracked(this.graph.spec).size === 0;
    const root = namespaceOf(this.options) === '' && whole;
    this.streams.write('values', readChannels(channels, keys), {
      envelope: this.envelope(),
      ...(root && stand === 'saved' && { checkpointId: this.saved.checkpoint.id }),
    });
  }

  private envelope(): CheckpointEnvelope {
    const { checkpoint, metadata, parentConfig } = this.saved;
    const parentId = parentConfig?.configurable?.['checkpoint_id'] as string | undefined;
    return {
      id: checkpoint.id,
      ...(this.storage === 'saved' && parentId !== undefined && { parent_id: parentId }),
      step: metadata.step,
      source: metadata.source,
    };
  }

  /**
   * @param next tasks that follow the checkpoint.
   * @param origin of one that was `loaded`, the config of its parent is shown as the saver gave it.
   */
  checkpoint({ channels }: LiveState, next: readonly Task[], origin: 'loaded' | 'made' = 'made'): void {
    if (this.storage === 'passing' || !this.streams.wants('checkpoints')) return;
    const { config, parentConfig, metadata, pendingWrites } = this.saved;
    const keys = this.graph.spec.streamChannels;
    const tasks = next.map((task) =>
      taskSnapshot(task, pendingWrites, this.subgraphState(task), outputKeys(this.graph, this.options)),
    );
    const run = this.options.config;
    const shown = (of: RunnableConfig): RunnableConfig => ({
      ...run,
      ...of,
      configurable: { ...run.configurable, ...of.configurable },
    });
    this.streams.write(
      'checkpoints',
      checkpointPayload({
        config: shown(config),
        parentConfig: parentConfig && (origin === 'loaded' ? parentConfig : shown(parentConfig)),
        channels,
        metadata,
        tasks,
        keys,
      }),
    );
  }

  /** An empty list of questions: a breakpoint. */
  breakpoint(): void {
    this.streams.write('updates', { __interrupt__: [] });
    this.streams.write('values', { __interrupt__: [] });
  }

  private subgraphState(task: Task): RunnableConfig | undefined {
    if (!task.node.subgraphs?.some(isSubgraph)) return undefined;
    const threadId: unknown = this.saved.config.configurable?.['thread_id'];
    return { configurable: { thread_id: threadId, checkpoint_ns: task.checkpointNs } };
  }
}
