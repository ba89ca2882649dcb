// Real activities on a worker of this process, with Temporal and Postgres, for graphs that a test declares. No HTTP.
import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import type { CheckpointTuple } from '@langchain/langgraph-checkpoint';
import { createActivities, type ActivitySettings } from '../../activities/index.js';
import { decodeBatch } from '../../events/batch-codec.js';
import type { Batch, EventsAnswer, EventsRequest } from '../../events/batch.js';
import type { Entry } from '../../events/entry.js';
import { MemoryBus } from '../../events/memory-bus.js';
import { RunAborts } from '../../events/run-aborts.js';
import type { CompiledGraph, GraphRegistry } from '../../graph-core/index.js';
import { Blobs } from '../../storage/blobs.js';
import { CheckpointCache } from '../../storage/checkpoint-cache.js';
import { CheckpointSaver } from '../../storage/checkpoint-saver.js';
import { openDatabase, type Database } from '../../storage/database.js';
import { migrate } from '../../storage/migrate.js';
import type { MultitaskStrategy, Run, RunKwargs } from '../../storage/records.js';
import { Runs } from '../../storage/runs.js';
import { Steps } from '../../storage/steps.js';
import { Store } from '../../storage/store.js';
import { TaskCache } from '../../storage/task-cache.js';
import { Threads } from '../../storage/threads.js';
import {
  EVENTS_QUERY,
  runAttributes,
  THREAD_WORKFLOW,
  threadWorkflowId,
  type RunRef,
  type SuperstepResult,
  type ThreadInput,
} from '../../workflows/messages.js';
import { startedTogether } from './all-started.js';
import { startTestPostgres, type TestPostgres } from './postgres.js';
import { startTestTemporal, type TestTemporal } from './temporal.js';
import { startThreadWorker, type TestWorker } from './thread-worker.js';
import { until } from './until.js';

const policy = { startToCloseMs: 60_000, heartbeatTimeoutMs: 5_000 };

export interface SubmittedRun {
  readonly runId: string;
  readonly threadId: string;
}

export class RunHarness {
  readonly bus = new MemoryBus();
  readonly aborts = new RunAborts();
  readonly #graphs: Readonly<Record<string, CompiledGraph>>;
  readonly #temporal: TestTemporal;
  readonly #postgres: TestPostgres;
  readonly database: Database;
  readonly runs: Runs;
  readonly threads: Threads;
  readonly saver: CheckpointSaver;
  readonly blobs: Blobs;
  #worker: TestWorker | undefined;
  #stopping = new AbortController();

  private constructor(graphs: Readonly<Record<string, CompiledGraph>>, temporal: TestTemporal, postgres: TestPostgres) {
    this.#graphs = graphs;
    this.#temporal = temporal;
    this.#postgres = postgres;
    this.database = openDatabase(postgres.url, { maxConnections: 8 });
    this.runs = new Runs(this.database);
    this.threads = new Threads(this.database);
    this.saver = new CheckpointSaver(this.database.pool);
    this.blobs = new Blobs(this.database);
  }

  static async start(graphs: Readonly<Record<string, CompiledGraph>>): Promise<RunHarness> {
    const [temporal, postgres] = await startedTogether(startTestTemporal(), startTestPostgres());
    const harness = new RunHarness(graphs, temporal, postgres);
    await migrate(harness.database);
    await harness.startWorker();
    return harness;
  }

