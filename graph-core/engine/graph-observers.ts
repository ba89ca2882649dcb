// Tells a call's GraphCallbackHandlers that its graph goes on, or waits.
import type { CallbackManagerForChainRun } from '@langchain/core/callbacks/manager';
import { INTERRUPT } from '../constants.js';
import { GraphCallbackHandler, type GraphInterruptEvent, type GraphResumeEvent } from '../graph-callbacks.js';
import type { Breakpoints } from './executable-graph.js';
import { namespacePath } from './namespaces.js';
import type { RunInput, SavedState, SuperstepOutcome } from './superstep-contract.js';

type Interrupted = Extract<SuperstepOutcome, { kind: 'interrupted' }>;

export class GraphObservers {
  readonly #handlers: readonly GraphCallbackHandler[];
  readonly #runId: string | undefined;

  constructor(run: CallbackManagerForChainRun | undefined) {
    this.#handlers = (run?.handlers ?? []).filter((handler) => GraphCallbackHandler.isInstance(handler));
    this.#runId = run?.runId;
  }

  async resumed(saved: SavedState): Promise<void> {
    for (const handler of this.#handlers) {
      await this.#tell(handler, 'handleResume', () => handler.handleResume?.(this.#event(saved, 'pending')));
    }
  }

  /** @param before What the superstep started from. @param after The breakpoints after nodes. */
  async interrupted({ state, interrupts }: Interrupted, before: SavedState, after: Breakpoints): Promise<void> {
    if (this.#handlers.length === 0) return;
    const ran = nodesBetween(before, state.saved);
    const status = interrupts.length > 0 ? 'pending' : stopsAt(after, ran) ? 'interrupt_after' : 'interrupt_before';
    const asked = interrupts.map(({ node: _node, ...interrupt }) => interrupt);
    const event: GraphInterruptEvent = { ...this.#event(state.saved, status), interrupts: asked };
    for (const handler of this.#handlers) {
      await this.#tell(handler, 'handleInterrupt', () => handler.handleInterrupt?.(event));
    }
  }

  #event({ checkpoint, config }: SavedState, status: GraphResumeEvent['status']): GraphResumeEvent {
    const checkpointNs = namespacePath(String(config.configurable?.['checkpoint_ns'] ?? ''));
    return { runId: this.#runId, status, checkpointId: checkpoint.id, checkpointNs };
  }

  async #tell(handler: GraphCallbackHandler, method: string, call: () => void | Promise<void>): Promise<void> {
    try {
      await call();
    } catch (error) {
      const line = `Error in handler ${handler.constructor.name}, ${method}: ${String(error)}`;
      // eslint-disable-next-line no-console -- as LangChain does for all handlers
      (handler.raiseError ? console.error : console.warn)(line);
      if (handler.raiseError) throw error;
    }
  }
}

/** A node that ran has seen new versions of its triggers. */
function nodesBetween({ checkpoint: earlier }: SavedState, { checkpoint: later }: SavedState): readonly string[] {
  return Object.entries(later.versions_seen)
    .filter(([node, seen]) => JSON.stringify(seen) !== JSON.stringify(earlier.versions_seen[node]))
    .map(([node]) => node)
    .filter((node) => node !== INTERRUPT);
}

const stopsAt = (after: Breakpoints, ran: readonly string[]): boolean =>
  after === '*' ? ran.length > 0 : ran.some((node) => after.includes(node));

/** Whether a run goes on from where its thread is, instead of beginning with new input. */
export function goesOn(input: RunInput, saved: SavedState | undefined): boolean {
  if (saved === undefined || Object.keys(saved.checkpoint.channel_versions).length === 0) return false;
  if (input.kind === 'command') return input.command.resume !== undefined && input.command.resume !== null;
  return input.kind === 'nothing';
}
