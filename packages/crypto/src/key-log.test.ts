// Proofs of the key log, checked against trees and maps built here directly from their definitions,
// without regard to speed.
import { ed25519 } from '@noble/curves/ed25519.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { concatBytes, encodeBase64 } from './bytes.ts';
import { CryptoError } from './errors.ts';
import {
  addressTag,
  bitOf,
  emptyHash,
  entryHash,
  headBytes,
  keysHash,
  mapLeafHash,
  NO_ENTRY,
  NO_KEYS,
  nodeHash,
  stateHash,
} from './key-log/hashes.ts';
import { checkMapProof } from './key-log/map-proof.ts';
import { checkConsistency, checkInclusion } from './key-log/tree-proof.ts';
import { checkHead, checkKeys, type KeyProof, type LogHead } from './key-log.ts';

const NONE = new Uint8Array(0);
const refused = (work: Promise<unknown>) =>
  expect(work).rejects.toMatchObject({ name: CryptoError.name, code: 'key_log_refused' });
function flipped(bytes: Uint8Array, at: number): Uint8Array {
  const copy = bytes.slice();
  copy[at % copy.length] = (copy[at % copy.length] as number) ^ (1 << (at & 7));
  return copy;
}

/** RFC 9162 §2.1.1 to §2.1.4, verbatim. */
const splitOf = (size: number): number => 2 ** Math.ceil(Math.log2(size) - 1);
async function rootOf(leaves: readonly Uint8Array[]): Promise<Uint8Array> {
  if (leaves.length === 1) return leaves[0] as Uint8Array;
  const k = splitOf(leaves.length);
  return nodeHash(await rootOf(leaves.slice(0, k)), await rootOf(leaves.slice(k)));
}
async function pathOf(index: number, leaves: readonly Uint8Array[]): Promise<Uint8Array[]> {
  if (leaves.length === 1) return [];
  const k = splitOf(leaves.length);
  return index < k
    ? [...(await pathOf(index, leaves.slice(0, k))), await rootOf(leaves.slice(k))]
    : [...(await pathOf(index - k, leaves.slice(k))), await rootOf(leaves.slice(0, k))];
}
async function growthOf(
  size: number,
  leaves: readonly Uint8Array[],
  isWhole: boolean,
): Promise<Uint8Array[]> {
  if (size === leaves.length) return isWhole ? [] : [await rootOf(leaves)];
  const k = splitOf(leaves.length);
  return size <= k
    ? [...(await growthOf(size, leaves.slice(0, k), isWhole)), await rootOf(leaves.slice(k))]
    : [...(await growthOf(size - k, leaves.slice(k), false)), await rootOf(leaves.slice(0, k))];
}
const leavesOf = (count: number) =>
  Promise.all(Array.from({ length: count }, (_, n) => stateHash(new Uint8Array(32).fill(n), n)));

test('every leaf and every growth is proved in trees of up to 20 leaves', async () => {
  const leaves = await leavesOf(20);
  for (let size = 1; size <= 20; size++) {
    const some = leaves.slice(0, size);
    const after = { size, root: await rootOf(some) };
    for (let index = 0; index < size; index++) {
      const path = concatBytes(...(await pathOf(index, some)));
      await checkInclusion(after.root, size, index, some[index] as Uint8Array, path);
      await refused(
        checkInclusion(after.root, size, (index + 1) % (size + 1), some[index] as Uint8Array, path),
      );
    }
    for (let old = 1; old <= size; old++) {
      const before = { size: old, root: await rootOf(leaves.slice(0, old)) };
      await checkConsistency(before, after, concatBytes(...(await growthOf(old, some, true))));
    }
  }
});

test('a changed proof and an inconsistent tree are refused', async () => {
  const leaves = await leavesOf(13);
  const after = { size: 13, root: await rootOf(leaves) };
  const before = { size: 6, root: await rootOf(leaves.slice(0, 6)) };
  const growth = concatBytes(...(await growthOf(6, leaves, true)));
  const path = concatBytes(...(await pathOf(12, leaves)));
  for (let at = 0; at < growth.length; at += 7)
    await refused(checkConsistency(before, after, flipped(growth, at)));
  for (let at = 0; at < path.length; at += 7)
    await refused(checkInclusion(after.root, 13, 12, leaves[12] as Uint8Array, flipped(path, at)));
  await refused(checkConsistency(before, after, growth.subarray(32)));
  await refused(checkConsistency(before, after, concatBytes(growth, new Uint8Array(32))));
  await refused(checkConsistency(after, before, growth));
  await refused(checkConsistency({ ...before, root: flipped(before.root, 3) }, after, growth));
  await refused(checkConsistency({ size: 13, root: flipped(after.root, 1) }, after, NONE));
  await refused(checkInclusion(after.root, 13, 12, leaves[12] as Uint8Array, path.subarray(1)));
});

type Entry = { readonly tag: Uint8Array; readonly entry: Uint8Array };
async function mapRootOf(entries: readonly Entry[], depth = 0): Promise<Uint8Array> {
  const [only] = entries;
  if (only === undefined) return emptyHash();
  if (entries.length === 1) return mapLeafHash(only.tag, only.entry);
  return nodeHash(...((await sidesOf(entries, depth)) as [Uint8Array, Uint8Array]));
}
const sidesOf = (entries: readonly Entry[], depth: number) =>
  Promise.all(
    [0, 1].map(bit =>
      mapRootOf(
        entries.filter(one => bitOf(one.tag, depth) === bit),
        depth + 1,
      ),
    ),
  );
