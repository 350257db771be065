// Checks the key log inside the key worker (docs/crypto.md, Key log): the proofs that come with people's keys, heads that
// others saw, and the history of one's own addresses. Nothing here is secret; it is here because it is work.
import type { AddressKeys, api, OutputOf } from '@keyfold/contract';
import { CryptoError } from '@keyfold/crypto/errors';
import {
  checkGrowth,
  checkHead,
  checkKeys,
  isSignedHead,
  type LoggedEntry,
  type SeenLog,
} from '@keyfold/crypto/key-log';
import { entryHash, keysHash, NO_ENTRY, NO_KEYS } from '@keyfold/crypto/key-log/hashes';
import { decodeBase64, encodeBase64 } from '@keyfold/crypto/message';
import { directoryNameOf, normalizeAddress } from '@keyfold/mail/address-form';
import { getVault } from './vault-keeper.ts';

/** A head of the log with the service's signature, as it is remembered and told to others. */
export type SignedState = SeenLog & { readonly signature: string };

type LogAnswer = OutputOf<typeof api.mail.keys>['log'];
type History = OutputOf<typeof api.key_log.history>['data'];

function refuse(why: string): never {
  throw new CryptoError('key_log_refused', new Error(why));
}

const publicKeysOf = (found: AddressKeys) =>
  'plaintext' in found
    ? null
    : { dh_public: decodeBase64(found.dh_public), mlkem_public: decodeBase64(found.mlkem_public) };

/** Checks an answer of `keys` against what was seen before. Rejects when anything does not add up. */
export async function checkKeyAnswer(
  seen: SignedState | null,
  asked: readonly string[],
  answer: readonly AddressKeys[],
  log: LogAnswer,
): Promise<{ readonly seen: SignedState; readonly entries: readonly LoggedEntry[] }> {
  const now = await checkHead(seen, log.head);
  const entries: LoggedEntry[] = [];
  for (const [at, text] of asked.entries()) {
    const address = normalizeAddress(text);
    const found = answer[at];
    if (found === undefined || found.email !== address) return refuse('Not what was asked');
    const proof = log.proofs[at] ?? refuse('No proof');
    entries.push(await checkKeys(log.head.map_root, directoryNameOf(address), publicKeysOf(found), proof));
  }
  lastSeen = { ...now, signature: log.head.signature };
  return { seen: lastSeen, entries };
}

let lastSeen: SignedState | null = null;

/** The field of a letter that tells its readers what its writer saw of the log. They compare (ADR 19). */
const fieldName = 'Keyfold-Key-Log';

/** That field for a letter that only sealed readers get; none before anything was seen. */
export function stateFields(): [name: string, value: string][] {
  if (lastSeen === null) return [];
  const { key, size, root, signature } = lastSeen;
  return [[fieldName, `${size} ${root} ${key} ${signature}`]];
}

/** What the writer of a letter saw, or null. */
export function readStateField(
  headers: readonly { readonly name: string; readonly value: string }[],
): SignedState | null {
  const found = headers.find(({ name }) => name.toLowerCase() === fieldName.toLowerCase());
  const [size = '', root = '', key = '', signature = ''] = found?.value.trim().split(/\s+/) ?? [];
  return /^\d{1,13}$/.test(size) && signature !== '' ? { size: Number(size), root, key, signature } : null;
}

/** Whether the service signed this state: what others say they saw counts only then. */
export const isSignedState = (state: SignedState): Promise<boolean> => Promise.resolve(isSignedHead(state));

/** Checks that one state grew out of another. Rejects when it did not. */
export const checkStates = (before: SignedState, after: SignedState, growth: string): Promise<void> =>
  checkGrowth(before, after, growth);

/** A version of an own address that its owner must hear of: other keys than one's own, or none. */
export type ForeignVersion = {
  readonly version: number;
  readonly changedAt: string;
  readonly isGone: boolean;
};

/**
 * The first version after `told` of an own address that names keys which are not one's own, or none, if there is one. Throws
 * CryptoError 'key_log_refused' for a history that the log's entry was not made of.
 */
export async function findForeignVersion(
  entry: LoggedEntry,
  history: History,
  told: number,
): Promise<ForeignVersion | null> {
  const { identity, retired } = getVault();
  const own = encodeBase64(await keysHash(identity));
  const none = encodeBase64(NO_KEYS);
  const places = new Map<string, number>([[own, Number.POSITIVE_INFINITY]]);
  for (const one of retired) places.set(encodeBase64(await keysHash(one.identity)), one.generation);
  let place = 0;
  let last: Uint8Array = NO_ENTRY;
  for (const [at, { version, keys }] of history.entries()) {
    if (version !== at + 1) refuse('A version is missing');
    last = await entryHash(last, version, decodeBase64(keys));
  }
  if (entry === null || entry.entry !== encodeBase64(last)) refuse('Another history');
  // Keys before those in use are one's own too, in their order, and never after later ones or as the last: whoever took old
  // ones must not bring them back.
  const found = history.find(({ keys, version }, at) => {
    const here = places.get(keys);
    const isFine = here !== undefined && here >= place && (keys === own || at < history.length - 1);
    if (isFine) place = here;
    return !isFine && version > told;
  });
  return found === undefined
    ? null
    : { version: found.version, changedAt: found.changed_at, isGone: found.keys === none };
}
