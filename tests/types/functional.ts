// What `entrypoint` and `task` infer and refuse.
import { MemorySaver } from '@langchain/langgraph-checkpoint';
import type { BaseStore } from '@langchain/langgraph-checkpoint';
import {
  entrypoint,
  getConfig,
  getCurrentTaskInput,
  getPreviousState,
  getStore,
  getWriter,
  task,
  type CompiledGraph,
  type EntrypointFinal,
  type EntrypointOptions,
  type NodeConfig,
  type TaskOptions,
} from 'superstep';
import { expectType } from './expect-type.js';

// Tasks: the function's arguments, its result by a promise.
const add = task('add', (a: number, b: number) => a + b);
expectType<(a: number, b: number) => Promise<number>>()(add);
const greet = task({ name: 'greet', retry: { maxAttempts: 2 }, timeout: 100 }, async (name: string) => `hello ${name}`);
expectType<(name: string) => Promise<string>>()(greet);
const nothing = task('nothing', () => undefined);
expectType<() => Promise<undefined>>()(nothing);
const fails = task('fails', (): never => {
  throw new Error('always');
});
expectType<() => Promise<never>>()(fails);
task({ name: 'cached', cachePolicy: { ttl: 60, keyFunc: (args) => JSON.stringify(args) } }, (a: number) => a);
task({ name: 'timeout', timeout: { runTimeout: 100, idleTimeout: 10, refreshOn: 'heartbeat' } }, () => 1);

// @ts-expect-error -- needs its argument
void greet();
// @ts-expect-error -- of another type
void greet(1);
// @ts-expect-error -- generators are refused
task('generates', function* () {
  yield 1;
});
// @ts-expect-error -- and async ones
task('generates', async function* () {
  yield await Promise.resolve(1);
});
// @ts-expect-error -- has no such option
task({ name: 'x', retries: 3 }, () => 1);
// @ts-expect-error -- must be named
task({}, () => 1);

// Entrypoints: the input, the config, what the caller gets.
const shout = entrypoint({ name: 'shout', checkpointer: new MemorySaver() }, async (word: string, config) => {
  expectType<NodeConfig>()(config);
  expectType<string>()(await greet(word));
  return { said: await greet(word), length: await add(1, 2) };
});
expectType<Promise<{ said: string; length: number }>>()(shout.invoke('x'));
expectType<CompiledGraph<{ said: string; length: number }, string>>()(shout);
// @ts-expect-error -- of another type
void shout.invoke(1);
const sync = entrypoint('sync', (input: number) => input > 0);
expectType<Promise<boolean>>()(sync.invoke(1));

// `final`: what the caller gets is the value.
const keeps = entrypoint('keeps', (input: number) => {
  const previous = getPreviousState<string | undefined>();
  expectType<string | undefined>()(previous);
  return entrypoint.final({ value: input, save: String(input) });
});
expectType<Promise<number>>()(keeps.invoke(1));
const keepsLater = entrypoint('keepsLater', async (input: number) =>
  Promise.resolve(entrypoint.final({ value: [input], save: 'kept' })),
);
expectType<Promise<number[]>>()(keepsLater.invoke(1));
expectType<EntrypointFinal<number, string>>()(entrypoint.final({ value: 1, save: 'a' }));

// @ts-expect-error -- generators are refused
entrypoint('generates', function* (input: number) {
  yield input;
});
// @ts-expect-error -- a functional graph's node is not retried by itself
entrypoint({ name: 'x', retry: {} }, () => 1);
// @ts-expect-error -- must be named
entrypoint({}, () => 1);

// What is ambient.
expectType<NodeConfig>()(getConfig());
expectType<BaseStore | undefined>()(getStore());
expectType<((chunk: unknown) => void) | undefined>()(getWriter());
expectType<unknown>()(getCurrentTaskInput());
expectType<{ a: number }>()(getCurrentTaskInput<{ a: number }>());

export const options: readonly [EntrypointOptions, TaskOptions] = [{ name: 'e' }, { name: 't', cachePolicy: true }];
