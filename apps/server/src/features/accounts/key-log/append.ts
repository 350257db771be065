/**
 * Updates the key log: every noted name whose keys changed gets a new version, and all of them
 * together form one new state. One machine at a time does this.
 */
import type { MainKey } from '@keyfold/contract';
import {
  addressTag,
  entryHash,
  keysHash,
  NO_ENTRY,
  NO_KEYS,
  stateHash,
} from '@keyfold/crypto/key-log/hashes';
import type { Deps } from '../../../context/deps.ts';
import type { Trx } from '../../../db/pool.ts';
import { mainKeysOf } from '../users/index.ts';
import { type MapNodes, mapRootOf, prefixesOf, putEntry } from './map.ts';
import {
  findEntries,
  findHead,
  findMapNodes,
  findNotes,
  findTreeNodes,
  insertHead,
  insertTreeNodes,
  lockLog,
  removeNotes,
  saveMapNodes,
  upsertEntry,
} from './store.ts';
import { hexOf } from './texts.ts';
import { appendLeaf, hashOf, knownTree, neededToAppend } from './tree.ts';

const NOTES_AT_ONCE = 500;

const currentKeys = (mainKey: MainKey | undefined): Promise<Uint8Array> | Uint8Array =>
  mainKey === undefined
    ? NO_KEYS
    : keysHash({
        dh_public: Buffer.from(mainKey.dh_public_key, 'base64'),
        mlkem_public: Buffer.from(mainKey.mlkem_public_key, 'base64'),
      });

/**
 * Returns the next versions of names whose keys differ from the log. A name that never had keys
 * gets no entry.
 */
async function nextVersions(trx: Trx, names: readonly string[]) {
  const owners = await mainKeysOf(trx, names);
  const wanted = await Promise.all(
    names.map(async name => ({ tag: await addressTag(name), keys: await currentKeys(owners.get(name)) })),
  );
  const rows = await findEntries(
    trx,
    wanted.map(({ tag }) => tag),
  );
  const known = new Map(rows.map(row => [hexOf(row.tag), row]));
  const next = [];
  for (const { tag, keys } of wanted) {
    const before = known.get(hexOf(tag));
    if (Buffer.compare(before?.keys ?? NO_KEYS, keys) === 0) continue;
    const version = (before?.version ?? 0) + 1;
    const previous = before?.entry ?? NO_ENTRY;
    next.push({ tag, keys, version, previous, entry: await entryHash(previous, version, keys) });
  }
  return next;
}

async function appendState(trx: Trx, size: number, mapRoot: Uint8Array, depth: number, now: Date) {
  const timeS = Math.floor(now.getTime() / 1000);
  const known = knownTree(size === 0 ? [] : await findTreeNodes(trx, neededToAppend(size)));
  const made = await appendLeaf(size, await stateHash(mapRoot, timeS), known);
  for (const [key, hash] of knownTree(made)) known.set(key, hash);
  await insertTreeNodes(trx, made);
  const root = await hashOf({ start: 0, end: size + 1 }, known);
  await insertHead(trx, {
    size: size + 1,
    root: Buffer.from(root),
    map_root: Buffer.from(mapRoot),
    depth,
    made_at: new Date(timeS * 1000),
  });
}

async function appendSome(trx: Trx, now: Date): Promise<number> {
  await lockLog(trx);
  const notes = await findNotes(trx, NOTES_AT_ONCE);
  if (notes.length === 0) return 0;
  const next = await nextVersions(trx, [...new Set(notes.map(({ name }) => name))]);
  if (next.length > 0) {
    const head = await findHead(trx);
    let depth = head?.depth ?? 0;
    const prefixes = new Set(next.flatMap(({ tag }) => prefixesOf(tag, depth)));
    const nodes: MapNodes = await findMapNodes(trx, [...prefixes]);
    const changed = new Set<string>();
    for (const { tag, keys, version, previous, entry } of next) {
      depth = Math.max(depth, await putEntry(nodes, changed, { tag, entry }));
      await upsertEntry(trx, {
        tag: Buffer.from(tag),
        version,
        previous: Buffer.from(previous),
        entry: Buffer.from(entry),
        keys: Buffer.from(keys),
        changed_at: now,
      });
    }
    await saveMapNodes(
      trx,
      [...nodes].filter(([prefix]) => changed.has(prefix)),
    );
    await appendState(trx, head?.size ?? 0, await mapRootOf(nodes), depth, now);
  }
  await removeNotes(
    trx,
    notes.map(({ id }) => id),
  );
  return notes.length;
}

/** Processes all pending notes and returns their number. */
export async function bringUpToDate({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  let total = 0;
  for (;;) {
    if ((await findNotes(db, 1)).length === 0) return total;
    const some = await db.transaction().execute(trx => appendSome(trx, clock.now()));
    if (some === 0) return total;
    total += some;
  }
}
