/**
 * Combines two stores while blobs move from the former to the present one. New blobs go to the
 * present store, blobs that are not there yet are read from the former one, and removals apply to
 * both. A move copies the blob, reads it back, compares it, and deletes it from the former store.
 * The caller decides which blobs to move.
 */
import { createHash } from 'node:crypto';
import type { BlobStore } from './blobs.ts';

export type FormerStore = BlobStore & {
  /** Ids of all stored blobs. */
  readonly list: () => AsyncIterable<string>;
};

async function hashOf(store: BlobStore, id: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of await store.get(id)) hash.update(piece);
  return hash.digest('hex');
}

/** Returns a store that combines both. */
export function createMovingBlobs(former: FormerStore, present: BlobStore): BlobStore {
  const bring = async (id: string): Promise<void> => {
    const wasThere = await present.has(id);
    if (!wasThere) await present.put(id, await former.get(id));
    if ((await hashOf(present, id)) !== (await hashOf(former, id))) {
      // A copy that was there before may be the only intact one.
      if (!wasThere) await present.remove(id);
      throw new Error('A copied container differs from its source');
    }
    await former.remove(id);
  };
  return {
    put: present.put,
    get: async (id, range) => {
      // Checked in this order, so that a blob moved in between is found in the present store.
      if (!(await former.has(id))) return present.get(id, range);
      try {
        return await former.get(id, range);
      } catch {
        return present.get(id, range);
      }
    },
    remove: async id => {
      await former.remove(id);
      await present.remove(id);
    },
    has: async id => (await former.has(id)) || present.has(id),
    check: async () => {
      await former.check();
      await present.check();
    },
    ...(present.versions === undefined ? {} : { versions: present.versions }),
    move: { waiting: former.list, bring, drop: former.remove },
  };
}
