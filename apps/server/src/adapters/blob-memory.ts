/** In-memory blob store for tests: behaves like the real stores without disk or network. */
import { Readable } from 'node:stream';
import { blobPath } from './blob-id.ts';
import type { BlobStore } from './blobs.ts';

export type MemoryBlobs = BlobStore & {
  /** Ids of all stored blobs. */
  readonly ids: () => string[];
};

export function createMemoryBlobs(): MemoryBlobs {
  const stored = new Map<string, Buffer>();
  return {
    put: async (id, content) => {
      blobPath(id);
      const pieces: Uint8Array[] = [];
      for await (const piece of content) pieces.push(piece);
      const bytes = Buffer.concat(pieces);
      stored.set(id, bytes);
      return bytes.length;
    },
    get: async (id, range) => {
      const bytes = stored.get(id);
      if (bytes === undefined) throw new Error('Container not found');
      return Readable.from([range === undefined ? bytes : bytes.subarray(range.start, range.end + 1)], {
        objectMode: false,
      });
    },
    remove: async id => {
      blobPath(id);
      stored.delete(id);
    },
    has: async id => {
      blobPath(id);
      return stored.has(id);
    },
    check: async () => undefined,
    ids: () => [...stored.keys()],
  };
}
