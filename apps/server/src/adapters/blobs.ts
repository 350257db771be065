/**
 * The interface of the store for encrypted blobs, implemented by files under the data directory and
 * by an S3 bucket. Both hold ciphertext only. The database knows which message a blob belongs to.
 */
import type { Readable } from 'node:stream';

/** The store is temporarily unavailable; the request may be retried. */
export class BlobStoreUnavailable extends Error {
  override readonly name = 'BlobStoreUnavailable';
}

/** The store accepts no more data at present. */
export class BlobStoreFull extends Error {
  override readonly name = 'BlobStoreFull';
}

/** The store has removed blobs, or may have, and does not allow us to list or restore them. */
export class BlobVersionsRefused extends Error {
  override readonly name = 'BlobVersionsRefused';
}

/** A byte range, both ends inclusive, as in HTTP. */
export type ByteRange = { readonly start: number; readonly end: number };

/** Moves the blobs of a former store to the present one. */
export type BlobMove = {
  /** Ids of the blobs that are still in the former store. */
  readonly waiting: () => AsyncIterable<string>;
  /**
   * Moves one blob. Rejects, and leaves the blob in the former store, when the copy differs from
   * the original.
   */
  readonly bring: (id: string) => Promise<void>;
  /** Deletes a blob from the former store without moving it. */
  readonly drop: (id: string) => Promise<void>;
};

/** Versions that a store keeps of removed blobs. */
export type BlobVersions = {
  /** Returns whether the store keeps what is removed from now on. Rejects when that is unknown. */
  readonly areKept: () => Promise<boolean>;
  /**
   * Restores a removed blob; returns false when no version of it is left. Idempotent. Rejects with
   * BlobVersionsRefused or BlobStoreUnavailable.
   */
  readonly bringBack: (id: string) => Promise<boolean>;
};

export type BlobStore = {
  /**
   * Stores a stream under a new id and resolves with its size in bytes once it is durable on disk.
   * On failure it rejects and leaves nothing.
   */
  readonly put: (id: string, content: AsyncIterable<Uint8Array>) => Promise<number>;
  /** Returns the bytes, or a range of them. Rejects when there is no such blob. */
  readonly get: (id: string, range?: ByteRange) => Promise<Readable>;
  readonly remove: (id: string) => Promise<void>;
  /** Returns whether there is such a blob. Rejects when that is unknown. */
  readonly has: (id: string) => Promise<boolean>;
  /** Rejects when the store cannot be reached. */
  readonly check: () => Promise<void>;
  /** Present only while blobs move here from another store (blob-move.ts). */
  readonly move?: BlobMove;
  /** Present only for stores that may keep what is removed, that is, buckets. */
  readonly versions?: BlobVersions;
};
