// The app over a real database, with Temporal played by hand: what a route does with its request, not what a run does.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { Annotation, START, StateGraph, type CompiledGraph, type GraphRegistry } from '../../graph-core/index.js';
import type { LogPage } from '../../events/log-reader.js';
import { createApp } from '../../server/app.js';
import type { ServerContext } from '../../server/context.js';
import { isSettled, type ResumeOutcome, type RunControl } from '../../server/run-control.js';
import type { Run } from '../../storage/records.js';
import { openStorage, type Storage } from '../storage/fixtures.js';

const graph = new StateGraph(Annotation.Root({ text: Annotation<string> }))
  .addNode('shout', ({ text }) => ({ text: `${text}!` }))
  .addEdge(START, 'shout')
  .compile() as unknown as CompiledGraph;

const graphs: GraphRegistry = {
  names: ['shout'],
  failures: { broken: 'SyntaxError: Unexpected end of input' },
  get: async (name) => {
    if (name === 'shout') return graph;
    throw new Error(`No graph "${name}".`);
  },
};

/** Remembers what it was asked, and answers what it is told to. */
class FakeControl implements RunControl {
  readonly calls: { readonly call: string; readonly runId: string; readonly detail?: unknown }[] = [];
  resumed: ResumeOutcome | undefined;

  async submit(run: Run, _inflight: readonly Run[], firstNodes: readonly string[]) {
    this.calls.push({ call: 'submit', runId: run.runId, detail: firstNodes });
  }
  async resume(run: Run, answer: unknown): Promise<ResumeOutcome> {
    this.calls.push({ call: 'resume', runId: run.runId, detail: answer });
    return this.resumed ?? { kind: 'resumed', run: { ...run, state: 'running' } };
  }
  async cancel(run: Run, action: string) {
    this.calls.push({ call: 'cancel', runId: run.runId, detail: action });
  }
}

export interface TestApp {
  readonly url: string;
  readonly storage: Storage;
  readonly control: FakeControl;
  readonly faults: unknown[];
  close(): Promise<void>;
}

export async function startApp(over: Partial<ServerContext> = {}): Promise<TestApp> {
  const storage = await openStorage();
  await storage.assistants.upsertSystem(graphs.names);
  const control = new FakeControl();
  const faults: unknown[] = [];
  const { threads, runs, assistants, blobs, saver } = storage;
  const app = createApp({
    ...{ graphs, threads, runs, assistants, blobs, saver, control },
    log: { read: async (runId) => emptyPage(await runs.read(runId)) },
    limits: { bodyBytes: 100_000, heartbeatMs: 1_000, pollMs: 20 },
    closing: new AbortController().signal,
    version: '0.0.0-test',
    reportFault: (error) => faults.push(error),
    ...over,
  });
  const server: Server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ storage, control, faults },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await storage.close();
    },
  };
}

/** A log without entries, as far along as the row says. */
const emptyPage = (run: Run | null): LogPage => ({
  entries: [],
  end: { seq: -1, frame: -1 },
  state: run === null ? 'missing' : isSettled(run.state) ? 'settled' : run.state === 'paused' ? 'paused' : 'open',
  more: false,
});
