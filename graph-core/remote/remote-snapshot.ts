// A thread's state, from how servers answer it to what `getState` gives.
import type { RunnableConfig } from '@langchain/core/runnables';
import type { ThreadState, ThreadTask } from '@langchain/langgraph-sdk';
import type { StateSnapshot, TaskSnapshot } from '../engine/snapshot.js';
import { configOf } from './remote-checkpoint.js';

/** @param asked The config of the question, for a server that leaves the checkpoint's address out. */
export function snapshotOf(state: ThreadState, asked?: RunnableConfig): StateSnapshot {
  return {
    values: state.values,
    next: state.next ? [...state.next] : [],
    config: configOf(state.checkpoint, asked),
    metadata: (state.metadata ?? undefined) as StateSnapshot['metadata'],
    createdAt: state.created_at ?? undefined,
    parentConfig: state.parent_checkpoint ? configOf(state.parent_checkpoint) : undefined,
    tasks: state.tasks.map((task) => taskOf(task, asked)),
  };
}

function taskOf(task: ThreadTask, asked: RunnableConfig | undefined): TaskSnapshot {
  const { id, name, error, interrupts, checkpoint, state, result } = task;
  return {
    id,
    name,
    error: error ? { message: error } : undefined,
    // LangGraph gives a remote question's id by this name.
    interrupts: interrupts.map(({ id: interruptId, ...rest }) => ({ interrupt_id: interruptId, ...rest })),
    state: nestedState(state, checkpoint, asked),
    result,
  };
}

function nestedState(
  state: ThreadTask['state'],
  checkpoint: ThreadTask['checkpoint'],
  asked: RunnableConfig | undefined,
): TaskSnapshot['state'] {
  if (state) return snapshotOf(state, checkpoint ? configOf(checkpoint) : asked);
  return checkpoint ? { configurable: checkpoint } : undefined;
}