  /** @param shutdownGraceMs how long `stopWorker` lets supersteps go on */
  async startWorker(settings: Partial<ActivitySettings> = {}, shutdownGraceMs = 0): Promise<void> {
    this.#stopping = new AbortController();
    const { runs, threads, saver, blobs, bus, aborts } = this;
    const activities = createActivities({
      graphs: registryOf(this.#graphs),
      saver,
      cache: new CheckpointCache(saver, { maxEntries: 50, maxBytes: 10_000_000 }),
      runs,
      threads,
      steps: new Steps(this.database),
      blobs,
      store: new Store(this.database),
      taskCache: new TaskCache(this.database),
      bus,
      aborts,
      stopping: this.#stopping.signal,
      settings: { stepAttempts: 2, maxStateBytes: 4_000_000, sweepAfterMs: 0, policy, ...settings },
    });
    this.#worker = await startThreadWorker(this.#temporal.address, activities, { shutdownGraceMs });
  }

  async stopWorker(): Promise<void> {
    this.#stopping.abort();
    await this.#worker?.stop();
  }

  async stop(): Promise<void> {
    await this.stopWorker();
    await this.database.close();
    await Promise.all([this.#temporal.stop(), this.#postgres.stop()]);
  }

  get worker(): TestWorker {
    if (this.#worker === undefined) throw new Error('No worker runs.');
    return this.#worker;
  }

  /** The run's row alone, as the server stores it before it calls Temporal. */
  async store(
    graphId: string,
    kwargs: Partial<RunKwargs>,
    more: { readonly threadId?: string; readonly strategy?: MultitaskStrategy } = {},
  ): Promise<SubmittedRun> {
    const run = { runId: randomUUID(), threadId: more.threadId ?? randomUUID() };
    const submitted = await this.runs.submit({
      ...run,
      ifThreadMissing: 'create',
      assistantId: randomUUID(),
      graphId,
      metadata: {},
      multitaskStrategy: more.strategy ?? 'enqueue',
      maxWaiting: 1_000,
      kwargs: {
        config: {},
        stream_mode: ['values'],
        stream_subgraphs: false,
        stream_resumable: true,
        temporary: false,
        ...kwargs,
      },
    });
    if (submitted.kind !== 'accepted') throw new Error(`The run was not accepted: ${submitted.kind}`);
    return run;
  }

  async submit(graphId: string, kwargs: Partial<RunKwargs>, threadId?: string): Promise<SubmittedRun> {
    const stored = await this.store(graphId, kwargs, threadId === undefined ? {} : { threadId });
    const run: RunRef = { runId: stored.runId, assistantId: 'assistant', graphId, strategy: 'enqueue' };
    const input: ThreadInput = { threadId: stored.threadId, run, queue: [], recent: [], policy };
    await until('the thread is free', async () => {
      await this.worker.client.workflow.start<(input: ThreadInput) => Promise<void>>(THREAD_WORKFLOW, {
        workflowId: threadWorkflowId(stored.threadId),
        taskQueue: this.worker.taskQueue,
        args: [input],
        typedSearchAttributes: runAttributes(stored.threadId, run, 'running'),
      });
      return true;
    });
    return stored;
  }

  workflow({ threadId }: SubmittedRun): WorkflowHandle {
    return this.worker.client.workflow.getHandle(threadWorkflowId(threadId));
  }

  async row({ runId }: SubmittedRun): Promise<Run> {
    const run = await this.runs.read(runId);
    if (run === null) throw new Error(`There is no run ${runId}.`);
    return run;
  }

  /** Until the run is in one of the states. */
  untilState(run: SubmittedRun, ...states: readonly Run['state'][]): Promise<Run> {
    return until(`run ${run.runId} is ${states.join(' or ')}`, async () => {
      const row = await this.row(run);
      return states.includes(row.state) ? row : undefined;
    });
  }

  /** The whole log: of every execution that the row lists, and the row's last step. */
  async log(run: SubmittedRun): Promise<readonly Entry[]> {
    const { segments, lastStep } = await this.row(run);
    const batches: Batch[] = [];
    const request: EventsRequest = { after: { kind: 'seq', after: -1 }, maxBytes: 1e9 };
    for (const { executionId } of segments) {
      const handle = this.worker.client.workflow.getHandle(threadWorkflowId(run.threadId), executionId);
      batches.push(...(await handle.query<EventsAnswer, [EventsRequest]>(EVENTS_QUERY, request)).batches);
    }
    const { batches: tail } = (lastStep?.result ?? { batches: [] }) as Extract<SuperstepResult, { kind: 'done' }>;
    const end = batches.at(-1)?.last.seq ?? -1;
    const all = [...batches, ...tail.filter(({ first }) => first.seq > end)];
    const entries: Entry[] = [];
    for (const batch of all) {
      entries.push(
        ...(await decodeBatch(batch, async (id) => {
          const blob = await this.blobs.get(id);
          if (blob === null) throw new Error(`There is no blob ${id}.`);
          return blob;
        })),
      );
    }
    return entries;
  }

  /** Newest first. */
  async checkpoints(threadId: string, namespace = ''): Promise<readonly CheckpointTuple[]> {
    const found: CheckpointTuple[] = [];
    const config = { configurable: { thread_id: threadId, checkpoint_ns: namespace } };
    for await (const checkpoint of this.saver.list(config)) found.push(checkpoint);
    return found;
  }
}

function registryOf(graphs: Readonly<Record<string, CompiledGraph>>): GraphRegistry {
  return {
    names: Object.keys(graphs),
    failures: {},
    get: async (name) => {
      const graph = graphs[name];
      if (graph === undefined) throw new Error(`There is no graph "${name}".`);
      return graph;
    },
  };
}
