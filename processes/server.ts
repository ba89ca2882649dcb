// The server: HTTP over the database and Temporal.
import { setMaxListeners } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import type { LiveBus } from '../events/live-bus.js';
import type { RunAborts } from '../events/run-aborts.js';
import type { GraphRegistry } from '../graph-core/index.js';
import { createApp } from '../server/app.js';
import { checkExposure } from '../server/auth.js';
import { SegmentReader } from '../server/segment-reader.js';
import { TemporalRunControl } from '../server/temporal-run-control.js';
import { WorkflowLogReader } from '../server/workflow-log-reader.js';
import { loadGraphs } from './graphs.js';
import { listen } from './listen.js';
import type { Log } from './log.js';
import { OperatorError } from './operator-error.js';
import type { ServerOptions } from './options.js';
import { packageRoot } from './package-root.js';
import { commonOf, databaseConnections, type Common } from './common.js';
import { openServiceParts, type ServiceParts } from './service-parts.js';
import type { Settings } from './settings.js';
import { stepPolicyOf } from './step-policy.js';
import { openTemporal, type TemporalClient } from './temporal-access.js';
import { watchForStop } from './stop-request.js';

/** Where there is no bus, readers look at the log this often; a worker flushes twice a second (activities/flush-policy.ts). */
const pollMs = 250;

export interface StartServer {
  readonly settings: Settings;
  readonly log: Log;
  readonly parts: ServiceParts;
  readonly graphs: GraphRegistry;
  readonly temporal: TemporalClient;
  /** These where the worker shares the process. */
  readonly bus?: LiveBus;
  readonly aborts?: RunAborts;
  readonly starter?: Client;
}

export interface RunningServer {
  readonly url: string;
  /** Ends the streams, so that clients reconnect elsewhere, and then the listener. */
  stop(): Promise<void>;
}

/** Before anything is started: @throws OperatorError when the address would be open to others without a key. */
export function checkAddress({ host, apiKey, allowOpen }: Settings): void {
  const exposure = checkExposure(host, apiKey, allowOpen);
  if (exposure.kind === 'refused') throw new OperatorError(exposure.reason);
}

export async function startServer({
  settings,
  log,
  parts,
  graphs,
  temporal,
  bus,
  aborts,
  starter,
}: StartServer): Promise<RunningServer> {
  checkAddress(settings);
  await parts.assistants.upsertSystem(graphs.names);
  const closing = new AbortController();
  setMaxListeners(0, closing.signal); // One of each open stream.
  const { runs, threads, assistants, blobs, saver, store } = parts;
  const app = createApp({
    ...{ graphs, threads, runs, assistants, blobs, saver, store },
    ...(bus && { bus }),
    ...(settings.apiKey !== undefined && { apiKey: settings.apiKey }),
    log: new WorkflowLogReader({
      runs,
      segments: new SegmentReader(temporal.client, blobs),
      ...(settings.streamTtlSeconds !== undefined && { ttlMs: settings.streamTtlSeconds * 1_000 }),
    }),
    control: new TemporalRunControl({
      client: temporal.client,
      ...(starter && { starter }),
      runs,
      taskQueue: settings.taskQueue,
      policy: stepPolicyOf(settings),
      ...(aborts && { aborts }),
      report: (error, about) =>
        log.warn('A call to Temporal did not go through; the sweep will mend it', { ...about, error }),
    }),
    limits: {
      bodyBytes: settings.bodyLimitMb * 1024 * 1024,
      heartbeatMs: settings.streamHeartbeatSeconds * 1_000,
      pollMs,
    },
    closing: closing.signal,
    version: packageVersion(),
    reportFault: (error, about) => log.error('A request failed', { ...about, error }),
  });
  const listener = await listen(app, settings.host, settings.port);
  const stop = async () => {
    closing.abort();
    await listener.close();
  };
  return { url: listener.url, stop };
}

/** `superstep server`. */
export async function runServer(options: ServerOptions): Promise<void> {
  const stopRequest = watchForStop();
  const common = commonOf(options);
  const { settings, log } = common;
  checkAddress(settings);
  const parts = await openServiceParts(requireDatabase(common), databaseConnections.server, log);
  const graphs = await loadGraphs(settings, log);
  const temporal = await openTemporal(common.temporal, log);
  const server = await startServer({ settings, log, parts, graphs, temporal });
  log.info(`Superstep serves ${server.url}`, { graphs: graphs.names.join(', ') });
  await stopRequest.asked;
  log.info('Stopping: streams end, clients may reconnect elsewhere');
  await server.stop();
  await temporal.connection.close();
  await parts.close();
}

export function requireDatabase({ settings }: Common): string {
  if (settings.databaseUrl !== undefined) return settings.databaseUrl;
  throw new OperatorError(
    'DATABASE_URL is not set. Name the Postgres database of the service, or run `superstep dev`, which brings its own.',
  );
}

function packageVersion(): string {
  return (JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as { version: string }).version;
}
