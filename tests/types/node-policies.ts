// Policies of nodes, as the builder takes them.
import {
  Annotation,
  Command,
  InMemoryCache,
  type NodeError,
  RunControl,
  Send,
  START,
  StateGraph,
  type CachePolicy,
  type NodeErrorHandler,
  type NodePolicyOptions,
  type RetryPolicy,
  type TimeoutPolicy,
} from 'superstep';
import { expectType } from './expect-type.js';

const State = Annotation.Root({ text: Annotation<string>(), count: Annotation<number>() });
const Other = Annotation.Root({ secret: Annotation<boolean>() });

const retryPolicy: RetryPolicy = { maxAttempts: 2, retryOn: (error) => error instanceof TypeError };
const cachePolicy: CachePolicy = { ttl: 60, keyFunc: ([input]) => JSON.stringify(input) };
const timeout: TimeoutPolicy = { runTimeout: 1000, idleTimeout: 100, refreshOn: 'heartbeat' };
const policies: NodePolicyOptions = { retryPolicy, cachePolicy, timeout };

const builder = new StateGraph(State)
  .setNodeDefaults({ ...policies, errorHandler: (state, { node }) => ({ text: `${state.text} ${node}` }) })
  .addNode('a', () => ({ text: 'a' }), { ...policies, defer: true })
  .addNode('b', () => ({ text: 'b' }), { cachePolicy: false, timeout: 1000 })
  .addNode('handled', () => ({ count: 1 }), {
    errorHandler: (state, error, config) => {
      expectType<string>()(state.text);
      expectType<NodeError>()(error);
      expectType<Error>()(error.error);
      config.signal?.throwIfAborted();
      return { text: error.error.message };
    },
  })
  .addNode('goes on', () => ({ count: 1 }), {
    errorHandler: async () => new Command({ update: { count: 2 }, goto: 'a' }),
  })
  .addNode('own input', () => ({ count: 1 }), {
    input: Other,
    errorHandler: ({ secret }) => ({ text: String(expectType<boolean>()(secret)) }),
  });
builder.addEdge(START, 'a');

// @ts-expect-error an update of another type
new StateGraph(State).addNode('a', () => ({ text: 'a' }), { errorHandler: () => ({ text: 1 }) });
// @ts-expect-error no such way to refresh
new StateGraph(State).addNode('a', () => ({ text: 'a' }), { timeout: { idleTimeout: 1, refreshOn: 'never' } });
// @ts-expect-error a handler is no policy
policies.errorHandler = () => ({});

const named: NodeErrorHandler<typeof State.State, typeof State.Update, 'a'> = () => new Command({ goto: 'a' });
// @ts-expect-error a node that is not there
const unknown: NodeErrorHandler<typeof State.State, typeof State.Update, 'a'> = () => new Command({ goto: 'b' });
void [named, unknown];
const handler: NodeErrorHandler<typeof State.State, typeof State.Update> = (_state, { error }) => ({
  text: error.message,
});
const graph = new StateGraph(State)
  .addNode('a', () => ({ text: 'a' }), { errorHandler: handler })
  .addEdge(START, 'a')
  .compile({ cache: new InMemoryCache() });
graph.stepTimeout = 1000;
graph.retryPolicy = retryPolicy;
const control = new RunControl();
expectType<string | undefined>()(control.drainReason);
void graph.invoke({ text: 'x' }, { control, cache: new InMemoryCache() });
void graph.clearCache();
expectType<TimeoutPolicy | undefined>()(new Send('a', 1, { timeout: 5 }).timeout);
