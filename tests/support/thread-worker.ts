// The thread workflow on a worker of this process, with whatever activities a test gives it.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { Client, Connection } from '@temporalio/client';
import { packageRoot } from '../../processes/package-root.js';
import type { SweepActivities, ThreadActivities } from '../../workflows/messages.js';

const workflowsPath = join(packageRoot, 'workflows', 'index.ts');

const bundler = join(packageRoot, 'tests', 'support', 'bundle-workflows.mjs');
const MAX_BUNDLE_BYTES = 64 * 1024 * 1024;

let bundle: Promise<string> | undefined;
/** The bundle's code; made once in a process. */
export function workflowBundle(): Promise<string> {
  bundle ??= promisify(execFile)(process.execPath, [bundler, workflowsPath], {
    env: { PATH: process.env.PATH },
    maxBuffer: MAX_BUNDLE_BYTES,
  }).then(({ stdout }) => stdout);
  return bundle;
}

export interface TestWorker {
  readonly client: Client;
  readonly taskQueue: string;
  stop(): Promise<void>;
}

export async function startThreadWorker(
  address: string,
  activities: ThreadActivities & Partial<SweepActivities>,
  { taskQueue = 'superstep-test', shutdownGraceMs = 0 }: { taskQueue?: string; shutdownGraceMs?: number } = {},
): Promise<TestWorker> {
  installQuietRuntime();
  const connection = await NativeConnection.connect({ address });
  const worker = await Worker.create({
    connection,
    taskQueue,
    workflowBundle: { code: await workflowBundle() },
    activities: { ...activities },
    maxHeartbeatThrottleInterval: '1s',
    defaultHeartbeatThrottleInterval: '1s',
    shutdownGraceTime: shutdownGraceMs,
  });
  const ended = worker.run();
  const clientConnection = await Connection.connect({ address });
  return {
    client: new Client({ connection: clientConnection }),
    taskQueue,
    stop: async () => {
      if (worker.getState() === 'RUNNING') worker.shutdown();
      await ended;
      await Promise.all([connection.close(), clientConnection.close()]);
    },
  };
}

let installed = false;
/** Warnings of retried activities are what many tests are about. */
export function installQuietRuntime(): void {
  if (installed) return;
  installed = true;
  Runtime.install({ shutdownSignals: [], logger: new DefaultLogger('ERROR', () => {}) });
}
