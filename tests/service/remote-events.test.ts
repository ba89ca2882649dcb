// `streamEvents` of a remote graph, by LangGraph's RemoteGraph and by ours, on the JavaScript reference server: it speaks
// the second version of the protocol.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as theirs from '@langchain/langgraph/remote';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { ReferenceServer } from '../../bench/servers.js';
import * as ours from '../../graph-core/entries/remote.js';
import { normalize } from '../conformance/normalize.js';

const timeoutMs = 120_000;
let folder: string;
let server: ReferenceServer;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'remote-events-'));
  server = await ReferenceServer.start(folder);
}, 120_000);
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

type Remote = theirs.RemoteGraph;

function compared(name: string, program: (remote: (graphId: string) => Remote) => Promise<unknown>): void {
  test(
    name,
    async () => {
      const { url } = server.platform;
      const expected = normalize(await program((graphId) => new theirs.RemoteGraph({ graphId, url })));
      const received = await program((graphId) => new ours.RemoteGraph({ graphId, url }) as unknown as Remote);
      expect(normalize(received)).toEqual(expected);
    },
    timeoutMs,
  );
}

const onThread = () => ({ version: 'v3' as const, configurable: { thread_id: uuidv7() } });

async function failure(action: () => unknown): Promise<unknown> {
  try {
    return await action();
  } catch (error) {
    return { failed: error };
  }
}

compared('its output is the last values', async (remote) => {
  const run = await remote('one').streamEvents({}, onThread());
  const seen = [await run.output, run.interrupted, run.interrupts];
  run.abort();
  return seen;
});

compared('a question is told', async (remote) => {
  const run = await remote('ask').streamEvents({}, onThread());
  await failure(() => run.output);
  const seen = [run.interrupted, run.interrupts.map(({ payload }) => payload)];
  run.abort();
  return seen;
});

compared('what cannot be sent is refused', async (remote) => [
  await failure(() => remote('one').streamEvents({}, { ...onThread(), transformers: [] } as never)),
  await failure(() => remote('one').streamEvents({}, { ...onThread(), control: {} } as never)),
  await failure(() => remote('one').streamEvents({}, { ...onThread(), interruptBefore: ['a'] } as never)),
  await failure(() => remote('one').streamEvents({}, { version: 'v2' })),
]);

test(
  'its events are those of the run, and abort stops it',
  async () => {
    const remote = new ours.RemoteGraph({ graphId: 'chain10', url: server.platform.url });
    const run = await remote.streamEvents({}, onThread());
    const methods = new Set<string>();
    for await (const { method } of run) {
      methods.add(method);
      if (method === 'values') break;
    }
    expect(methods).toContain('values');
    run.abort('enough');
    expect(run.signal.aborted).toBe(true);
  },
  timeoutMs,
);
