/**
 * Contacts (docs/spec-map.md 7; docs/interpretations.md#61 and #62): single-use share codes, adding
 * by code (verified) or by address (not verified), and the storage bonus for the first contact,
 * granted once per account. The keys that the server reports here are only a convenience: clients
 * trust the address book that they seal themselves (docs/adr/0020).
 */
import type { api, Contact, InputOf, OutputOf } from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import { CONTACTS_MAX } from '@keyfold/contract/limits';
import { normalizeAddress } from '@keyfold/mail/address-form';
import { FIRST_CONTACT_BONUS_BYTES, SHARE_CODE_LIFETIME_MS, SHARE_CODES_MAX } from '../../../base/limits.ts';
import type { Deps } from '../../../context/deps.ts';
import type { Trx } from '../../../db/pool.ts';
import { lockMailboxes } from '../../mailbox/messages/index.ts';
import { addressesOf, claimBonus, findOwnersOf, type Owner } from '../users/index.ts';
import { hashOfShareCode, makeShareCode } from './share-code.ts';
import {
  type ContactRow,
  countContacts,
  countShareCodes,
  deleteContact,
  findContact,
  findOwnShareCode,
  findPrimaryAddress,
  insertShareCode,
  lockShareCode,
  markShareCodeUsed,
  pruneShareCodes,
  upsertContact,
} from './store.ts';

type ContactDeps = Pick<Deps, 'clock' | 'db'>;
type Added = OutputOf<typeof api.contacts.add>['data'];

const toContact = (row: ContactRow): Contact & { verified: boolean } => ({
  name: row.name,
  email: row.email,
  mlkem_public: row.mlkem_public.toString('base64'),
  dh_public: row.dh_public.toString('base64'),
  fingerprint: row.fingerprint,
  verified: row.verified,
});

const toRow = (owner: Owner, email: string, verified: boolean): ContactRow => ({
  email,
  name: owner.name,
  mlkem_public: Buffer.from(owner.mlkemPublic),
  dh_public: Buffer.from(owner.dhPublic),
  fingerprint: owner.fingerprint,
  verified,
});

/**
 * Creates a share code. The number of open codes is limited, because every code that was shown
 * works until it expires. Throws limit_reached.
 */
export async function createShareCode(
  { db, clock }: ContactDeps,
  userId: string,
): Promise<OutputOf<typeof api.contacts.generate>['data']> {
  const code = makeShareCode();
  const now = clock.now();
  const expiresAt = new Date(now.getTime() + SHARE_CODE_LIFETIME_MS);
  await db.transaction().execute(async trx => {
    await lockMailboxes(trx, [userId]);
    await pruneShareCodes(trx, userId, now);
    if ((await countShareCodes(trx, userId, now)) >= SHARE_CODES_MAX) throw new AppError('limit_reached');
    await insertShareCode(trx, { userId, codeHash: hashOfShareCode(code), expiresAt });
  });
  return { code, expires_at: expiresAt.toISOString() };
}

/**
 * Stores a contact under the lock of the user's mailbox. The user's own entry is returned but not
 * stored.
 */
async function keepContact(
  { clock }: ContactDeps,
  trx: Trx,
  userId: string,
  owner: Owner,
  wanted: ContactRow,
): Promise<Added> {
  if (owner.userId === userId) return { ...toContact(wanted), name: 'Me', verified: true, storage_bonus: 0 };
  await lockMailboxes(trx, [userId]);
  const found = await findContact(trx, userId, wanted.email);
  // Adding by address never downgrades an existing contact (docs/spec-map.md 4.37: ignored if the
  // e-mail already exists).
  if (found !== undefined && !wanted.verified) return { ...toContact(found), storage_bonus: 0 };
  if (found === undefined && (await countContacts(trx, userId)) >= CONTACTS_MAX)
    throw new AppError('limit_reached');
  await upsertContact(trx, userId, wanted);
  const isFirst = await claimBonus(trx, userId, clock.now(), FIRST_CONTACT_BONUS_BYTES);
  return { ...toContact(wanted), storage_bonus: isFirst ? FIRST_CONTACT_BONUS_BYTES : 0 };
}

