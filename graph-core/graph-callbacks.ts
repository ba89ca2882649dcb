// Callbacks that see a graph pause and go on; LangChain's own see it start and end.
import { BaseCallbackHandler } from '@langchain/core/callbacks/base';
import type { Interrupt } from './errors.js';

const GRAPH_CALLBACK_HANDLER = Symbol.for('langgraph.graph_callback_handler');

/** Where a run was as it paused or went on: at a breakpoint, or within a superstep (`pending`). */
export type GraphLifecycleStatus =
  'pending' | 'done' | 'interrupt_before' | 'interrupt_after' | 'out_of_steps' | 'draining';

/** A graph goes on from a checkpoint. */
export interface GraphResumeEvent {
  readonly runId: string | undefined;
  readonly status: GraphLifecycleStatus;
  readonly checkpointId: string;
  /** Of a graph within others: `node:taskId` of each node around it. */
  readonly checkpointNs: readonly string[];
}

/** The outermost graph waits. Without interrupts at a breakpoint. */
export interface GraphInterruptEvent extends GraphResumeEvent {
  readonly interrupts: readonly Interrupt[];
}

export type GraphLifecycleEvent = GraphInterruptEvent | GraphResumeEvent;

/** To be passed among `callbacks`. Its methods are awaited; with `raiseError` what they throw fails the run. */
export class GraphCallbackHandler extends BaseCallbackHandler {
  override name = 'GraphCallbackHandler';
  readonly [GRAPH_CALLBACK_HANDLER] = true as const;

  handleInterrupt?(event: GraphInterruptEvent): void | Promise<void>;
  handleResume?(event: GraphResumeEvent): void | Promise<void>;

  /** By its mark: it may be of another copy of this module. */
  static isInstance(value: unknown): value is GraphCallbackHandler {
    return (
      typeof value === 'object' && value !== null && (value as GraphCallbackHandler)[GRAPH_CALLBACK_HANDLER] === true
    );
  }
}
