// A graph through the service gives the chunks and the state that it gives by `stream()` and `getState()`.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { stateView } from '../../server/views/state-view.js';
import { toWireJson } from '../../events/wire-json.js';
import { Platform } from '../support/platform.js';
import { alike, framesInProcess, framesServed, inProcess, type Asked } from '../support/served-alike.js';
import { Service } from '../support/service.js';

let service: Service;
let platform: Platform;

beforeAll(async () => {
  service = await Service.start({ workers: 1 });
  platform = new Platform(service.url);
}, 120_000);
afterAll(() => service?.stop(), 60_000);

/** What the service notes of a run beside what its graph does. */
const OF_THE_SERVICE = new Set(['run_id', 'thread_id', 'graph_id', 'assistant_id', 'created_by', 'user-agent']);
const withoutService = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutService);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => !OF_THE_SERVICE.has(key));
  return Object.fromEntries(kept.map(([key, each]) => [key, withoutService(each)]));
};
const comparable = (value: unknown) => alike(withoutService(value));

async function both(name: string, asked: Asked) {
  const graph = await inProcess(name);
  const thread = await platform.thread();
  const own = await framesInProcess(graph, asked, thread);
  const served = await framesServed(platform, name, asked, thread);
  const state = JSON.parse(toWireJson(stateView(await graph.getState({ configurable: { thread_id: thread } }))));
  return {
    own: { frames: comparable(own), state: comparable(state) },
    served: { frames: comparable(served), state: comparable(await platform.state(thread)) },
  };
}

const STEPS = ['values', 'updates', 'tasks', 'custom'] as const;

test.each([
  ['step-limited', { hangs: 'second' }, STEPS],
  ['step-limited', { hangs: 'first' }, STEPS],
  ['step-limited', { hangs: 'none' }, STEPS],
  ['idle', { hangs: 'none' }, STEPS],
  ['idle', { hangs: 'silent' }, ['values', 'updates']],
  ['defaults', { failures: 0 }, STEPS],
  ['defaults', { failures: 1 }, ['values', 'updates']],
  ['defaults', { failures: 2 }, ['values', 'updates']],
  ['defaults', { failures: 9 }, ['values', 'updates']],
  ['policies', { quickFrom: 1 }, STEPS],
  ['policies', { quickFrom: 2 }, ['values']],
  ['policies', { quickFrom: 9 }, ['values']],
  ['tools', { messages: [{ type: 'human', content: 'go', id: 'h' }] }, ['tools']],
  ['tools', { messages: [{ type: 'human', content: 'go', id: 'h' }] }, ['values', 'updates', 'tools']],
  ['stages', { short: false }, ['values', 'updates', 'tasks', 'checkpoints', 'debug']],
] as const)(
  '%s %j streams %j, and leaves the state, as in process',
  async (name, input, modes) => {
    const { own, served } = await both(name, { input, modes });
    expect(served).toEqual(own);
  },
  60_000,
);