/** Consumes a share code and returns its owner. */
async function spendShareCode({ clock }: ContactDeps, trx: Trx, code: string): Promise<string> {
  const codeHash = hashOfShareCode(code);
  const now = clock.now();
  const found = await lockShareCode(trx, codeHash);
  if (found === undefined || (found.kept_until ?? found.expires_at) <= now)
    throw new AppError('share_code_refused');
  if (found.kept_until !== null) throw new AppError('share_code_used');
  await markShareCodeUsed(trx, codeHash, now, new Date(now.getTime() + SHARE_CODE_LIFETIME_MS));
  return found.user_id;
}

/**
 * Returns whether the caller's own share code was used. Throws share_code_refused when the code is
 * unknown or has expired.
 */
export async function readShareState(
  { db, clock }: ContactDeps,
  userId: string,
  code: string,
): Promise<{ used: boolean }> {
  const found = await findOwnShareCode(db, userId, hashOfShareCode(code));
  if (found === undefined || (found.kept_until ?? found.expires_at) <= clock.now())
    throw new AppError('share_code_refused');
  return { used: found.kept_until !== null };
}

/**
 * Adds the owner of a share code as a verified contact and consumes the code. Throws
 * share_code_refused, share_code_used, limit_reached.
 */
export const addByCode = (deps: ContactDeps, userId: string, code: string): Promise<Added> =>
  deps.db.transaction().execute(async trx => {
    const ownerId = await spendShareCode(deps, trx, code);
    const email = await findPrimaryAddress(trx, ownerId);
    const owner = email === null ? undefined : (await findOwnersOf(trx, [email])).get(email);
    if (email === null || owner === undefined || owner.isSuspended) throw new AppError('share_code_refused');
    return keepContact(deps, trx, userId, owner, toRow(owner, email, true));
  });

const keyOf = (email: string): string => normalizeAddress(email).replaceAll('\0', '');

async function getOwner(trx: Trx, email: string): Promise<Owner> {
  const owner = (await findOwnersOf(trx, [email])).get(email);
  if (owner === undefined) throw new AppError('not_found');
  return owner;
}

/**
 * Adds an address as an unverified contact, with its keys from the directory. Throws not_found when
 * no user of this service has the address.
 */
export const addByAddress = (deps: ContactDeps, userId: string, typed: string): Promise<Added> =>
  deps.db.transaction().execute(async trx => {
    const email = keyOf(typed);
    const owner = await getOwner(trx, email);
    return keepContact(deps, trx, userId, owner, toRow(owner, email, false));
  });

/**
 * Replaces a contact's keys with those of the directory, after the user accepted them. Throws
 * not_found, recipient_key_changed.
 */
export const changeContact = (
  deps: ContactDeps,
  userId: string,
  { email: typed, fingerprint, verified }: InputOf<typeof api.contacts.change>,
): Promise<Contact> =>
  deps.db.transaction().execute(async trx => {
    await lockMailboxes(trx, [userId]);
    const email = keyOf(typed);
    if ((await findContact(trx, userId, email)) === undefined) throw new AppError('not_found');
    const owner = await getOwner(trx, email);
    if (owner.fingerprint !== fingerprint) throw new AppError('recipient_key_changed');
    const row = toRow(owner, email, verified);
    await upsertContact(trx, userId, row);
    return toContact(row);
  });

/** Deletes a contact. Throws own_contact, not_found. */
export async function removeContact({ db }: ContactDeps, userId: string, typed: string): Promise<void> {
  const email = keyOf(typed);
  if (await deleteContact(db, userId, email)) return;
  throw new AppError((await addressesOf(db, userId)).includes(email) ? 'own_contact' : 'not_found');
}
