// The graphs' store in Postgres: what InMemoryStore answers, shared by all workers and kept. It has no embeddings:
// `query` ranks nothing, as in an InMemoryStore without an index, and `index` is ignored.
//   I1. A batch reads before it writes; of several puts of one item the last counts; all its puts are one transaction.
import {
  BaseStore,
  type GetOperation,
  type Item,
  type ListNamespacesOperation,
  type MatchCondition,
  type Operation,
  type OperationResults,
  type PutOperation,
  type SearchItem,
  type SearchOperation,
} from '@langchain/langgraph-checkpoint';
import { sql, type RawBuilder, type Selectable } from 'kysely';
import { firstRow, rows, type Database } from './database.js';
import { jsonText, searchColumn } from './json-text.js';
import type { JsonObject } from './records.js';
import type { Schema } from './schema.js';
import { now } from './statements.js';
import { filterCondition } from './store-filter.js';
import { inTransaction } from './transaction.js';

/** Of a search without a limit, as in every store. */
const DEFAULT_LIMIT = 10;

/** An item that Postgres cannot hold. */
class InvalidStoreItem extends Error {
  override readonly name = 'InvalidStoreItem';
}

export class Store extends BaseStore {
  readonly #db: Database;

  constructor(db: Database) {
    super();
    this.#db = db;
  }

  async batch<Ops extends Operation[]>(operations: Ops): Promise<OperationResults<Ops>> {
    const puts = new Map<string, PutOperation>();
    for (const operation of operations) {
      if (isPut(operation)) puts.set(JSON.stringify([operation.namespace, operation.key]), checked(operation));
    }
    const answers = await Promise.all(operations.map((operation) => this.#read(operation)));
    if (puts.size > 0) await this.#write(inOrder(puts));
    return answers as OperationResults<Ops>;
  }

  async #read(operation: Operation): Promise<Item | null | SearchItem[] | string[][] | undefined> {
    if (isPut(operation)) return undefined;
    if ('namespacePrefix' in operation) return this.#search(operation);
    return 'key' in operation ? this.#get(operation) : this.#listNamespaces(operation);
  }

  async #get({ namespace, key }: GetOperation): Promise<Item | null> {
    const statement = this.#items().where(placed(namespace, key));
    const row = await firstRow(this.#db.pool, statement);
    return row ? toItem(row) : null;
  }

  async #search({ namespacePrefix, filter = {}, limit, offset }: SearchOperation): Promise<SearchItem[]> {
    let statement = this.#items().orderBy('position');
    if (namespacePrefix.length > 0) statement = statement.where(labelsAt('prefix', namespacePrefix));
    for (const [field, wanted] of Object.entries(filter)) statement = statement.where(filterCondition(field, wanted));
    const found = await rows(this.#db.pool, statement.limit(limit ?? DEFAULT_LIMIT).offset(offset ?? 0));
    return found.map((row) => ({ ...toItem(row), score: undefined }));
  }

  async #listNamespaces(operation: ListNamespacesOperation): Promise<string[][]> {
    const { matchConditions = [], maxDepth, limit, offset } = operation;
    const shown = maxDepth === undefined ? sql<string[]>`namespace` : sql<string[]>`namespace[1:${maxDepth}::integer]`;
    let statement = this.#db.query.selectFrom('store_items').select(shown.as('namespace')).distinct();
    for (const { matchType, path } of matchConditions) statement = statement.where(labelsAt(matchType, path));
    statement = statement.orderBy('namespace').limit(limit).offset(offset);
    return (await rows(this.#db.pool, statement)).map(({ namespace }) => namespace);
  }

  #items() {
    return this.#db.query.selectFrom('store_items').select(['namespace', 'key', 'value', 'created_at', 'updated_at']);
  }

  async #write(puts: readonly PutOperation[]): Promise<void> {
    const { query } = this.#db;
    await inTransaction(this.#db, async (tx) => {
      for (const { namespace, key, value } of puts) {
        if (value === null) {
          tx.send(query.deleteFrom('store_items').where(placed(namespace, key)));
          continue;
        }
        const written = { value: jsonText(value), value_search: searchColumn(value), updated_at: now };
        tx.send(
          query
            .insertInto('store_items')
            .values({ namespace, key, ...written })
            .onConflict((conflict) => conflict.columns(['namespace', 'key']).doUpdateSet(written)),
        );
      }
    });
  }
}

type ItemRow = Pick<Selectable<Schema['store_items']>, 'namespace' | 'key' | 'value' | 'created_at' | 'updated_at'>;

const toItem = (row: ItemRow): Item => ({
  namespace: row.namespace,
  key: row.key,
  value: row.value,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

const isPut = (operation: Operation): operation is PutOperation => 'value' in operation;

/** The same order in every batch, so that two of them never wait for each other. */
const inOrder = (puts: ReadonlyMap<string, PutOperation>): readonly PutOperation[] =>
  [...puts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, operation]) => operation);

/** @throws InvalidStoreItem */
function checked(operation: PutOperation): PutOperation {
  const { namespace, key, value } = operation;
  const place = `The store item ${JSON.stringify(key)} of ${JSON.stringify(namespace)}`;
  if ([...namespace, key].some((text) => text.includes('\0'))) {
    throw new InvalidStoreItem(`${place} cannot be stored: keys and namespaces must not contain NUL (U+0000).`);
  }
  if (value === null) return operation;
  try {
    if (isRecord(JSON.parse(jsonText(value)))) return operation;
  } catch (error) {
    throw new InvalidStoreItem(`${place} cannot be stored: its value has no JSON form (${(error as Error).message}).`);
  }
  throw new InvalidStoreItem(`${place} cannot be stored: its value must be an object with string keys.`);
}

const isRecord = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const placed = (namespace: readonly string[], key: string): RawBuilder<boolean> =>
  sql`namespace = ${namespace}::text[] and key = ${key}`;

/** The namespace begins or ends with these labels; `*` is any one label. */
function labelsAt(matchType: MatchCondition['matchType'], labels: readonly string[]): RawBuilder<boolean> {
  const first = matchType === 'prefix' ? sql`0` : sql`cardinality(namespace) - ${labels.length}::integer`;
  const conditions = labels.flatMap((label, index) =>
    label === '*' ? [] : [sql`namespace[${first} + ${index + 1}::integer] = ${label}`],
  );
  return sql`(${sql.join([sql`cardinality(namespace) >= ${labels.length}::integer`, ...conditions], sql` and `)})`;
}
