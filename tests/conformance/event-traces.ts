// `streamEvents` in its three versions, noted so that two libraries can be compared.
import type { Trace } from './trace.js';

interface Event {
  readonly event: string;
  readonly run_id: string;
}

interface Streamable {
  streamEvents(input: unknown, options: object, filter?: object): AsyncIterable<Event>;
}

/**
 * LangChain's events, of v1 and v2. The graph's own chunks are noted apart: LangGraph's pass through several streams, so
 * that they come some turns of the event loop after the events they follow.
 */
export async function langchainEvents(
  t: Trace,
  graph: unknown,
  input: unknown,
  options: object,
  filter?: object,
): Promise<void> {
  const [seen, chunks]: [unknown[], unknown[]] = [[], []];
  let root: string | undefined;
  try {
    for await (const event of (graph as Streamable).streamEvents(input, options, filter)) {
      root ??= event.run_id;
      (event.run_id === root && event.event === 'on_chain_stream' ? chunks : seen).push(event);
    }
    t.note('ends', 'well');
  } catch (error) {
    t.note('fails', error);
  }
  t.note('events', seen);
  t.note('chunks', chunks);
}

interface ProtocolRun extends AsyncIterable<{ readonly params: { readonly timestamp: number } }> {
  readonly output: Promise<unknown>;
  readonly interrupted: boolean;
  readonly interrupts: unknown;
}

interface ProtocolStreamable {
  streamEvents(input: unknown, options: object): Promise<ProtocolRun>;
}

/** What happened when is not comparable; that it is told is. */
export const untimed = <T extends { readonly timestamp: number }>({ timestamp, ...rest }: T): object => ({
  ...rest,
  timestamp: typeof timestamp,
});

/** The events of v3, and how the run ended. */
export async function protocolEvents(t: Trace, graph: unknown, input: unknown, options: object = {}): Promise<void> {
  const stream = await (graph as ProtocolStreamable).streamEvents(input, { version: 'v3', ...options });
  const seen: object[] = [];
  try {
    for await (const event of stream) seen.push({ ...event, params: untimed(event.params) });
  } catch (error) {
    t.note('fails', error);
  }
  t.note('events', seen);
  await t.outcome('output', () => stream.output);
  t.note('interrupts', [stream.interrupted, stream.interrupts]);
}
