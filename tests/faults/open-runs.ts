// What is known, on both sides, of runs that have not ended: for the message of a failed test.
import { Client, Connection } from '@temporalio/client';
import pg from 'pg';
import type { Service } from '../support/service.js';
import { threadWorkflowId } from '../../workflows/messages.js';

interface OpenRun {
  readonly run_id: string;
  readonly thread_id: string;
  readonly graph_id: string;
  readonly state: string;
  readonly committed_step: number | null;
  readonly attempts: unknown;
}

export async function describeOpenRuns(service: Service): Promise<string> {
  try {
    const runs = await openRuns(service.databaseUrl);
    const connection = await Connection.connect({ address: service.temporalAddress });
    try {
      const client = new Client({ connection });
      const lines = runs.map(async (run) => `  ${JSON.stringify(run)}\n    ${await describeExecution(client, run)}`);
      return `Runs that have not ended:\n${(await Promise.all(lines)).join('\n')}`;
    } finally {
      await connection.close();
    }
  } catch (error) {
    return `Runs that have not ended: not known, ${(error as Error).message}`;
  }
}

async function openRuns(databaseUrl: string): Promise<OpenRun[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<OpenRun>(
      `select run_id, thread_id, graph_id, state, committed_step, attempts
       from runs where state in ('pending', 'running') order by created_at`,
    );
    return rows;
  } finally {
    await client.end();
  }
}

async function describeExecution(client: Client, { thread_id }: OpenRun): Promise<string> {
  try {
    const { status, historyLength, raw } = await client.workflow.getHandle(threadWorkflowId(thread_id)).describe();
    const { pendingActivities, pendingWorkflowTask } = raw;
    return JSON.stringify({ status: status.name, historyLength, pendingActivities, pendingWorkflowTask });
  } catch (error) {
    return (error as Error).message;
  }
}
