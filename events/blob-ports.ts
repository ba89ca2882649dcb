// What the event log asks of a store for large data. Content-addressed: the same content has the same id.

export type PutBlob = (content: string | Uint8Array) => Promise<string>;

/** @throws when there is no such blob. */
export type GetBlob = (blobId: string) => Promise<Uint8Array>;
