/**
 * Key log (docs/crypto.md, Key log): proofs of the keys of addresses, for senders who seal to them,
 * and the version history of the caller's own addresses. A Keyfold addition; no section of the
 * specification covers it.
 */
import type { api, OutputOf } from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import { KEY_LOG_HISTORY_MAX } from '@keyfold/contract/limits';
import { addressTag } from '@keyfold/crypto/key-log/hashes';
import { directoryNameOf, normalizeAddress } from '@keyfold/mail/address-form';
import type { Deps } from '../../../context/deps.ts';
import type { Trx } from '../../../db/pool.ts';
import { addressesOf } from '../users/index.ts';
import { bringUpToDate } from './append.ts';
import { prefixesOf, wayTo } from './map.ts';
import { logKeyOf, signHead } from './signing.ts';
import { findEntries, findHead, findMapNodes, findTreeNodes, findVersions, hasNotes } from './store.ts';
import { base64, hexOf } from './texts.ts';
import { growthOf, hashOf, inclusionOf, knownTree, placesOf, type Range } from './tree.ts';

type LogAnswer = OutputOf<typeof api.mail.keys>['log'];
type KeyProof = LogAnswer['proofs'][number];
type LogDeps = Pick<Deps, 'db' | 'clock' | 'masterKey'>;

/** Maximum number of reads when a key changes during one. */
const LOOKS = 5;

async function hashesOf(db: Parameters<typeof findTreeNodes>[0], ranges: readonly Range[]): Promise<string> {
  const known = knownTree(await findTreeNodes(db, ranges.flatMap(placesOf)));
  return base64(Buffer.concat(await Promise.all(ranges.map(range => hashOf(range, known)))));
}

async function answerHead(trx: Trx, { masterKey }: LogDeps, knownSize: number | undefined) {
  const head = await findHead(trx);
  if (head === undefined) throw new AppError('unavailable');
  const { size, root, map_root, depth, made_at } = head;
  const isLater = knownSize !== undefined && knownSize <= size;
  return {
    depth,
    answer: {
      key: base64(logKeyOf(masterKey)),
      size,
      root: base64(root),
      signature: base64(signHead(masterKey, size, root)),
      map_root: base64(map_root),
      time: made_at.getTime() / 1000,
      path: await hashesOf(trx, inclusionOf(size - 1, size)),
      growth: isLater ? await hashesOf(trx, growthOf(knownSize, size)) : '',
    },
  };
}

/** Returns, for each name, the proof of the map entry at its position. */
async function proveAll(trx: Trx, names: readonly string[], depth: number): Promise<KeyProof[]> {
  const tags = new Map<string, Uint8Array>();
  for (const name of new Set(names)) tags.set(name, await addressTag(name));
  const wanted = [...tags.values()];
  const nodes = await findMapNodes(trx, [...new Set(wanted.flatMap(tag => prefixesOf(tag, depth)))]);
  const entries = new Map((await findEntries(trx, wanted)).map(row => [hexOf(row.tag), row]));
  return names.map(name => {
    const tag = tags.get(name) as Uint8Array;
    const way = wayTo(nodes, tag);
    const path = base64(way.path);
    const row = entries.get(hexOf(tag));
    if (row !== undefined) return { path, entry: { version: row.version, previous: base64(row.previous) } };
    if (way.end === undefined) return { path };
    return { path, other: { tag: base64(way.end.tag), entry: base64(way.end.entry) } };
  });
}

/**
 * Returns the result of `look` together with the log's proofs for these addresses (in normal form)
 * at the same moment.
 */
export async function withProofs<T>(
  deps: LogDeps,
  addresses: readonly string[],
  knownSize: number | undefined,
  look: (trx: Trx) => Promise<T>,
): Promise<{ readonly found: T; readonly log: LogAnswer }> {
  const names = addresses.map(directoryNameOf);
  for (let looks = 0; looks < LOOKS; looks++) {
    await bringUpToDate(deps);
    const answer = await deps.db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async trx => {
        if (await hasNotes(trx, names)) return null;
        const { answer: head, depth } = await answerHead(trx, deps, knownSize);
        return { found: await look(trx), log: { head, proofs: await proveAll(trx, names, depth) } };
      });
    if (answer !== null) return answer;
  }
  throw new AppError('unavailable');
}

/**
 * Returns the proof that the log of size `to` extends that of size `from`. Throws not_found for a
 * size that the log never had.
 */
export async function proveGrowth({ db }: LogDeps, from: number, to: number): Promise<string> {
  const head = await findHead(db);
  if (head === undefined || to > head.size || from > to) throw new AppError('not_found');
  return hashesOf(db, growthOf(from, to));
}

/**
 * Returns the versions of one of the caller's addresses. Throws not_found for an address that is
 * not the caller's.
 */
export async function historyOf(
  deps: LogDeps,
  userId: string,
  address: string,
): Promise<OutputOf<typeof api.key_log.history>['data']> {
  const name = normalizeAddress(address);
  if (!(await addressesOf(deps.db, userId)).includes(name)) throw new AppError('not_found');
  await bringUpToDate(deps);
  const rows = await findVersions(deps.db, await addressTag(name), KEY_LOG_HISTORY_MAX);
  return rows
    .map(({ version, keys, changed_at }) => ({
      version,
      keys: base64(keys),
      changed_at: changed_at.toISOString(),
    }))
    .reverse();
}
