// A fixture graph run twice, by `stream()` in this process and by the service: both as the frames a client would get.
import { MemorySaver } from '@langchain/langgraph-checkpoint';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CompiledGraph, StreamMode } from 'superstep';
import { platformPayload } from '../../events/platform-payloads.js';
import { toWireJson } from '../../events/wire-json.js';
import { type Platform } from './platform.js';
import { fixturesConfig } from './service.js';
import { readSse } from './sse.js';

export interface Frame {
  /** With the namespace, where it is a subgraph's. */
  readonly event: string;
  readonly data: unknown;
}

export interface Asked {
  readonly input: unknown;
  readonly modes: readonly StreamMode[];
}

const { graphs } = JSON.parse(readFileSync(fixturesConfig, 'utf8')) as { readonly graphs: Record<string, string> };

/** The served graph of that name, with a memory of its own. */
export async function inProcess(name: string): Promise<CompiledGraph> {
  const [path = '', exported = ''] = (graphs[name] ?? '').split(':');
  const module = (await import(pathToFileURL(join(dirname(fixturesConfig), path)).href)) as Record<
    string,
    CompiledGraph
  >;
  const graph = module[exported];
  if (graph === undefined) throw new Error(`${path} exports no ${exported}`);
  return graph.withSaver(new MemorySaver());
}

export async function framesInProcess(
  graph: CompiledGraph,
  { input, modes }: Asked,
  thread: string,
): Promise<readonly Frame[]> {
  const frames: Frame[] = [];
  const config = { configurable: { thread_id: thread }, streamMode: [...modes], subgraphs: true as const };
  try {
    const chunks = (await graph.stream(input, config)) as AsyncIterable<[string[], StreamMode, unknown]>;
    for await (const [ns, mode, payload] of chunks) {
      const shaped =
        mode === 'tasks' || mode === 'checkpoints' || mode === 'debug' ? platformPayload(mode, payload) : payload;
      frames.push({ event: [mode, ...ns].join('|'), data: JSON.parse(toWireJson(shaped)) });
    }
  } catch (error) {
    const { name, message } = error as Error;
    frames.push({ event: 'error', data: { error: name, message } });
  }
  return frames;
}

/** A run of its own, read to its end; without the frames that name the run. */
export async function framesServed(
  platform: Platform,
  name: string,
  { input, modes }: Asked,
  thread: string,
): Promise<readonly Frame[]> {
  const events = await readSse(`${platform.url}/threads/${thread}/runs/stream`, {
    body: { assistant_id: name, input, stream_mode: modes, stream_subgraphs: true, stream_resumable: true },
  });
  return events.filter(({ event }) => event !== 'metadata').map(({ event, data }) => ({ event, data }));
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;

const ELAPSED = /elapsed: \d+ms/g;

/** Ids by their first appearance, moments and durations by none: what two runs of one graph have in common. */
export function alike(value: unknown): unknown {
  const known = new Map<string, string>();
  const text = JSON.stringify(value)
    .replace(UUID, (id) => {
      known.set(id, known.get(id) ?? `id ${known.size + 1}`);
      return known.get(id) as string;
    })
    .replace(TIME, 'a moment')
    .replace(ELAPSED, 'elapsed: a while');
  return JSON.parse(text) as unknown;
}
