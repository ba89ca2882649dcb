// Large data of event logs: content-addressed, owned by a run, gone with it.
import type { Database } from './database.js';

export interface NewBlob {
  readonly blobId: string;
  readonly bytes: Uint8Array;
}

/** SHA-256 of the bytes, in hex. */
export function blobIdOf(bytes: Uint8Array): string {
  void bytes;
  throw new Error('not built');
}

export class Blobs {
  constructor(db: Database) {
    void db;
  }
  /** Returns the blob's id. Putting the same bytes again does nothing. */
  async put(runId: string, bytes: Uint8Array): Promise<string> {
    void [runId, bytes];
    throw new Error('not built');
  }
  async get(blobId: string): Promise<Uint8Array | null> {
    void blobId;
    throw new Error('not built');
  }
}
