// `superstep dev`, which `npm start` runs: Temporal and Postgres as children unless their addresses are given, server
// and worker in this process, sharing a live bus. Whatever was started is stopped in the reverse order, whatever fails.
import { join, resolve } from 'node:path';
import { MemoryBus } from '../events/memory-bus.js';
import { RunAborts } from '../events/run-aborts.js';
import { commonOf, databaseConnections, type Common } from './common.js';
import { openDataFolder, type DataFolder } from './data-folder.js';
import { loadGraphs } from './graphs.js';
import { OperatorError } from './operator-error.js';
import { packageRoot } from './package-root.js';
import type { DevOptions } from './options.js';
import { startPostgres } from './postgres-server.js';
import { checkAddress, startServer } from './server.js';
import { openServiceParts } from './service-parts.js';
import type { Settings, TemporalAccess } from './settings.js';
import { watchForStop } from './stop-request.js';
import { openTemporal } from './temporal-access.js';
import { raiseRetention } from './temporal-namespace.js';
import { temporalProgram } from './temporal-program.js';
import { startTemporal } from './temporal-server.js';
import { startWorker } from './worker.js';

/** Its first graph wants a question. */
const examples = join(packageRoot, 'examples', 'langgraph.json');

type Closing = () => Promise<unknown> | void;

export async function runDev(options: DevOptions): Promise<void> {
  const stopRequest = watchForStop();
  const common = commonOf(options);
  checkAddress(common.settings);
  const closings: Closing[] = [];
  try {
    const { ended } = await start(common, closings);
    await Promise.race([stopRequest.asked, ended]);
    common.log.info('Stopping');
  } finally {
    for (const close of closings.reverse()) {
      await Promise.resolve(close()).catch((error: unknown) => common.log.warn('Stopping did not go well', { error }));
    }
  }
  common.log.info('Stopped; what runs were doing is kept, and goes on with the next start');
}

interface Started {
  /** Rejects when a part ends by itself. */
  readonly ended: Promise<never>;
}

async function start(common: Common, closings: Closing[]): Promise<Started> {
  const { settings, log } = common;
  // First: a config that is not there is the likeliest mistake, and is told of before anything is started.
  const graphs = await loadGraphs(settings, log);
  const needsData = settings.databaseUrl === undefined || common.temporal.connectionOptions.address === undefined;
  const data = needsData ? openDataFolder(settings.dataDir) : undefined;
  if (data) closings.push(() => data.release());
  const ends: Promise<never>[] = [];

  const [databaseUrl, server] = await both(
    settings.databaseUrl ?? ownPostgres(data, common, closings, ends),
    common.temporal.connectionOptions.address === undefined ? ownTemporal(data, common, closings, ends) : undefined,
  );
  const access: TemporalAccess = server
    ? { ...common.temporal, connectionOptions: { ...common.temporal.connectionOptions, address: server.address } }
    : common.temporal;
  const parts = await openServiceParts(databaseUrl, databaseConnections.both, log);
  closings.push(() => parts.close());
  const temporal = await openTemporal(access, log);
  closings.push(() => temporal.connection.close());
  if (server) await raiseRetention(temporal.connection, temporal.namespace, settings.retentionDays);

  const shared = { settings, log, parts, graphs, temporal, bus: new MemoryBus(), aborts: new RunAborts() };
  const worker = await startWorker({ ...shared, access });
  closings.push(() => worker.stop());
  const http = await startServer({ ...shared, starter: worker.starter });
  closings.push(() => http.stop());
  ends.push(watched(worker.ended.then(() => new Promise<never>(() => {}))));
  greet(http.url, server?.uiUrl, graphs.names, settings);
  return { ended: Promise.race(ends) };
}

async function ownPostgres(
  data: DataFolder | undefined,
  { log }: Common,
  closings: Closing[],
  ends: Promise<never>[],
): Promise<string> {
  if (data === undefined) throw new Error('Unreachable: an own Postgres has a data folder.');
  log.info('Starting Postgres');
  const postgres = await startPostgres({ data, log });
  closings.push(() => postgres.stop());
  ends.push(watched(endOf('Postgres', postgres.exited)));
  return postgres.url;
}

async function ownTemporal(
  data: DataFolder | undefined,
  { log, settings }: Common,
  closings: Closing[],
  ends: Promise<never>[],
) {
  if (data === undefined) throw new Error('Unreachable: an own Temporal has a data folder.');
  log.info('Starting Temporal');
  const temporal = await startTemporal({ data, log, program: await temporalProgram(settings.temporalProgram) });
  closings.push(() => temporal.stop());
  ends.push(watched(endOf('Temporal', temporal.exited)));
  return temporal;
}

/** Waits for the one also when the other fails: what has been started by then is known, and is stopped. */
async function both<A, B>(a: A | Promise<A>, b: B | Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([a, b]);
  return Promise.all([a, b]);
}

/** Nobody may be waiting yet, or any more, when it rejects: what went wrong before it is what is reported. */
function watched(end: Promise<never>): Promise<never> {
  end.catch(() => {});
  return end;
}

async function endOf(name: string, exited: Promise<{ readonly lastLines: string }>): Promise<never> {
  const { lastLines } = await exited;
  throw new OperatorError(`${name} ended by itself. Its last lines:\n${lastLines}`);
}

/** For a person: where things are, and one command to try. */
function greet(
  url: string,
  temporalUi: string | undefined,
  graphs: readonly string[],
  { configFile, apiKey }: Pick<Settings, 'configFile' | 'apiKey'>,
): void {
  const key = apiKey === undefined ? '' : ' -H "x-api-key: $SUPERSTEP_API_KEY"';
  const graph = graphs[0] ?? '<graph>';
  const input = resolve(configFile) === examples ? '{"question": "How do lighthouses help at night?"}' : '{}';
  const lines = [
    '',
    `  Superstep    ${url}`,
    ...(temporalUi === undefined ? [] : [`  Temporal UI  ${temporalUi}`]),
    `  Graphs       ${graphs.length > 0 ? graphs.join(', ') : 'none loaded'}`,
    '',
    '  Try:',
    `  curl -N ${url}/runs/stream${key} -H 'content-type: application/json' -d '{"assistant_id": "${graph}", "input": ${input}}'`,
    '',
    '  Ctrl-C stops everything; the next start finds it all again.',
    '',
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}
