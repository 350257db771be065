// Changes to contacts: in the address book, which is authoritative, and in the server's list, which
// other clients show (docs/adr/0020). Where trust is concerned, the address book changes first.

import { directoryNameOf, normalizeAddress } from '@keyfold/mail/address-form';
import { readRecipientList } from '@keyfold/mail/recipient-list';
import { keys as keyWorker } from '../../crypto/key-client.ts';
import type { WireKeys } from '../../crypto/keys/key-fingerprints.ts';
import { t } from '../../lib/language.ts';
import { contactsClient } from '../../session/calls/clients/contacts.ts';
import { findUser, setUser } from '../../session/state/current-user.ts';
import { changeAddressBook, findBook, loadAddressBook } from '../../session/trust/address-book.ts';
import {
  acceptKeys,
  clearMismatch,
  emptyBook,
  findPerson,
  findPinnedName,
  markMismatch,
  type Person,
  pinFirst,
  removeContact,
  type SeenKeys,
  type VerificationMethod,
  verifyKeys,
  withPerson,
} from '../../session/trust/pins.ts';
import { findKeys, forgetKeys, isOwn, type KnownKeys } from '../../session/trust/recipient-keys.ts';
import { readShareText, toShareText } from './share-text.ts';

export const seenOf = (known: KnownKeys): SeenKeys | null =>
  'plaintext' in known ? null : { dh: known.dh_public, digest: known.digest };

/** Updates the user's storage limit after the first contact; `bytes` is the bonus. */
function addBonus(bytes: number): void {
  const user = findUser();
  if (user === null || bytes === 0) return;
  const { plan_config } = user;
  setUser({ ...user, plan_config: { ...plan_config, storage_limit: plan_config.storage_limit + bytes } });
}

const asContact =
  (name: string) =>
  (before: Person): Person => ({ ...before, isContact: true, name: before.name || name });

/** Result of adding a contact. */
export type Added = {
  readonly email: string;
  readonly name: string;
  readonly isVerified: boolean;
  readonly bonusBytes: number;
};

/** Rejects with the reason why an address cannot become a contact, before any request or change. */
async function checkAddress(typed: string): Promise<string> {
  const [found, ...others] = readRecipientList(typed).recipients;
  if (found === undefined || others.length > 0 || !found.isValid)
    throw new Error(t('Not a valid email address'));
  const email = normalizeAddress(found.address);
  if (isOwn(email)) throw new Error(t('This is your own address'));
  const before = findPerson(await loadAddressBook(), email);
  if (before?.isContact)
    throw new Error(t('{person} is already in your contacts', { person: before.name || email }));
  return email;
}

/**
 * Adds an address. With keys it also becomes a contact on the server; without keys it is in the
 * address book only. Rejects for the user's own address, for an existing contact, and for a
 * nonexistent address of this service.
 */
export async function addByAddress(typed: string, name = ''): Promise<Added> {
  const email = await checkAddress(typed);
  const [known] = await findKeys([email], true);
  if (known !== undefined && 'unknown' in known) throw new Error(t('This address doesn’t exist'));
  const seen = known === undefined ? null : seenOf(known);
  const answer = seen === null ? null : (await contactsClient.add_unverified({ email })).data;
  const shown = name || answer?.name || '';
  await changeAddressBook(book => {
    const pinned = seen === null ? book : pinFirst(book, [{ email, ...seen }], Date.now());
    return withPerson(pinned, email, asContact(shown));
  });
  addBonus(answer?.storage_bonus ?? 0);
  return { email, name: shown, isVerified: false, bonusBytes: answer?.storage_bonus ?? 0 };
}

const digestOf = async (keys: WireKeys): Promise<SeenKeys> => ({
  dh: keys.dh_public,
  digest: (await keyWorker().digestKeys([keys]))[0] ?? '',
});

/**
 * Adds the owner of a share code. The proof in the code determines the owner's keys; a code without
 * a proof adds an unverified contact. Rejects when the server returns other keys, and then stores
 * nothing.
 */
