// Checkpoints in Postgres, in the tables of LangGraph's own saver, so that its tools can open a thread.
import type { RunnableConfig } from '@langchain/core/runnables';
import {
  WRITES_IDX_MAP,
  type CheckpointMetadata,
  type CheckpointPendingWrite,
  type DeltaChannelHistory,
  type PendingWrite,
  type SerializerProtocol,
} from '@langchain/langgraph-checkpoint';
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import { randomInt } from 'node:crypto';
import type pg from 'pg';
import { INSERT_WRITE, SEED_OF_DELTA, UPSERT_WRITE, WRITES_OF_DELTA } from './checkpoint-statements.js';
import { original, searchable } from './json-text.js';

/** Decimals of a version. Two branches draw the same ones in one of 10^9 cases; up to 10^6 supersteps are exact. */
const BRANCH_DIGITS = 9;

interface StoredValue {
  readonly type: string;
  readonly blob: Uint8Array;
}
interface StoredWrite extends StoredValue {
  readonly task_id: string;
  readonly channel: string;
}

interface Addressed {
  readonly thread_id: string;
  readonly checkpoint_ns?: string;
  readonly checkpoint_id: string;
}

interface StatementRunner {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
}

export class CheckpointSaver extends PostgresSaver {
  readonly #runner: StatementRunner;
  readonly #pool: Pick<pg.Pool, 'connect'>;

  constructor(pool: pg.Pool, serde?: SerializerProtocol) {
    super(pool, serde);
    this.#runner = pool;
    this.#pool = pool;
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

  /** With the path of their task, so that they can be replayed in the order in which they were applied. */
  override async putWrites(
    { configurable }: RunnableConfig,
    writes: PendingWrite[],
    taskId: string,
    taskPath = '',
  ): Promise<void> {
    // Absent ids are refused by the database.
    const { thread_id, checkpoint_ns = '', checkpoint_id } = configurable as Addressed;
    const statement = writes.every(([channel]) => channel in WRITES_IDX_MAP) ? UPSERT_WRITE : INSERT_WRITE;
    const dumped = await this._dumpWrites(thread_id, checkpoint_ns, checkpoint_id, taskId, writes);
    await this.#together(dumped.map((write) => [statement, [...(write as unknown[]), taskPath]]));
  }

  /**
   * Two statements a channel, instead of one for each checkpoint since its last snapshot. What a channel's last stored
   * value is follows from its version, which names the value in `checkpoint_blobs`.
   */
  override async getDeltaChannelHistory({
    config,
    channels,
  }: {
    config: RunnableConfig;
    channels: string[];
  }): Promise<Record<string, DeltaChannelHistory>> {
    const checkpointId = await this.#idOf(config);
    const histories: Record<string, DeltaChannelHistory> = {};
    for (const channel of channels) {
      const { thread_id, checkpoint_ns = '' } = config.configurable ?? {};
      const given = [thread_id, checkpoint_ns, checkpointId, channel];
      const [seed, writes] = await Promise.all([
        this.#runner.query(SEED_OF_DELTA, given),
        this.#runner.query(WRITES_OF_DELTA, given),
      ]);
      const [stored] = seed.rows as StoredValue[];
      histories[channel] = {
        ...(stored && { seed: (await this.serde.loadsTyped(stored.type, stored.blob)) as unknown }),
        writes: await this.#loaded(writes.rows as StoredWrite[]),
      };
    }
    return histories;
  }

  /** The writes of the unfinished superstep after a checkpoint, without the checkpoint. */
  async pendingWrites(config: RunnableConfig): Promise<CheckpointPendingWrite[]> {
    const { thread_id, checkpoint_ns = '', checkpoint_id } = config.configurable ?? {};
    const { rows } = await this.#runner.query(
      `select task_id, channel, type, blob from checkpoint_writes
       where thread_id = $1 and checkpoint_ns = $2 and checkpoint_id = $3 order by task_path collate "C", task_id, idx`,
      [thread_id, checkpoint_ns, checkpoint_id],
    );
    return this.#loaded(rows as StoredWrite[]);
  }

  #loaded(writes: readonly StoredWrite[]): Promise<CheckpointPendingWrite[]> {
    return Promise.all(
      writes.map(async ({ task_id, channel, type, blob }): Promise<CheckpointPendingWrite> => {
        return [task_id, channel, (await this.serde.loadsTyped(type, blob)) as unknown];
      }),
    );
  }

  /** Of the checkpoint that a config names, or of the latest. */
  async #idOf({ configurable }: RunnableConfig): Promise<unknown> {
    const { thread_id, checkpoint_ns = '', checkpoint_id } = configurable ?? {};
    if (checkpoint_id) return checkpoint_id;
    const { rows } = await this.#runner.query(
      'select max(checkpoint_id) as id from checkpoints where thread_id = $1 and checkpoint_ns = $2',
      [thread_id, checkpoint_ns],
    );
    return (rows as { id: unknown }[])[0]?.id;
  }

  /** All or none of them. */
  async #together(statements: readonly (readonly [text: string, values: unknown[]])[]): Promise<void> {
    const client = await this.#pool.connect();
    try {
      await client.query('BEGIN');
      for (const [text, values] of statements) await client.query(text, values);
      await client.query('COMMIT');
    } catch (error) {
      await client.query('ROLLBACK');
      throw error;
    } finally {
      client.release();
    }
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
