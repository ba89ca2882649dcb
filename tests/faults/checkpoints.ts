// What Postgres holds of a thread, read beside the service.
import { expect } from '@jest/globals';
import pg from 'pg';

interface CheckpointRow {
  readonly checkpoint_ns: string;
  readonly checkpoint_id: string;
  readonly parent_checkpoint_id: string | null;
  readonly run_id: string;
  readonly step: number;
}

/**
 * In each namespace one checkpoint for each superstep, each the child of the one before. @returns those of the root
 */
export async function checkCheckpoints(databaseUrl: string, thread: string): Promise<readonly CheckpointRow[]> {
  const rows = await checkpointsOf(databaseUrl, thread);
  const namespaces = [...new Set(rows.map(({ checkpoint_ns }) => checkpoint_ns))];
  for (const namespace of namespaces) {
    const chain = rows.filter(({ checkpoint_ns }) => checkpoint_ns === namespace);
    expect(chain.map(({ step }) => step)).toEqual(chain.map((_row, index) => index - 1));
    const parents = chain.map(({ parent_checkpoint_id }) => parent_checkpoint_id);
    expect(parents).toEqual([null, ...chain.slice(0, -1).map(({ checkpoint_id }) => checkpoint_id)]);
  }
  return rows.filter(({ checkpoint_ns }) => checkpoint_ns === '');
}

async function checkpointsOf(databaseUrl: string, thread: string): Promise<CheckpointRow[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<CheckpointRow>(
      `select checkpoint_ns, checkpoint_id, parent_checkpoint_id,
              metadata->>'run_id' as run_id, (metadata->>'step')::int as step
       from checkpoints where thread_id = $1 order by checkpoint_ns, checkpoint_id`,
      [thread],
    );
    return rows;
  } finally {
    await client.end();
  }
}
