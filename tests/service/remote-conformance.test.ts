// The same calls by LangGraph's RemoteGraph and by ours, of the same graphs on the same server: every chunk, state and
// error is compared. Threads and runs differ, so ids and times are made comparable as in tests/conformance.
import { MemorySaver } from '@langchain/langgraph-checkpoint';
import * as langgraph from '@langchain/langgraph';
import * as theirs from '@langchain/langgraph/remote';
import { HumanMessage } from '@langchain/core/messages';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import * as ours from '../../graph-core/entries/remote.js';
import * as graphCore from '../../graph-core/index.js';
import { normalize } from '../conformance/normalize.js';
import { Service } from '../support/service.js';

const timeoutMs = 120_000;
let service: Service;

beforeAll(async () => {
  service = await Service.start({ workers: 1 });
}, 180_000);
afterAll(() => service?.stop(), 60_000);

type Remote = theirs.RemoteGraph;
type Library = Pick<typeof langgraph, 'Annotation' | 'Command' | 'END' | 'START' | 'StateGraph'>;

interface Side {
  readonly lg: Library;
  readonly remote: (graphId: string, params?: object) => Remote;
}

const sides = {
  theirs: {
    lg: langgraph,
    remote: (graphId, params) => new theirs.RemoteGraph({ graphId, url: service.url, ...params }),
  },
  ours: {
    lg: graphCore as unknown as Library,
    remote: (graphId, params) =>
      new ours.RemoteGraph({ graphId, url: service.url, ...params }) as unknown as theirs.RemoteGraph,
  },
} satisfies Record<string, Side>;

const onThread = (id = uuidv7(), more: object = {}) => ({ configurable: { thread_id: id, ...more } });

async function outcome(action: () => unknown): Promise<unknown> {
  try {
    return await action();
  } catch (error) {
    return { failed: error };
  }
}

/** All chunks, and how it ended. */
async function streamed(graph: { stream: Remote['stream'] }, input: unknown, options: object): Promise<unknown[]> {
  const chunks: unknown[] = [];
  const end = await outcome(async () => {
    for await (const chunk of await graph.stream(input, options as never)) chunks.push(chunk);
  });
  return [...chunks, { end }];
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** The name of a call in a node, which LangGraph has none of, is in the metadata of its run and so of its messages. */
function withoutCallName(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, entry: unknown) => (key === 'superstep_call' ? undefined : entry)));
}

/** What is compared must not depend on which of two parallel requests was first. */
function compared(name: string, program: (side: Side) => Promise<unknown>): void {
  test(
    name,
    async () => {
      const expected = normalize(await program(sides.theirs));
      expect(withoutCallName(normalize(await program(sides.ours)))).toEqual(withoutCallName(expected));
    },
    timeoutMs,
  );
}

const MODES = ['values', 'updates', 'messages', 'custom', 'tasks', 'checkpoints', 'debug'] as const;
const speech = { messages: [new HumanMessage({ content: 'hi', id: 'm1' })], tokens: 3 };

compared('invoke, on a thread and without one', async ({ remote }) => [
  await remote('echo').invoke({ text: 'hi' }, onThread()),
  await remote('echo').invoke({ text: 'hi' }),
]);

for (const streamMode of MODES) {
  compared(`stream of ${streamMode}`, ({ remote }) => streamed(remote('sub'), speech, { ...onThread(), streamMode }));
}

compared('stream without a mode, of a list of one, of all modes, of subgraphs', async ({ remote }) => [
  await streamed(remote('sub'), speech, onThread()),
  await streamed(remote('sub'), speech, { ...onThread(), streamMode: ['values'] }),
  await streamed(remote('sub'), speech, { ...onThread(), streamMode: [...MODES] }),
  await streamed(remote('sub'), speech, { ...onThread(), streamMode: 'values', subgraphs: true }),
  await streamed(remote('sub'), speech, { ...onThread(), streamMode: [...MODES], subgraphs: true }),
]);

compared('a question is a GraphInterrupt, and a Command answers it', async ({ lg, remote }) => {
  const config = onThread();
  const graph = remote('ask');
  return [
    await outcome(() => graph.invoke({ question: 'really?' }, config)),
    await graph.getState(config),
    await streamed(graph, { question: 'again?' }, { ...config, streamMode: ['updates', 'values'] }),
    await graph.invoke(new lg.Command({ resume: { yes: true } }), config),
    await graph.getState(config),
  ];
});