/** Returns the sibling nodes along the path to a tag, and the entry at its end. */
async function wayTo(entries: readonly Entry[], tag: Uint8Array) {
  const path: Uint8Array[] = [];
  let under = entries;
  for (let depth = 0; under.length > 1; depth++) {
    path.push((await sidesOf(under, depth))[1 - bitOf(tag, depth)] as Uint8Array);
    under = under.filter(one => bitOf(one.tag, depth) === bitOf(tag, depth));
  }
  return { path: concatBytes(...path), end: under[0] };
}

const keysOf = (n: number) => ({
  dh_public: new Uint8Array(32).fill(n),
  mlkem_public: new Uint8Array(1568).fill(n + 1),
});
const people = Array.from({ length: 40 }, (_, n) => `person${n}@keyfold.test`);
async function mapOf(addresses: readonly string[]): Promise<Entry[]> {
  return Promise.all(
    addresses.map(async (address, n) => ({
      tag: await addressTag(address),
      entry: await entryHash(NO_ENTRY, 1, await keysHash(keysOf(n))),
    })),
  );
}

const previous = encodeBase64(NO_ENTRY);

test('a map of any size proves the exact keys of an address, or that it has none', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 40 }),
      fc.integer({ min: 0, max: 39 }),
      async (count, asked) => {
        const map = await mapOf(people.slice(0, count));
        const root = encodeBase64(await mapRootOf(map));
        const name = people[asked] as string;
        const way = await wayTo(map, await addressTag(name));
        const path = encodeBase64(way.path);
        const own: KeyProof = { path, entry: { version: 1, previous } };
        const { end } = way;
        const other = end && { tag: encodeBase64(end.tag), entry: encodeBase64(end.entry) };
        const none: KeyProof = { path, other };
        const keys = keysOf(asked);
        if (asked < count) {
          expect(await checkKeys(root, name, keys, own)).toMatchObject({ version: 1 });
          await refused(checkKeys(root, name, keysOf(asked + 1), own));
          await refused(checkKeys(root, name, keys, { ...own, entry: { version: 2, previous } }));
          for (const proof of [none, { path }, own]) await refused(checkKeys(root, name, null, proof));
        } else {
          expect(await checkKeys(root, name, null, none)).toBeNull();
          for (const proof of [own, none]) await refused(checkKeys(root, name, keys, proof));
        }
      },
    ),
    { numRuns: 60 },
  );
});

test('an address with deleted keys has none', async () => {
  const tag = await addressTag('a@x.test');
  const before = await entryHash(NO_ENTRY, 1, await keysHash(keysOf(1)));
  const map = [...(await mapOf(people)), { tag, entry: await entryHash(before, 2, NO_KEYS) }];
  const root = encodeBase64(await mapRootOf(map));
  const gone: KeyProof = {
    path: encodeBase64((await wayTo(map, tag)).path),
    entry: { version: 2, previous: encodeBase64(before) },
  };
  expect(await checkKeys(root, 'a@x.test', null, gone)).toBeNull();
  await refused(checkKeys(root, 'a@x.test', keysOf(1), gone));
  await refused(checkKeys(root, 'b@x.test', null, gone));
});

test('an entry from another place of the map does not prove an address absent', async () => {
  const map = await mapOf(people);
  const root = await mapRootOf(map);
  const tag = await addressTag('stranger@keyfold.test');
  const { path } = await wayTo(map, tag);
  for (const other of map) {
    const way = await wayTo(map, other.tag);
    if (way.path.length !== path.length || way.path.every((byte, at) => byte === path[at])) continue;
    await refused(checkMapProof(root, tag, null, { path: way.path, other }));
  }
});

const secret = new Uint8Array(32).fill(9);
const key = encodeBase64(ed25519.getPublicKey(secret));
const map = new Uint8Array(32).fill(77);
/**
 * Returns a head over these leaves and one more state, with the consistency proof from the tree of
 * `from` leaves.
 */
async function headOf(leaves: readonly Uint8Array[], time: number, from = 0): Promise<LogHead> {
  const all = [...leaves, await stateHash(map, time)];
  const root = await rootOf(all);
  return {
    key,
    size: all.length,
    root: encodeBase64(root),
    map_root: encodeBase64(map),
    time,
    signature: encodeBase64(ed25519.sign(headBytes(all.length, root), secret)),
    path: encodeBase64(concatBytes(...(await pathOf(all.length - 1, all)))),
    growth: from === 0 ? '' : encodeBase64(concatBytes(...(await growthOf(from, all, true)))),
  };
}

test('a head is accepted only if signed by the pinned log, tied to its map and consistent with the last head', async () => {
  const leaves = await leavesOf(8);
  const first = await headOf(leaves.slice(0, 4), 100);
  const seen = await checkHead(null, first);
  expect(seen).toEqual({ key, size: 5, root: first.root });
  const next = await headOf(
    [...leaves.slice(0, 4), await stateHash(map, 100), ...leaves.slice(5, 7)],
    200,
    5,
  );
  expect(await checkHead(seen, next)).toMatchObject({ size: 8 });
  // A split view shown to a single user: correctly signed, but inconsistent with the state seen
  // before.
  await refused(checkHead(seen, await headOf(leaves.slice(1, 8), 200, 5)));
  await refused(checkHead({ ...seen, key: encodeBase64(new Uint8Array(32).fill(8)) }, next));
  await refused(
    checkHead(seen, { ...next, signature: encodeBase64(flipped(ed25519.sign(map, secret), 70)) }),
  );
  await refused(checkHead(null, { ...next, map_root: encodeBase64(flipped(map, 0)) }));
  await refused(checkHead(null, { ...next, time: 201 }));
  await refused(checkHead(null, { ...next, key: 'x' }));
  await refused(checkHead(seen, first.size < seen.size ? first : { ...first, size: 4 }));
});
