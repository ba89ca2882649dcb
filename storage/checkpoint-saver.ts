// Checkpoints in Postgres, in the tables of LangGraph's own saver, so that its tools can open a thread.
import type { RunnableConfig } from '@langchain/core/runnables';
import type { CheckpointMetadata, CheckpointPendingWrite, SerializerProtocol } from '@langchain/langgraph-checkpoint';
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import { randomInt } from 'node:crypto';
import type pg from 'pg';
import { original, searchable } from './json-text.js';

/** Decimals of a version. Two branches draw the same ones in one of 10^9 cases; up to 10^6 supersteps are exact. */
const BRANCH_DIGITS = 9;

interface StatementRunner {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
}

export class CheckpointSaver extends PostgresSaver {
  readonly #runner: StatementRunner;

  constructor(pool: pg.Pool, serde?: SerializerProtocol) {
    super(pool, serde);
    this.#runner = pool;
  }

  /** A saver whose statements are part of the transaction that is open on `connection`; it begins and ends none itself. */
  static within(connection: StatementRunner): CheckpointSaver {
    const query = (text: string, values?: unknown[]) =>
      /^(BEGIN|COMMIT|ROLLBACK)$/.test(text) ? Promise.resolve({ rows: [] }) : connection.query(text, values);
    // All that the saver asks of a pool.
    const pool = { query, connect: async () => ({ query, release: () => {} }) };
    return new CheckpointSaver(pool as unknown as pg.Pool);
  }

  /**
   * Versions are unique to their branch: a counter as everywhere, with random decimals. A channel's value is stored under
   * its version, and what is there is never overwritten: with plain counters a fork, or a run after a roll-back, would
   * find the value of the other branch. Numbers, so that other savers can count on from them, and we from theirs.
   */
  override getNextVersion(current: number | undefined): number {
    const branch = String(randomInt(1, 10 ** BRANCH_DIGITS)).padStart(BRANCH_DIGITS, '0');
    return Number(`${Math.floor(current ?? 0) + 1}.${branch}`);
  }

  /** The writes of the unfinished superstep after a checkpoint, without the checkpoint. */
  async pendingWrites(config: RunnableConfig): Promise<CheckpointPendingWrite[]> {
    const { thread_id, checkpoint_ns = '', checkpoint_id } = config.configurable ?? {};
    const { rows } = await this.#runner.query(
      `select task_id, channel, type, blob from checkpoint_writes
       where thread_id = $1 and checkpoint_ns = $2 and checkpoint_id = $3 order by task_id, idx`,
      [thread_id, checkpoint_ns, checkpoint_id],
    );
    const writes = rows as { task_id: string; channel: string; type: string; blob: Uint8Array }[];
    return Promise.all(
      writes.map(async ({ task_id, channel, type, blob }): Promise<CheckpointPendingWrite> => {
        return [task_id, channel, (await this.serde.loadsTyped(type, blob)) as unknown];
      }),
    );
  }

  // Metadata is searched and therefore `jsonb`, which does not take every string: see json-text.ts.
  protected override async _dumpMetadata(metadata: CheckpointMetadata): Promise<unknown> {
    const [, bytes] = await this.serde.dumpsTyped(metadata);
    return searchable(JSON.parse(new TextDecoder().decode(bytes)));
  }

  protected override _loadMetadata(metadata: Record<string, unknown>): Promise<unknown> {
    return super._loadMetadata(original(metadata) as Record<string, unknown>);
  }

  protected override _searchWhere(
    config?: RunnableConfig,
    filter?: Record<string, unknown>,
    before?: RunnableConfig,
  ): [string, unknown[]] {
    return super._searchWhere(config, filter && (searchable(filter) as Record<string, unknown>), before);
  }
}

/** A saver whose statements are part of the transaction that is open on `client`. */
export function txSaver(client: pg.ClientBase): CheckpointSaver {
  return CheckpointSaver.within({ query: (text, values) => client.query(text, values) });
}
