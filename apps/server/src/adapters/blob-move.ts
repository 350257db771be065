/**
 * Two stores as one, while containers move from the former to the present one: new ones go to the present one, those that
 * are not there yet are read from the former, and what is removed is removed from both. Moving one copies it, reads it
 * back, compares, and lets the former one's go. Which are to be moved is the caller's knowledge.
 */
import { createHash } from 'node:crypto';
import type { BlobStore } from './blobs.ts';

export type FormerStore = BlobStore & {
  /** Ids of all that is stored. */
  readonly list: () => AsyncIterable<string>;
};

async function hashOf(store: BlobStore, id: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of await store.get(id)) hash.update(piece);
  return hash.digest('hex');
}

/** A store over both. */
export function createMovingBlobs(former: FormerStore, present: BlobStore): BlobStore {
  const bring = async (id: string): Promise<void> => {
    const wasThere = await present.has(id);
    if (!wasThere) await present.put(id, await former.get(id));
    if ((await hashOf(present, id)) !== (await hashOf(former, id))) {
      // One that was there before may be the only good one.
      if (!wasThere) await present.remove(id);
      throw new Error('A container did not arrive as it was');
    }
    await former.remove(id);
  };
  return {
    put: present.put,
    get: async (id, range) => {
      // Asked in this order: one that is moved in between is found in the present store.
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
