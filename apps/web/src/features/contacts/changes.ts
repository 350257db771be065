// What is done to contacts: in the address book, which counts, and on the server, whose list other clients show
// (docs/adr/0020). The book is changed first where trust is concerned.

import { directoryNameOf, normalizeAddress } from '@keyfold/mail/address-form';
import { readRecipientList } from '@keyfold/mail/recipient-list';
import { keys as keyWorker } from '../../crypto/key-client.ts';
import type { WireKeys } from '../../crypto/keys/key-marks.ts';
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
  type Mark,
  markMismatch,
  type Person,
  pinFirst,
  removeContact,
  type SeenKeys,
  verifyKeys,
  withPerson,
} from '../../session/trust/pins.ts';
import { findKeys, forgetKeys, isOwn, type KnownKeys } from '../../session/trust/recipient-keys.ts';
import { readShareText, toShareText } from './share-text.ts';

export const seenOf = (known: KnownKeys): SeenKeys | null =>
  'plaintext' in known ? null : { dh: known.dh_public, digest: known.digest };

/** A user has more room after the first contact; `bytes` is what it brought. */
function addBonus(bytes: number): void {
  const user = findUser();
  if (user === null || bytes === 0) return;
  const { plan_config } = user;
  setUser({ ...user, plan_config: { ...plan_config, storage_limit: plan_config.storage_limit + bytes } });
}

const asContact =
  (name: string) =>
  (before: Person): Person => ({ ...before, isContact: true, name: before.name || name });

/** What adding somebody came to. */
export type Added = {
  readonly email: string;
  readonly name: string;
  readonly isVerified: boolean;
  readonly bonusBytes: number;
};

/** Rejects with why an address cannot become a contact; nothing is asked or changed then. */
async function checkAddress(typed: string): Promise<string> {
  const [found, ...others] = readRecipientList(typed).recipients;
  if (found === undefined || others.length > 0 || !found.isValid)
    throw new Error(t('This is not an e-mail address'));
  const email = normalizeAddress(found.address);
  if (isOwn(email)) throw new Error(t('This is your own address'));
  const before = findPerson(await loadAddressBook(), email);
  if (before?.isContact)
    throw new Error(t('{person} is a contact already', { person: before.name || email }));
  return email;
}

/**
 * Adds an address: with keys it is the server's contact too, without it stands in the address book alone. Rejects for one's
 * own, for a contact, and for an address of this service that nobody has.
 */
export async function addByAddress(typed: string, name = ''): Promise<Added> {
  const email = await checkAddress(typed);
  const [known] = await findKeys([email], true);
  if (known !== undefined && 'unknown' in known) throw new Error(t('Nobody has this address'));
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
 * Adds the owner of a share code. The proof in it says whose keys they must be; a code without one adds somebody who is
 * not verified here. Rejects when the server answered with other keys, and keeps nothing of it.
 */
export async function addByCode(text: string): Promise<Added> {
  const share = readShareText(text);
  if (share === null) throw new Error(t('This is not a share code'));
  const { data } = await contactsClient.add({ code: share.code });
  const seen = await digestOf(data);
  if (share.proof !== '' && (await keyWorker().shareProofOf(data)) !== share.proof) {
    await contactsClient.remove({ email: data.email }).catch(() => undefined);
    throw new Error(t('The server answered with other keys than those of the code. Nothing was added'));
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

/** A share code of one's own, with the proof of one's keys. */
export async function makeShareCode(): Promise<{ readonly text: string; readonly expiresAt: number }> {
  const [{ data }, proof] = await Promise.all([contactsClient.generate({}), keyWorker().ownShareProof()]);
  return { text: toShareText({ code: data.code, proof }), expiresAt: Date.parse(data.expires_at) };
}

/** Whether somebody used a share code of one's own. */
export async function isShareCodeUsed(text: string): Promise<boolean> {
  const share = readShareText(text);
  return share !== null && (await contactsClient.share_state({ code: share.code })).data.used;
}

const isGone = (error: unknown): boolean => (error as { status?: number }).status === 404;

/** Removes a contact; what is pinned of it stays. */
export async function removeByAddress(email: string): Promise<void> {
  await contactsClient.remove({ email }).catch(error => {
    if (!isGone(error)) throw error;
  });
  await changeAddressBook(book => removeContact(book, email));
}

/** The server's list follows; what it says of trust counts for other clients only. */
async function tellServer(email: string, known: KnownKeys, verified: boolean): Promise<void> {
  if ('plaintext' in known || !(findPerson(findBook() ?? emptyBook, email)?.isContact ?? false)) return;
  await contactsClient.change({ email, fingerprint: known.fingerprint, verified }).catch(() => undefined);
}

/** Marks somebody as verified under these keys; who was no contact becomes one. */
export async function markVerified(email: string, name: string, known: KnownKeys, how: Mark): Promise<void> {
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

/** Takes the keys that the directory names now, or that it names none, without having compared them. */
export async function acceptNew(email: string, known: KnownKeys): Promise<void> {
  await changeAddressBook(book => acceptKeys(book, findPinnedName(book, email), seenOf(known), Date.now()));
  forgetKeys([email]);
  await tellServer(email, known, false);
}

/**
 * Keeps that the safety numbers differ, for all devices: nothing is sent to this address until it is reviewed. An address that
 * was not a contact becomes one, so that the mark is listed where it is undone.
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

/** Takes the mark of a mismatch off again, without having compared. */
export async function undoMismatch(email: string): Promise<void> {
  await changeAddressBook(book => clearMismatch(book, email));
  forgetKeys([email]);
}
