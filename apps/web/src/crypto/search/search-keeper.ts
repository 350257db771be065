// Holds the mailbox index in the search worker: loads it, adds segments, merges segments in small
// steps so that queries can run in between, and stores every segment sealed on the device. One tab
// writes; the others read its files.
import type { SearchBox } from '@keyfold/crypto/search-index';
import {
  createIndex,
  type MailIndex,
  mergeSegments,
  openSegment,
  release,
  UID_BYTES,
} from '@keyfold/search/index';
import { openSearchFiles, type SearchFiles } from './search-files.ts';

/** Maximum time the worker spends on a merge before it checks for queries, in ms. */
const SLICE_MS = 10;

export type SearchKeeper = {
  readonly index: MailIndex;
  readonly files: SearchFiles;
  /** Loads segments that were added on the device, and drops those that were removed. */
  readonly load: (isWriter: boolean) => Promise<void>;
  readonly addSegment: (bytes: Uint8Array) => Promise<void>;
  /** Merges these segments into one, without the removed messages. */
  readonly merge: (uids: readonly string[]) => Promise<void>;
  /** Merges while there are many segments of the same size. */
  readonly tidy: () => Promise<void>;
  /** Returns the bytes of a held segment. */
  readonly bytesOf: (uid: string) => Uint8Array | null;
};

const newUid = (): Uint8Array => crypto.getRandomValues(new Uint8Array(UID_BYTES));
const pause = (): Promise<void> => new Promise(resolve => setTimeout(resolve));

/**
 * Creates the keeper. `onChange` is called when search results or the files on the device have
 * changed.
 */
export async function createSearchKeeper(box: SearchBox, onChange: () => void): Promise<SearchKeeper> {
  const files = await openSearchFiles(box);
  const index = createIndex();
  const held = new Map<string, { readonly bytes: Uint8Array; readonly name: string | null }>();

  const take = (bytes: Uint8Array, name: string | null): void => {
    const { uid } = index.add(bytes);
    if (!held.has(uid)) held.set(uid, { bytes, name });
  };
  const merge = async (uids: readonly string[]): Promise<void> => {
    const parts = uids.map(uid => index.living(uid)).filter(part => part !== null);
    if (parts.length === 0) return;
    const sources = new Set(parts.flatMap(({ segment }) => [segment.uid, ...segment.sources]));
    const work = mergeSegments(parts, newUid(), [...sources]);
    let until = performance.now() + SLICE_MS;
    let step = work.next();
    while (!step.done) {
      if (performance.now() > until) {
        await pause();
        until = performance.now() + SLICE_MS;
      }
      step = work.next();
    }
    // Saves the new segment first; a tab killed in between leaves both, and each message counts
    // once.
    const name = await files.save(step.value);
    index.replace(step.value, uids);
    const olds = uids.flatMap(uid => held.get(uid)?.name ?? []);
    for (const uid of uids) {
      const old = held.get(uid);
      held.delete(uid);
      if (old !== undefined) release(old.bytes);
    }
    held.set(openSegment(step.value).uid, { bytes: step.value, name });
    for (const old of olds) await files.remove(old);
    onChange();
  };
  return {
    index,
    files,
    merge,
    bytesOf: uid => held.get(uid)?.bytes ?? null,
    load: async isWriter => {
      const known = new Set([...held.values()].flatMap(({ name }) => name ?? []));
      for (const { name, bytes } of await files.load(isWriter, known)) {
        try {
          take(bytes, name);
        } catch {
          if (isWriter) await files.remove(name);
        }
      }
      if (!isWriter) {
        const names = await files.names();
        for (const [uid, { name }] of held) {
          if (name === null || names.has(name)) continue;
          index.drop(uid);
          held.delete(uid);
        }
      }
      onChange();
    },
    addSegment: async bytes => {
      take(bytes, await files.save(bytes));
      onChange();
    },
    tidy: async () => {
      for (let uids = index.planMerge(); uids.length > 0; uids = index.planMerge()) await merge(uids);
    },
  };
}
