/**
 * The interface of the store for files that the server imports for users, from the first uploaded
 * byte until the import ends. Implemented by a local folder and by an S3 bucket that every machine
 * sees. Both hold ciphertext only. The database holds the keys and knows whether an import still
 * needs a file.
 */
import type { FileHandle } from 'node:fs/promises';

/** Metadata of a stored file. */
export type StoredFile = {
  readonly sizeBytes: number;
  /** SHA-256 of a file stored outside this machine, used to verify it; empty for local files. */
  readonly digest: Uint8Array;
};

export type ImportFiles = {
  /** Rejects with BlobStoreFull when the store accepts no more data. */
  readonly requireRoom: () => Promise<void>;
  /**
   * Stores a stream under an import's id; resolves once all of it is safe. After a rejection,
   * `remove` deletes what was stored so far.
   */
  readonly put: (id: string, content: AsyncIterable<Uint8Array>) => Promise<StoredFile>;
  /**
   * Opens a local file with the bytes for random access, to be closed by the caller; null when the
   * bytes are missing or differ from those stored. During a download, `goOn` is called repeatedly,
   * and an error it throws ends the download. Rejects with BlobStoreUnavailable, and with
   * BlobStoreFull when this machine has too little space.
   */
  readonly open: (id: string, stored: StoredFile, goOn: () => Promise<void>) => Promise<FileHandle | null>;
  /** Removes a file, including a partial one; a missing file is not an error. */
  readonly remove: (id: string) => Promise<void>;
  /** Returns the ids of stored files that have not been written to for this long. */
  readonly listQuiet: (quietMs: number) => Promise<string[]>;
};
