// Transformers of run streams, the channels they fill, and the helpers that clients share.
import type { StreamTransformer } from '@langchain/langgraph';
import * as langgraphStream from '@langchain/langgraph/stream';
import * as ourStream from '../../graph-core/stream/index.js';
import { program, type Trace } from './harness.js';
import { ours, type Library } from './library.js';

type Events = AsyncIterable<{ method: string; seq: number; params: { data: unknown; namespace: string[] } }>;
type Run = Events & { extensions: Record<string, unknown> } & Record<string, unknown>;

const graphOf = (lg: Library, transformers: readonly (() => StreamTransformer<unknown>)[] = []) =>
  new lg.StateGraph(lg.Annotation.Root({ text: lg.Annotation<string>() }))
    .addNode('first', () => ({ text: 'first' }))
    .addNode('second', () => ({ text: 'second' }))
    .addEdge(lg.START, 'first')
    .addEdge('first', 'second')
    .compile({ transformers } as object);

const run = (graph: unknown, transformers: readonly (() => StreamTransformer<unknown>)[]): Promise<Run> =>
  (graph as { streamEvents(input: unknown, options: object): Promise<Run> }).streamEvents(
    { text: '' },
    { version: 'v3', transformers },
  );

async function read(t: Trace, stream: Events): Promise<void> {
  const seen: unknown[] = [];
  await t.outcome('ends', async () => {
    for await (const { method, seq, params } of stream) seen.push([method, seq, params.namespace, params.data]);
  });
  t.note('events', seen);
}

async function all(items: unknown): Promise<unknown[]> {
  const seen: unknown[] = [];
  for await (const item of items as AsyncIterable<unknown>) seen.push(item);
  return seen;
}

program('projections: channels with and without a name, promises, plain values', async (lg, t) => {
  const counting = (): StreamTransformer<unknown> => {
    const named = lg.StreamChannel.remote<number>('counts');
    const local = lg.StreamChannel.local<string>();
    let finish = (_count: number): void => undefined;
    const total = new Promise<number>((resolve) => (finish = resolve));
    let count = 0;
    return {
      init: () => ({ named, local, total, plain: 1 }),
      process({ method }) {
        if (method === 'updates') named.push((count += 1));
        local.push(method);
        return true;
      },
      finalize: () => finish(count),
    };
  };
  const stream = await run(graphOf(lg), [counting]);
  await read(t, stream);
  const { named, local, total, plain } = stream.extensions;
  t.note('named', await all(named));
  t.note('local', await all(local));
  t.note('total', [await total, plain]);
});

program('an event that a transformer keeps back is seen by the others', async (lg, t) => {
  const seen: string[] = [];
  const dropping = (): StreamTransformer<unknown> => ({
    init: () => ({}),
    process: ({ method }) => method !== 'tasks' && method !== 'values',
  });
  const watching = (): StreamTransformer<unknown> => ({
    init: () => ({}),
    process({ method }) {
      seen.push(method);
      return true;
    },
  });
  await read(t, await run(graphOf(lg), [dropping, watching]));
  t.note('seen', seen);
});

program('those of the graph come before those of the call, in order of what they are asked', async (lg, t) => {
  const asked: string[] = [];
  const noting = (name: string) => (): StreamTransformer<unknown> => ({
    onRegister: () => void asked.push(`${name} registered`),
    init: () => {
      asked.push(`${name} init`);
      return { [name]: name };
    },
    process({ method }) {
      if (method === 'updates') asked.push(`${name} ${method}`);
      return true;
    },
    finalize: () => void asked.push(`${name} finalize`),
    fail: () => void asked.push(`${name} fail`),
  });
  const stream = await run(graphOf(lg, [noting('compiled')]), [noting('first'), noting('second')]);
  await read(t, stream);
  t.note('asked', asked);
  t.note('extensions', stream.extensions);
});

program('a native one becomes fields of the stream, and its events are its own', async (lg, t) => {
  const native = () => ({
    __native: true as const,
    init: () => ({ counts: [1, 2, 3], channel: lg.StreamChannel.remote('unheard') }),
    process: () => true,
  });
  const stream = await run(graphOf(lg), [native]);
  t.note('native', [lg.isNativeTransformer(native()), stream.counts, stream.extensions]);
  await read(t, stream);
});

program('one that adds events', async (lg, t) => {
  const adding = (): StreamTransformer<unknown> => {
    let emit = (_data: unknown): void => undefined;
    return {
      init: () => ({}),
      onRegister(emitter) {
        emit = (data) =>
          emitter.push([], {
            type: 'event',
            seq: 0,
            method: 'custom',
            params: { namespace: [], timestamp: 0, data },
          });
      },
      process({ method }) {
        if (method === 'updates') emit({ name: 'added', of: 'updates' });
        return true;
      },
    };
  };
  await read(t, await run(graphOf(lg), [adding]));
});

