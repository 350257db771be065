/**
 * Where the files lie that the server reads for their owners, from the first byte of their upload until their import ends: a
 * folder of this machine, or an S3 bucket that every machine sees. An interface and its two kinds; both hold ciphertext only.
 * What opens a file, and whether an import still needs it, is the database's knowledge.
 */
import type { FileHandle } from 'node:fs/promises';

/** A file as it was stored. */
export type StoredFile = {
  readonly sizeBytes: number;
  /** SHA-256 of what lies outside of this machine, by which it is known again; empty for what does not. */
  readonly digest: Uint8Array;
};

export type ImportFiles = {
  /** Rejects with BlobStoreFull where nothing more may be brought. */
  readonly requireRoom: () => Promise<void>;
  /** Stores a stream under an import's id; resolves once all is safe. When it rejects, `remove` takes what was stored by then. */
  readonly put: (id: string, content: AsyncIterable<Uint8Array>) => Promise<StoredFile>;
  /**
   * Opens a file of this machine with the bytes, to be read at any place and closed by whoever asked; null when they are not
   * there, or not as they were stored. While they are brought here `goOn` is asked again and again: what it throws ends that.
   * Rejects with BlobStoreUnavailable, and BlobStoreFull when this machine has no room for them.
   */
  readonly open: (id: string, stored: StoredFile, goOn: () => Promise<void>) => Promise<FileHandle | null>;
  /** Removes a file, or what there is of it; one that is gone is no failure. */
  readonly remove: (id: string) => Promise<void>;
  /** Ids of the files that lie here and have not been written to for so long. */
  readonly listQuiet: (quietMs: number) => Promise<string[]>;
};