compared('breakpoints, of the graph and of the call', async ({ remote }) => [
  await outcome(() => remote('loop', { interruptBefore: ['a'] }).invoke({ k: 2 }, onThread())),
  await outcome(() => remote('loop').invoke({ k: 2 }, { ...onThread(), interruptAfter: ['a'] })),
]);

compared('a graph that fails is a RemoteException; so is a limit that is reached', async ({ remote }) => [
  await outcome(() => remote('bigint').invoke({}, onThread())),
  await streamed(remote('loop'), { k: 9 }, { ...onThread(), recursionLimit: 3, streamMode: 'updates' }),
]);

compared('what the server refuses is an error of the client', async ({ remote }) => [
  await outcome(() => remote('no such graph').invoke({}, onThread())),
  await outcome(() => remote('echo').invoke({}, onThread('not an id'))),
  await outcome(() => remote('echo').getState(onThread())),
  await outcome(() => collect(remote('echo').getStateHistory(onThread()))),
]);

compared('getState, getStateHistory, updateState', async ({ remote }) => {
  const config = onThread();
  const graph = remote('loop');
  await graph.invoke({ k: 3 }, config);
  const history = await collect(graph.getStateHistory(config));
  const early = history.at(-2)?.config;
  const updated = await graph.updateState(config, { items: ['x'] }, 'a');
  return [
    history,
    await collect(graph.getStateHistory(config, { limit: 2 })),
    await graph.getState(early as never),
    updated,
    await graph.getState(config),
  ];
});

compared('the state of subgraphs', async ({ remote }) => {
  const config = onThread();
  await outcome(() => remote('sub').invoke(speech, { ...config, interruptBefore: ['last'] }));
  return remote('sub').getState(config, { subgraphs: true });
});

compared('a config that is bound, and one that cannot be sent as it is', async ({ remote }) => {
  const circular: Record<string, unknown> = { count: 10n, call: () => undefined };
  circular['self'] = circular;
  const config = onThread();
  const graph = remote('echo').withConfig({ ...config, tags: ['bound'], metadata: { bound: 1 } });
  const odd = { configurable: { odd: circular, checkpoint_ns: '', __pregel_own: 1 }, metadata: { call: 2 } };
  await graph.invoke({ text: 'hi' }, odd as never);
  const [run] = await (graph as unknown as { client: any }).client.runs.list(config.configurable.thread_id);
  return run.kwargs.config;
});

compared('drawings', async ({ remote }) => [
  (await remote('sub').getGraphAsync()).drawMermaid(),
  (await remote('sub').getGraphAsync({ xray: true })).drawMermaid(),
  await outcome(() => remote('sub').getGraph()),
  await outcome(() => remote('sub').getSubgraphs()),
  await outcome(() => (remote('sub') as any).streamEvents({}, { version: 'v2' })),
]);

const caller = ({ lg, remote }: Side, graphId: string) => {
  const State = lg.Annotation.Root({
    question: lg.Annotation<unknown>(),
    v: lg.Annotation<unknown>(),
    messages: lg.Annotation<unknown>(),
    tokens: lg.Annotation<number>(),
  });
  return new lg.StateGraph(State)
    .addNode('elsewhere', remote(graphId))
    .addEdge(lg.START, 'elsewhere')
    .addEdge('elsewhere', lg.END)
    .compile({ checkpointer: new MemorySaver() });
};

compared('as a node of a local graph, with and without its chunks', async (side) => [
  await streamed(caller(side, 'sub'), speech, { ...onThread(), streamMode: ['updates', 'custom'] }),
  await streamed(caller(side, 'sub'), speech, {
    ...onThread(),
    streamMode: ['updates', 'custom', 'messages'],
    subgraphs: true,
  }),
]);

compared('as a node of a local graph, its question is that graph’s', async (side) => {
  const graph = caller(side, 'ask');
  const config = onThread();
  return [await graph.invoke({ question: 'really?' }, config), await graph.getState(config)];
});

compared('as a node of a local graph, its failure is that graph’s', (side) =>
  outcome(() => caller(side, 'bigint').invoke({}, onThread())),
);