export async function addByCode(text: string): Promise<Added> {
  const share = readShareText(text);
  if (share === null) throw new Error(t('Not a valid address or share code'));
  const { data } = await contactsClient.add({ code: share.code });
  const seen = await digestOf(data);
  if (share.proof !== '' && (await keyWorker().shareProofOf(data)) !== share.proof) {
    await contactsClient.remove({ email: data.email }).catch(() => undefined);
    throw new Error(t('The server’s keys don’t match this code. The contact wasn’t added'));
  }
  const isVerified = share.proof !== '';
  const { email } = data;
  await changeAddressBook(book => {
    const pinned = isVerified
      ? verifyKeys(book, email, seen, 'share_code', Date.now())
      : pinFirst(book, [{ email, ...seen }], Date.now());
    return withPerson(pinned, email, asContact(data.name));
  });
  addBonus(data.storage_bonus);
  return { email, name: data.name, isVerified, bonusBytes: data.storage_bonus };
}

/** Creates a share code with the proof of the user's keys. */
export async function makeShareCode(): Promise<{ readonly text: string; readonly expiresAt: number }> {
  const [{ data }, proof] = await Promise.all([contactsClient.generate({}), keyWorker().ownShareProof()]);
  return { text: toShareText({ code: data.code, proof }), expiresAt: Date.parse(data.expires_at) };
}

/** Returns whether one of the user's share codes has been used. */
export async function isShareCodeUsed(text: string): Promise<boolean> {
  const share = readShareText(text);
  return share !== null && (await contactsClient.share_state({ code: share.code })).data.used;
}

const isGone = (error: unknown): boolean => (error as { status?: number }).status === 404;

/** Removes a contact; its pinned keys stay. */
export async function removeByAddress(email: string): Promise<void> {
  await contactsClient.remove({ email }).catch(error => {
    if (!isGone(error)) throw error;
  });
  await changeAddressBook(book => removeContact(book, email));
}

/** Updates the server's list; its trust state is for other clients only. */
async function tellServer(email: string, known: KnownKeys, verified: boolean): Promise<void> {
  if ('plaintext' in known || !(findPerson(findBook() ?? emptyBook, email)?.isContact ?? false)) return;
  await contactsClient.change({ email, fingerprint: known.fingerprint, verified }).catch(() => undefined);
}

/** Records an address as verified under these keys; adds it as a contact if it is not one. */
export async function markVerified(
  email: string,
  name: string,
  known: KnownKeys,
  how: VerificationMethod,
): Promise<void> {
  const seen = seenOf(known);
  if (seen === null) return;
  await changeAddressBook(book =>
    withPerson(verifyKeys(book, email, seen, how, Date.now()), email, asContact(name)),
  );
  await contactsClient
    .add_unverified({ email })
    .then(({ data }) => addBonus(data.storage_bonus))
    .catch(() => undefined);
  await tellServer(email, known, true);
}

/** Accepts the directory's current keys, or their absence, without comparison. */
export async function acceptNew(email: string, known: KnownKeys): Promise<void> {
  await changeAddressBook(book => acceptKeys(book, findPinnedName(book, email), seenOf(known), Date.now()));
  forgetKeys([email]);
  await tellServer(email, known, false);
}

/**
 * Records on all devices that the safety numbers differ: messages to this address are blocked until
 * it is reviewed. Adds the address as a contact if it is not one, so that the mismatch is listed
 * where it can be undone.
 */
export async function keepMismatch(email: string, name: string, known: KnownKeys): Promise<void> {
  const seen = seenOf(known);
  if (seen === null) return;
  await changeAddressBook(book =>
    withPerson(
      markMismatch(book, email, seen, Date.now()),
      directoryNameOf(normalizeAddress(email)),
      asContact(name),
    ),
  );
  await tellServer(email, known, false);
}

/** Removes a recorded mismatch without comparison. */
export async function undoMismatch(email: string): Promise<void> {
  await changeAddressBook(book => clearMismatch(book, email));
  forgetKeys([email]);
}
