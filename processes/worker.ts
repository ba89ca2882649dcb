// The worker: runs the thread workflows and their supersteps.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  DefaultLogger,
  NativeConnection,
  Runtime,
  Worker,
  type LogLevel as TemporalLogLevel,
} from '@temporalio/worker';
import { Client, ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client';
import { createActivities } from '../activities/index.js';
import { CheckpointCache } from '../storage/checkpoint-cache.js';
import type { LiveBus } from '../events/live-bus.js';
import type { RunAborts } from '../events/run-aborts.js';
import type { GraphRegistry } from '../graph-core/index.js';
import { SWEEP_WORKFLOW } from '../workflows/messages.js';
import { commonOf, databaseConnections } from './common.js';
import { loadGraphs } from './graphs.js';
import type { Log } from './log.js';
import { OperatorError } from './operator-error.js';
import type { WorkerOptions } from './options.js';
import { packageRoot } from './package-root.js';
import { requireDatabase } from './server.js';
import { openServiceParts, type ServiceParts } from './service-parts.js';
import type { Settings, TemporalAccess } from './settings.js';
import { stepPolicyOf } from './step-policy.js';
import { watchForStop } from './stop-request.js';
import { openTemporal, type TemporalClient } from './temporal-access.js';

/** Made by `npm run build`: bundling at start would take three seconds more (measured). */
const bundlePath = join(packageRoot, 'dist', 'workflow-bundle.js');
/** Until others take over the workflows of a worker that was killed; the SDK's default is 10 s. */
const stickyTimeoutMs = 1_000;
/** A cancel from another process reaches the node with the next heartbeat. */
const heartbeatThrottleMs = 1_000;
/** A cached workflow holds 86 KB of JavaScript heap (measured); evicted ones are replayed when needed. */
const cachedWorkflows = 100;
/** After the grace period, what is left gets a moment to notice the abort. */
const forceAfterGraceMs = 5_000;
const sweepEverySeconds = 30;
/** The last checkpoints of this many threads; within the 350 MB that server and worker may take. */
const checkpointCache = { maxEntries: 500, maxBytes: 48 * 1024 * 1024 };

export interface StartWorker {
  readonly settings: Settings;
  readonly log: Log;
  readonly parts: ServiceParts;
  readonly graphs: GraphRegistry;
  readonly temporal: TemporalClient;
  readonly access: TemporalAccess;
  readonly bus?: LiveBus;
  readonly aborts?: RunAborts;
}

export interface RunningWorker {
  /** Rejects when the worker fails; resolves when it has been stopped. */
  readonly ended: Promise<void>;
  /**
   * Finishes running supersteps within the grace period, those of nested graphs at their next boundary, and hands the
   * others back.
   */
  stop(): Promise<void>;
  /** Over the worker's connection: workflows that it starts eagerly get their first task with the answer. */
  readonly starter: Client;
}

/** A node that does not await its work may reject when nobody listens: that must not end everybody else's runs. */
function outliveStrayRejections(log: Log): void {
  process.on('unhandledRejection', (error) => {
    log.error('A promise was rejected and nobody handled it; a node that does not await its work does that', { error });
  });
}

export async function startWorker({
  settings,
  log,
  parts,
  graphs,
  temporal,
  access,
  bus,
  aborts,
}: StartWorker): Promise<RunningWorker> {
  if (!existsSync(bundlePath)) throw new OperatorError('The workflow bundle is missing. Run: npm run build');
  outliveStrayRejections(log);
  // The SDK's own signal handlers would end the worker before the server has ended its streams.
  Runtime.install({ shutdownSignals: [], logger: temporalLogger(log) });
  const connection = await NativeConnection.connect({
    ...access.connectionOptions,
    address: access.connectionOptions.address ?? '127.0.0.1:7233',
  });
  const stopping = new AbortController();
  const worker = await Worker.create({
    connection,
    namespace: temporal.namespace,
    taskQueue: settings.taskQueue,
    workflowBundle: { codePath: bundlePath },
    activities: createActivities({
      ...parts,
      graphs,
      ...(bus && { bus }),
      ...(aborts && { aborts }),
      stopping: stopping.signal,
      cache: new CheckpointCache(parts.saver, checkpointCache),
      settings: {
        stepAttempts: settings.stepAttempts,
        maxStateBytes: settings.stateLimitMb * 1024 * 1024,
        sweepAfterMs: sweepEverySeconds * 1_000,
        policy: stepPolicyOf(settings),
      },
    }),
    maxConcurrentActivityTaskExecutions: settings.jobsPerWorker,
    maxCachedWorkflows: cachedWorkflows,
    stickyQueueScheduleToStartTimeout: stickyTimeoutMs,
    maxHeartbeatThrottleInterval: heartbeatThrottleMs,
    defaultHeartbeatThrottleInterval: heartbeatThrottleMs,
    shutdownGraceTime: settings.shutdownGraceSeconds * 1_000,
    shutdownForceTime: settings.shutdownGraceSeconds * 1_000 + forceAfterGraceMs,
  });
  const ended = worker.run().finally(() => connection.close());
  await scheduleSweep(temporal, settings.taskQueue);
  const stop = async () => {
    stopping.abort();
    if (worker.getState() === 'RUNNING') worker.shutdown();
    await ended;
  };
  return { ended, stop, starter: new Client({ connection, namespace: temporal.namespace }) };
}

/** One sweep for a task queue, however many workers there are. */
async function scheduleSweep({ client }: TemporalClient, taskQueue: string): Promise<void> {
  try {
    await client.schedule.create({
      scheduleId: `superstep-sweep:${taskQueue}`,
      spec: { intervals: [{ every: `${sweepEverySeconds}s` }] },
      action: { type: 'startWorkflow', workflowType: SWEEP_WORKFLOW, workflowId: `sweep:${taskQueue}`, taskQueue },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 minute' },
    });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
  }
}

/** The SDK's lines in our format. Its debug lines are about itself. */
function temporalLogger(log: Log): DefaultLogger {
  const levels: Partial<Record<TemporalLogLevel, keyof Log>> = { WARN: 'warn', ERROR: 'error' };
  return new DefaultLogger('WARN', ({ level, message, meta }) => {
    const { error } = (meta ?? {}) as { readonly error?: unknown };
    log[levels[level] ?? 'debug'](message, error === undefined ? {} : { error });
  });
}

/** `superstep worker`. */
export async function runWorker(options: WorkerOptions): Promise<void> {
  const stopRequest = watchForStop();
  const common = commonOf(options);
  const { settings, log } = common;
  const parts = await openServiceParts(requireDatabase(common), databaseConnections.worker, log);
  const graphs = await loadGraphs(settings, log);
  const temporal = await openTemporal(common.temporal, log);
  const worker = await startWorker({ settings, log, parts, graphs, temporal, access: common.temporal });
  log.info(`Worker polls task queue "${settings.taskQueue}"`, { graphs: graphs.names.join(', ') });
  await Promise.race([stopRequest.asked, worker.ended]);
  log.info(`Stopping: running supersteps have ${settings.shutdownGraceSeconds} s to finish, others are handed back`);
  await worker.stop();
  await temporal.connection.close();
  await parts.close();
}
