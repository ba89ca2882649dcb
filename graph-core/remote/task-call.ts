// A call of a remote graph within a task. The task may run more than once: its worker was lost, its node is retried, its
// question was answered. The run that the call began is then found again, and the server is not given the input twice.
//   R1. Each call of a task has a name that is the same whenever the task runs. The server keeps it with the runs.
//   R2. A run under that name is joined while it goes on, and read once it is over; one that failed is begun anew.
//   R3. Where the thread waits with a question, the answer to that question goes to the server, and no other does.
import type { Client, Run, ThreadState } from '@langchain/langgraph-sdk';
import { v5 as uuidv5 } from '@langchain/core/utils/uuid';
import { Command } from '../command.js';
import { GraphInterrupt, type Interrupt } from '../errors.js';
import { nodePath } from '../engine/namespaces.js';
import type { TaskContext } from '../engine/task-context.js';

/** How a call gets at its run. */
export type CallStart =
  { readonly kind: 'create'; readonly input: unknown } | { readonly kind: 'join'; readonly runId: string };

/** Where the call's name is in a run's metadata. */
const CALL = 'superstep_call';

/** Names the next call of the task. */
export const nextCall = (task: TaskContext): string => `${task.taskId}:${task.remoteCalls++}`;

export const callMetadata = (call: string): Record<string, string> => ({ [CALL]: call });

const THREADS = '0a9d2c4e-5d0b-5c0e-8f6b-3b1f0c7d9a55';

/** The same for each run of the caller's thread: the remote graph remembers what its caller's thread does. */
export const ownThread = (callersThread: string, checkpointNs: string): string =>
  uuidv5(`${callersThread}|${nodePath(checkpointNs)}`, THREADS);

interface ThreadCall {
  readonly client: Client;
  readonly threadId: string;
  readonly call: string;
  readonly task: TaskContext;
  readonly input: unknown;
  readonly signal?: AbortSignal;
}

/** @throws GraphInterrupt where the run of an earlier attempt waits for an answer that has not come. */
export async function startOf(thread: ThreadCall): Promise<CallStart> {
  const { client, threadId, call, task, input, signal } = thread;
  const runs = await runsOf(client, threadId, signal);
  const begun = runs.find((run) => run.metadata?.[CALL] === call);
  if (begun === undefined || FAILED.has(begun.status)) return { kind: 'create', input };
  // Only what the thread did last can have left it waiting.
  if (UNDER_WAY.has(begun.status) || begun !== runs[0]) return { kind: 'join', runId: begun.run_id };
  const { next, tasks } = await client.threads.getState(threadId, undefined, { signal });
  const open = questionsOf(tasks);
  if (open.length === 0) {
    // It stopped at a breakpoint, if anything is left to do.
    return next.length > 0 ? { kind: 'create', input: null } : { kind: 'join', runId: begun.run_id };
  }
  const resume = answerTo(open, task);
  if (resume === undefined) throw new GraphInterrupt(open);
  return { kind: 'create', input: new Command({ resume: resume.value }) };
}

const FAILED: ReadonlySet<Run['status']> = new Set<Run['status']>(['error', 'timeout', 'interrupted']);
const UNDER_WAY: ReadonlySet<Run['status']> = new Set<Run['status']>(['pending', 'running']);

/** Newest first. None on a thread that is not there yet. */
async function runsOf(client: Client, threadId: string, signal: AbortSignal | undefined): Promise<readonly Run[]> {
  try {
    return await client.runs.list(threadId, { limit: 20, signal });
  } catch (error) {
    if ((error as { readonly status?: unknown }).status === 404) return [];
    throw error;
  }
}

const questionsOf = (tasks: ThreadState['tasks']): Interrupt[] => tasks.flatMap(({ interrupts }) => interrupts);

/** By id, so that a server that has had the answer already does not take it for one to its next question. */
function answerTo(open: readonly Interrupt[], task: TaskContext): { readonly value: unknown } | undefined {
  const ids = open.flatMap(({ id }) => id ?? []);
  const { resumeMap = {} } = task;
  const named = ids.filter((id) => id in resumeMap);
  if (named.length > 0) return { value: Object.fromEntries(named.map((id) => [id, resumeMap[id]])) };
  // An answer without a name is to what this task asked when it stopped.
  if (!task.asked.some(({ id }) => id !== undefined && ids.includes(id))) return undefined;
  const answer = task.answers.handOver();
  if (answer === undefined) return undefined;
  const [id, ...more] = ids;
  return { value: id !== undefined && more.length === 0 ? { [id]: answer.value } : answer.value };
}
