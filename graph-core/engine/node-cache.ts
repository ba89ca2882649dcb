// Results of tasks kept from run to run: the same input, the same writes. Nodes and `task()` functions with a policy have
// theirs kept.
import type { CacheFullKey } from '@langchain/langgraph-checkpoint';
import type { Write } from './apply-writes.js';
import { isCall, type Task } from './plan-tasks.js';
import type { SuperstepScope } from './superstep-scope.js';
import { xxh3 } from './xxh3.js';

/** First part of a key: what kind of thing is kept. */
const WRITES = '__pregel_ns_writes';
/** Stands for the name of a node's Runnable, which it has none of. */
const UNNAMED = '__dynamic__';

/** An author's `keyFunc` is asked once per task. */
const keys = new WeakMap<Task, CacheFullKey>();

function keyOf(task: Task): CacheFullKey | undefined {
  const policy = task.node.cachePolicy;
  if (policy === undefined) return undefined;
  let key = keys.get(task);
  if (key === undefined) {
    const namespace = isCall(task) ? [WRITES, task.name] : [WRITES, UNNAMED, task.name];
    key = [namespace, xxh3((policy.keyFunc ?? JSON.stringify)([task.input]))];
    keys.set(task, key);
  }
  return key;
}

const named = ([namespace, key]: CacheFullKey): string => JSON.stringify([namespace, key]);

/** What is kept of these tasks' results, by task id. */
export async function cachedWrites(
  { ports: { cache } }: SuperstepScope,
  tasks: readonly Task[],
): Promise<ReadonlyMap<string, readonly Write[]>> {
  const found = new Map<string, readonly Write[]>();
  if (cache === undefined) return found;
  const keyed = tasks.flatMap((task) => {
    const key = keyOf(task);
    return key ? [{ task, key }] : [];
  });
  if (keyed.length === 0) return found;
  const entries = new Map(
    (await cache.get(keyed.map(({ key }) => key))).map(({ key, value }) => [named(key), value as readonly Write[]]),
  );
  for (const { task, key } of keyed) {
    const writes = entries.get(named(key));
    if (writes !== undefined) found.set(task.id, writes);
  }
  return found;
}

/** Whether a task's result is to be kept. */
export const isKept = ({ ports }: SuperstepScope, { node }: Task): boolean =>
  ports.cache !== undefined && node.cachePolicy !== undefined;

/** Keeps a finished task's writes. What cannot be kept is computed again: no reason for a run to fail. */
export async function keepWrites(
  { ports: { cache } }: SuperstepScope,
  task: Task,
  writes: readonly Write[],
): Promise<void> {
  if (cache === undefined) return;
  const key = keyOf(task);
  if (key === undefined) return;
  const ttl = task.node.cachePolicy?.ttl;
  await cache.set([{ key, value: writes, ttl }]).catch(() => undefined);
}
