/**
 * Where sealed containers lie: files under the data directory, or an S3 bucket. An interface and its two kinds; both
 * hold ciphertext only. Which mail a container belongs to is the database's knowledge.
 */
import type { Readable } from 'node:stream';

/** A range of bytes, both ends included, as in HTTP. */
export type ByteRange = { readonly start: number; readonly end: number };

export type BlobStore = {
  /** Stores a stream under a new id; resolves with its size in bytes once it is safe on disk. Rejects and leaves nothing otherwise. */
  readonly put: (id: string, content: AsyncIterable<Uint8Array>) => Promise<number>;
  /** The bytes, or a range of them. Rejects when there is no such container. */
  readonly get: (id: string, range?: ByteRange) => Promise<Readable>;
  readonly remove: (id: string) => Promise<void>;
  /** Rejects when the store cannot be reached. */
  readonly check: () => Promise<void>;
};
