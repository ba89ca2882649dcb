// Assistants: a graph with settings. Every graph of the config has one of its own, made by the system.
import { sql, type SelectQueryBuilder } from 'kysely';
import { createHash } from 'node:crypto';
import { firstRow, rows, type Database } from './database.js';
import { contains, jsonText } from './json-text.js';
import type { Assistant, JsonObject } from './records.js';
import { ASSISTANT_COLUMNS, toAssistant } from './rows.js';
import type { Schema } from './schema.js';
import { inTransaction } from './transaction.js';

export type { Assistant } from './records.js';

export interface AssistantFilter {
  readonly graphId?: string;
  /** Containment. */
  readonly metadata?: JsonObject;
  /** Part of the name, in any case. */
  readonly name?: string;
}
export interface AssistantSearch extends AssistantFilter {
  readonly limit: number;
  readonly offset: number;
  readonly sortBy: 'assistant_id' | 'graph_id' | 'name' | 'created_at' | 'updated_at';
  readonly sortOrder: 'asc' | 'desc';
}

/** The namespace that LangGraph's servers use, so that a graph has the same assistant everywhere. */
const SYSTEM_ASSISTANTS = Buffer.from('6ba7b8219dad11d180b400c04fd430c8', 'hex');

/** UUIDv5 of the graph's id. */
export function systemAssistantId(graphId: string): string {
  const bytes = createHash('sha1').update(SYSTEM_ASSISTANTS).update(graphId).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

export class Assistants {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** One assistant for each graph, with its first version; those that exist stay as they are. */
  async upsertSystem(graphIds: readonly string[]): Promise<void> {
    if (graphIds.length === 0) return;
    const assistants = graphIds.map((graphId) => ({
      assistant_id: systemAssistantId(graphId),
      graph_id: graphId,
      name: graphId,
      metadata: jsonText({ created_by: 'system' }),
    }));
    await inTransaction(this.#db, async (tx) => {
      const insert = this.#db.query.insertInto('assistants').values(assistants);
      tx.send(insert.onConflict((conflict) => conflict.doNothing()));
      const versions = assistants.map((assistant) => ({ ...assistant, version: 1 }));
      const insertVersions = this.#db.query.insertInto('assistant_versions').values(versions);
      tx.send(insertVersions.onConflict((conflict) => conflict.doNothing()));
    });
  }

  /** By assistant id, or the system assistant of a graph by the graph's id. */
  async get(assistantOrGraphId: string): Promise<Assistant | null> {
    const row = await firstRow(
      this.#db.pool,
      this.#db.query
        .selectFrom('assistants')
        .select(ASSISTANT_COLUMNS)
        .where('assistant_id', 'in', [assistantOrGraphId, systemAssistantId(assistantOrGraphId)])
        .orderBy(sql`assistant_id = ${assistantOrGraphId}`, 'desc')
        .limit(1),
    );
    return row ? toAssistant(row) : null;
  }

  async search({ limit, offset, sortBy, sortOrder, ...filter }: AssistantSearch): Promise<Assistant[]> {
    const found = await rows(
      this.#db.pool,
      matching(this.#db.query.selectFrom('assistants').select(ASSISTANT_COLUMNS), filter)
        .orderBy(sortBy, sortOrder)
        .orderBy('assistant_id', sortOrder)
        .limit(limit)
        .offset(offset),
    );
    return found.map(toAssistant);
  }

  async count(filter: AssistantFilter): Promise<number> {
    const counted = this.#db.query.selectFrom('assistants').select(sql<number>`count(*)::integer`.as('assistants'));
    return (await firstRow(this.#db.pool, matching(counted, filter)))?.assistants ?? 0;
  }
}

function matching<Row>(
  assistants: SelectQueryBuilder<Schema, 'assistants', Row>,
  { graphId, metadata, name }: AssistantFilter,
): SelectQueryBuilder<Schema, 'assistants', Row> {
  if (graphId !== undefined) assistants = assistants.where('graph_id', '=', graphId);
  if (metadata && Object.keys(metadata).length > 0) assistants = assistants.where(contains('metadata', metadata));
  if (name !== undefined) {
    assistants = assistants.where(sql<boolean>`strpos(lower(name), lower(${name})) > 0`);
  }
  return assistants;
}
