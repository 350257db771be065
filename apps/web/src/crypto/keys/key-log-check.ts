// Verifies the key log inside the key worker (docs/crypto.md, Key log): the proofs that come with
// other users' keys, the heads that others saw, and the history of the user's own addresses.
// Nothing here is secret; it runs in the worker because it is expensive.
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

/** A head of the log with the service's signature, as it is stored and shared with others. */
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

/** Verifies an answer of `keys` against the state seen before. Rejects on any inconsistency. */
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

/**
 * Header field that tells recipients which state of the log the sender saw. Recipients compare it
 * with theirs (ADR 19).
 */
const fieldName = 'Keyfold-Key-Log';

/**
 * Returns that field for a message all of whose recipients get it encrypted; empty when no state
 * was seen yet.
 */
export function stateFields(): [name: string, value: string][] {
  if (lastSeen === null) return [];
  const { key, size, root, signature } = lastSeen;
  return [[fieldName, `${size} ${root} ${key} ${signature}`]];
}

/** Returns the log state that the sender of a message saw, or null. */
export function readStateField(
  headers: readonly { readonly name: string; readonly value: string }[],
): SignedState | null {
  const found = headers.find(({ name }) => name.toLowerCase() === fieldName.toLowerCase());
  const [size = '', root = '', key = '', signature = ''] = found?.value.trim().split(/\s+/) ?? [];
  return /^\d{1,13}$/.test(size) && signature !== '' ? { size: Number(size), root, key, signature } : null;
}

/**
 * Returns whether the service signed this state: states reported by others count only if it did.
 */
export const isSignedState = (state: SignedState): Promise<boolean> => Promise.resolve(isSignedHead(state));

/** Verifies that one state extends the other. Rejects when it does not. */
export const checkStates = (before: SignedState, after: SignedState, growth: string): Promise<void> =>
  checkGrowth(before, after, growth);

/**
 * A version of one of the user's addresses that the user must be warned about: it names other keys
 * than the user's, or none.
 */
export type ForeignVersion = {
  readonly version: number;
  readonly changedAt: string;
  readonly isGone: boolean;
};

/**
 * Returns the first version after `told` of an own address that names foreign keys or none, or
 * null. Throws CryptoError 'key_log_refused' if the history does not produce the log's entry.
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
  // Earlier keys are also the user's own, but only in their order, never after later keys and never
  // as the last version: an attacker who took old keys must not be able to reinstate them.
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
