/**
 * Where sealed containers lie: files under the data directory, or an S3 bucket. An interface and its two kinds; both
 * hold ciphertext only. Which mail a container belongs to is the database's knowledge.
 */
import type { Readable } from 'node:stream';

/** The store cannot be asked now; the same may be asked again. */
export class BlobStoreUnavailable extends Error {
  override readonly name = 'BlobStoreUnavailable';
}

/** The store takes nothing more at present. */
export class BlobStoreFull extends Error {
  override readonly name = 'BlobStoreFull';
}

/** The store has removed containers, or may have them, and does not let us see them or bring them back. */
export class BlobVersionsRefused extends Error {
  override readonly name = 'BlobVersionsRefused';
}

/** A range of bytes, both ends included, as in HTTP. */
export type ByteRange = { readonly start: number; readonly end: number };

/** How containers of a former store come to the present one. */
export type BlobMove = {
  /** Ids of what still lies in the former store. */
  readonly waiting: () => AsyncIterable<string>;
  /** Brings one over. Rejects, and leaves it where it was, when it does not arrive as it is. */
  readonly bring: (id: string) => Promise<void>;
  /** Lets go of the former store's, without bringing it over. */
  readonly drop: (id: string) => Promise<void>;
};

/** What a store keeps of containers that were removed. */
export type BlobVersions = {
  /** Whether it keeps what is removed from now on. Rejects when that cannot be said. */
  readonly areKept: () => Promise<boolean>;
  /**
   * Brings back one that was removed; false when nothing is left of it. Doing it twice is doing it once. Rejects with
   * BlobVersionsRefused, or BlobStoreUnavailable.
   */
  readonly bringBack: (id: string) => Promise<boolean>;
};

export type BlobStore = {
  /** Stores a stream under a new id; resolves with its size in bytes once it is safe on disk. Rejects and leaves nothing otherwise. */
  readonly put: (id: string, content: AsyncIterable<Uint8Array>) => Promise<number>;
  /** The bytes, or a range of them. Rejects when there is no such container. */
  readonly get: (id: string, range?: ByteRange) => Promise<Readable>;
  readonly remove: (id: string) => Promise<void>;
  /** Whether there is such a container. Rejects when that cannot be said. */
  readonly has: (id: string) => Promise<boolean>;
  /** Rejects when the store cannot be reached. */
  readonly check: () => Promise<void>;
  /** Only while containers move here from another store (blob-move.ts). */
  readonly move?: BlobMove;
  /** Only of a store that may keep what is removed: a bucket. */
  readonly versions?: BlobVersions;
};
