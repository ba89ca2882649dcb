// What packages on top of LangGraph read of a node's config, under keys that are LangGraph's own: langchain's tools get
// the state from there, and the files of deepagents are written by it.
import type { Write } from './apply-writes.js';
import type { Keys } from './live-state.js';

export interface PregelAccess {
  readonly input: unknown;
  /** Writes to the state as if the node had returned them. */
  readonly send: (writes: readonly Write[]) => void;
  /** The state as the superstep found it; `fresh`: with the task's own writes. */
  readonly read: (select: Keys, fresh?: boolean) => unknown;
}

export const pregelKeys = ({ input, send, read }: PregelAccess): Record<string, unknown> => ({
  __pregel_send: send,
  __pregel_read: read,
  __pregel_scratchpad: { currentTaskInput: input },
});
