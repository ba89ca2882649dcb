import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import * as activities from './activities.js';
import type { sequence } from './workflows.js';

/** A worker and a client on the service's Temporal server, with the worker options of the service. */
export class BareEngine {
  readonly #taskQueue = 'bench-bare';
  private constructor(
    readonly client: Client,
    private readonly connections: readonly { close(): Promise<void> }[],
    private readonly worker: Worker,
    private readonly running: Promise<void>,
  ) {}

  static async start(address: string): Promise<BareEngine> {
    Runtime.install({ logger: new DefaultLogger('WARN'), shutdownSignals: [] });
    const native = await NativeConnection.connect({ address });
    const connection = await Connection.connect({ address });
    const workflowsPath = join(import.meta.dirname, 'workflows.ts');
    const worker = await Worker.create({
      connection: native,
      taskQueue: 'bench-bare',
      workflowBundle: await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('WARN') }),
      activities,
      stickyQueueScheduleToStartTimeout: '1s',
    });
    return new BareEngine(new Client({ connection }), [connection, native], worker, worker.run());
  }

  sequence(steps: number, payloadBytes = 0): Promise<number> {
    return this.client.workflow.execute<typeof sequence>('sequence', {
      workflowId: `bare-${randomUUID()}`,
      taskQueue: this.#taskQueue,
      args: [steps, 'x'.repeat(payloadBytes)],
    });
  }

  async stop(): Promise<void> {
    this.worker.shutdown();
    await this.running;
    for (const connection of this.connections) await connection.close();
  }
}
