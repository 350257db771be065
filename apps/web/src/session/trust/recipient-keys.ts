// Public keys of addresses. Every answer of `/user/keys` passes through this module once the key
// log has proved it (key-log.ts). It caches answers for a while only, because an address without
// keys may get an account at any time and must then no longer receive unencrypted mail
// (docs/interpretations.md#18, `known_outside_users`). It compares keys with the pinned ones and is
// the only way to seal a message (docs/adr/0020).
import type { AddressKeys } from '@keyfold/contract';
import { KEYS_MAX } from '@keyfold/contract/limits';
import { directoryNameOf, normalizeAddress } from '@keyfold/mail/address-form';
import { keys as keyWorker } from '../../crypto/key-client.ts';
import type { MessageRecipient, OutgoingMessage, SealedMessage } from '../../crypto/mail/outgoing-message.ts';
import { t } from '../../lib/language.ts';
import { findUser } from '../state/current-user.ts';
import { changeAddressBook, findBook, loadAddressBook, refreshAddressBook } from './address-book.ts';
import { askKeys } from './key-log.ts';
import { emptyBook, findPin, judgeAddress, needsReview, pinFirst, type Trust } from './pins.ts';

/** How long an answer is cached for addresses with keys, and for those without. */
const KEYED_LIFETIME_MS = 60 * 60 * 1000;
const OUTSIDE_LIFETIME_MS = 5 * 60 * 1000;

/** An address without an account may have one the next time it is typed. */
function lifetimeOf(keys: KnownKeys): number {
  if (!('plaintext' in keys)) return KEYED_LIFETIME_MS;
  return keys.unknown ? 0 : OUTSIDE_LIFETIME_MS;
}

/**
 * Keys with the digest of both, which is what is pinned; or the statement that the address has
 * none.
 */
export type KnownKeys =
  | (Extract<AddressKeys, { dh_public: string }> & { readonly digest: string })
  | Extract<AddressKeys, { plaintext: true }>;

type Known = { readonly keys: KnownKeys; readonly until: number };

const known = new Map<string, Known>();
let ownDigest = '';

/** Drops the cached directory answers for these addresses. */
export function forgetKeys(addresses: readonly string[]): void {
  for (const address of addresses) known.delete(normalizeAddress(address));
}

async function withDigests(answers: readonly AddressKeys[]): Promise<KnownKeys[]> {
  const keyed = answers.flatMap(one => ('plaintext' in one ? [] : [one]));
  const digests = await keyWorker().digestKeys(keyed);
  return answers.map(one =>
    'plaintext' in one ? one : { ...one, digest: digests[keyed.indexOf(one)] ?? '' },
  );
}

/** Queries the directory, with the proofs of the key log, and adds the answers to `found`. */
async function ask(addresses: readonly string[], found: Map<string, KnownKeys>): Promise<void> {
  const answers = await withDigests(await askKeys(addresses));
  const now = Date.now();
  for (const [index, keys] of answers.entries()) {
    const address = addresses[index];
    if (address === undefined) continue;
    found.set(address, keys);
    known.set(address, { keys, until: now + lifetimeOf(keys) });
  }
}

const nameOf = (address: string): string => directoryNameOf(normalizeAddress(address));

/**
 * Returns whether this is one of the user's own addresses, with any tag, or the sign-in address.
 * The key worker accepts no other keys for these.
 */
export function isOwn(address: string): boolean {
  const user = findUser();
  const own = user === null ? [] : [user.email, user.kdf_email, ...user.addresses];
  return own.some(one => nameOf(one) === nameOf(address));
}

/**
 * Returns the trust in these keys according to the address book as far as it is loaded. The user's
 * own keys are known without it.
 */
export function trustOf(address: string, keys: KnownKeys): Trust {
  const digest = 'plaintext' in keys ? null : keys.digest;
  if (isOwn(address) && ownDigest !== '') return digest === ownDigest ? 'sealed' : 'key_changed';
  return judgeAddress(findBook() ?? emptyBook, address, digest);
}

/**
 * Returns the keys of each address, in order, and loads the address book alongside. `fresh` repeats
 * the lookup for addresses that had no keys. Rejects with CallError, when an answer is missing, and
 * when the address book cannot be read.
 */
export async function findKeys(addresses: readonly string[], fresh = false): Promise<KnownKeys[]> {
  const wanted = addresses.map(normalizeAddress);
  const now = Date.now();
  const answers = new Map<string, KnownKeys>();
  for (const address of wanted) {
    const one = known.get(address);
    if (one !== undefined && one.until >= now && !(fresh && 'plaintext' in one.keys))
      answers.set(address, one.keys);
  }
  const missing = [...new Set(wanted)].filter(address => !answers.has(address));
  for (let start = 0; start < missing.length; start += KEYS_MAX) {
    await ask(missing.slice(start, start + KEYS_MAX), answers);
  }
  await loadAddressBook();
  if (ownDigest === '') ownDigest = await keyWorker().ownKeyDigest();
  const found = wanted.map(address => {
    const keys = answers.get(address);
    // A missing answer must not be treated as an address without keys.
    if (keys === undefined) throw new Error(t('Something failed'));
    return keys;
  });
  // The key may have been reviewed on another device.
  if (missing.length > 0 && found.some((keys, index) => needsReview(trustOf(wanted[index] ?? '', keys))))
    await refreshAddressBook();
  return found;
}

/**
 * Throws when a message would be encrypted to keys other than the pinned ones, sent unencrypted to
 * a pinned recipient, or sent to a recipient whose safety number did not match.
 */
function refuseChanged(people: readonly (MessageRecipient & { readonly known: KnownKeys })[]): void {
  for (const { email, known: one } of people) {
    const trust = trustOf(email, one);
    if (trust === 'mismatch')
      throw new Error(
        t('The safety number for {address} doesn’t match. Nothing was sent.', { address: email }),
      );
    if (trust === 'key_changed')
      throw new Error(t('The key for {address} has changed. Nothing was sent.', { address: email }));
  }
}

/**
 * Seals a message: compares every key with its pin, pins keys on first use, and only then lets the
 * key worker seal. Rejects, with nothing sealed, when a key has changed or the pins cannot be
 * stored.
 */
export async function sealToPinned(
  handle: string,
  message: OutgoingMessage,
  recipients: readonly MessageRecipient[],
): Promise<SealedMessage> {
  // A mismatch may have been recorded on another device since the book was loaded.
  await refreshAddressBook();
  if (ownDigest === '') ownDigest = await keyWorker().ownKeyDigest();
  const asAnswers = recipients.map(
    ({ email, keys }): AddressKeys => (keys === null ? { email, plaintext: true } : { ...keys, email }),
  );
  const answers = await withDigests(asAnswers);
  const people = recipients.flatMap((one, index) => {
    const answer = answers[index];
    return answer === undefined ? [] : [{ ...one, known: answer }];
  });
  refuseChanged(people);
  const seen = people.flatMap(({ email, known: one }) =>
    'plaintext' in one || isOwn(email) ? [] : [{ email, dh: one.dh_public, digest: one.digest }],
  );
  if (seen.some(({ email }) => findPin(findBook() ?? emptyBook, email) === null)) {
    await changeAddressBook(book => pinFirst(book, seen, Date.now()));
    // Another device may have pinned other keys in the meantime.
    refuseChanged(people);
  }
  return keyWorker().sealOutgoing(handle, message, [...recipients]);
}
