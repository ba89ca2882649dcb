// Large data of event logs: content-addressed, owned by the runs that refer to it, gone with the last of them.
import { createHash } from 'node:crypto';
import { firstRow, rows, type Database } from './database.js';

/** SHA-256 of the bytes, in hex. */
export function blobIdOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export class Blobs {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Returns the blob's id. Putting the same bytes again does nothing. */
  async put(runId: string, bytes: Uint8Array): Promise<string> {
    const [blobId] = await this.putMany(runId, [bytes]);
    return blobId as string;
  }

  /** All or none; ids in the order given. To be called before whatever refers to them is committed. */
  async putMany(runId: string, many: readonly Uint8Array[]): Promise<string[]> {
    const ids = many.map(blobIdOf);
    if (many.length === 0) return ids;
    const values = many.map((bytes, at) => ({
      blob_id: ids[at] as string,
      run_id: runId,
      bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    }));
    await rows(
      this.#db.pool,
      this.#db.query
        .insertInto('blobs')
        .values(values)
        .onConflict((conflict) => conflict.doNothing()),
    );
    return ids;
  }

  async get(blobId: string): Promise<Uint8Array | null> {
    const row = await firstRow(
      this.#db.pool,
      this.#db.query.selectFrom('blobs').select('bytes').where('blob_id', '=', blobId).limit(1),
    );
    return row?.bytes ?? null;
  }
}