program('one that fails, one that finishes late, one whose last value fails', async (lg, t) => {
  await read(
    t,
    await run(graphOf(lg), [
      () => ({
        init: () => ({}),
        process({ method }) {
          if (method === 'updates') throw new Error('transformer');
          return true;
        },
      }),
    ]),
  );
  const late = lg.StreamChannel.local<string>();
  await read(
    t,
    await run(graphOf(lg), [
      () => ({
        init: () => ({ late, never: Promise.reject(new Error('no value')) }),
        process: () => true,
        finalize: () => Promise.resolve().then(() => late.push('late')),
      }),
    ]),
  );
  t.note('late', await all(late));
});

program('a channel by itself', async (lg, t) => {
  const channel = new lg.StreamChannel<number>('name');
  const reading = all(channel);
  channel.push(1);
  channel.push(2);
  t.note('held', [channel.get(1), channel.size, channel.done, channel.channelName]);
  await t.outcome('beyond', () => channel.get(2));
  channel.close();
  t.note('read', [await reading, await all(channel.toAsyncIterable(1)), channel.done]);
  t.note('is', [
    lg.StreamChannel.isInstance(channel),
    lg.StreamChannel.isInstance({}),
    lg.EventLog === lg.StreamChannel,
  ]);
  t.note('of the other library', lg.StreamChannel.isInstance(ours.StreamChannel.local()));
  const decoder = new TextDecoder();
  t.note(
    'bytes',
    (await all(channel.toEventStream({ serialize: (item) => `a\r\nb${item}` }))).map((bytes) =>
      decoder.decode(bytes as Uint8Array),
    ),
  );
  const failing = lg.StreamChannel.local<number>();
  failing.push(1);
  failing.fail(new Error('failed'));
  await t.outcome('failing', () => all(failing));
});

program('chunks as events', (lg, t) => {
  const payloads: [string, unknown][] = [
    ['values', { a: 1 }],
    ['updates', { node: { a: 1 } }],
    ['updates', { node: 'text' }],
    ['updates', {}],
    ['updates', null],
    ['custom', 'text'],
    ['custom', { name: 'x', a: 1 }],
    ['custom', [1]],
    ['tasks', { id: '1' }],
    ['messages', [{ event: 'message-start' }, { langgraph_node: 'n', run_id: 'r' }]],
    ['messages', 'odd'],
    ['tools', { event: 'on_tool_start', name: 'f', toolCallId: 'c', input: '{}' }],
    ['tools', { event: 'on_tool_event', toolCallId: 'c', data: { a: 1 } }],
    ['tools', { event: 'on_tool_end', toolCallId: 'c', output: 1 }],
    ['tools', { event: 'on_tool_error', toolCallId: 'c', error: new Error('e') }],
    ['tools', { event: 'on_tool_error', error: 'text' }],
    ['tools', { event: 'other' }],
    ['tools', 1],
    ['checkpoints', { id: '1', step: 1, source: 'loop' }],
    ['checkpoints', { id: '1', config: {}, values: {} }],
    ['debug', {}],
    ['unknown', {}],
  ];
  for (const [mode, payload] of payloads) {
    const events = lg.convertToProtocolEvent({ namespace: ['a:1'], mode: mode as never, payload, seq: 7 });
    t.note(
      mode,
      events.map((event) => ({ ...event, params: { ...event.params, timestamp: 0 } })),
    );
  }
  t.note('modes', lg.STREAM_EVENTS_V3_MODES);
});

program('subscriptions', (lg, t) => {
  const library = lg === ours ? (ourStream as unknown as typeof langgraphStream) : langgraphStream;
  const event = (method: string, namespace: string[], data: unknown = {}, seq = 5) => ({
    type: 'event' as const,
    method,
    seq,
    params: { namespace, data },
  });
  for (const given of [
    event('values', []),
    event('custom', ['a:1'], { name: 'x' }),
    event('custom', ['a:1']),
    event('custom:y', []),
    event('input.requested', []),
    event('lifecycle', ['a:1', 'b:2']),
  ]) {
    t.note(given.method, [
      library.inferChannel(given),
      library.isSupportedChannel(given.method),
      ...[
        { channels: ['values', 'custom', 'lifecycle'] },
        { channels: ['custom:x', 'input'] },
        { channels: ['values', 'custom', 'lifecycle'], namespaces: [['a']] },
        { channels: ['lifecycle', 'custom'], namespaces: [['a:1']], depth: 0 },
        { channels: ['lifecycle', 'custom'], namespaces: [['a:2'], ['a', 'b']], depth: 1 },
        { channels: ['values', 'custom', 'lifecycle'], namespaces: [] },
        { channels: ['values', 'custom', 'lifecycle'], since: 5 },
        { channels: ['values', 'custom', 'lifecycle'], since: 4 },
      ].map((subscription) => library.matchesSubscription(given, subscription as never)),
    ]);
  }
  t.note('prefixes', [
    library.isPrefixMatch(['a:1', 'b'], ['a']),
    library.isPrefixMatch(['a:1'], ['a:2']),
    library.isPrefixMatch([], ['a']),
    library.normalizeNamespaceSegment('a:1'),
    [...library.SUPPORTED_CHANNELS],
  ]);
});
