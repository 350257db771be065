/**
 * The directory: whose address it is, which keys seal mail to it, and whether there is room. Other features ask here;
 * accounts are made in features/accounts/auth.
 */
import type { Contact, MainKey, User } from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import { TAG_COLORS, type TagColor } from '@keyfold/contract/limits';
import { withoutTag } from '@keyfold/mail/address-form';
import { levelOf } from '../../../base/admin-level.ts';
import { PLAN_LIMITS } from '../../../base/limits.ts';
import type { Db, Trx } from '../../../db/pool.ts';
import {
  type DirectoryRow,
  findAccountId,
  findAddresses,
  findKeyId,
  findOwners,
  findProfile,
  findReceivers,
  findStatus,
  findUsage,
  findWaitingBytes,
  sumStorage,
  updateName,
} from './store.ts';

/** Whether taking the super level from an account would leave the service without a super admin. */
export const isLastSuper = (supers: readonly string[], userId: string): boolean =>
  supers.every(one => one === userId);

/** An address of this service with what is needed to seal mail to it. */
export type Owner = {
  readonly address: string;
  /** Whether it was switched off: it receives nothing. */
  readonly isOff: boolean;
  readonly userId: string;
  readonly name: string;
  readonly isSuspended: boolean;
  readonly plan: keyof typeof PLAN_LIMITS;
  /** ML-KEM-1024 public key, 1568 bytes. */
  readonly mlkemPublic: Uint8Array;
  /** X25519 public key, 32 bytes. */
  readonly dhPublic: Uint8Array;
  /** key_id, base64 of 20 bytes. */
  readonly fingerprint: string;
  readonly storageLimitBytes: number;
  /** Bytes in use when asked, with containers that wait for brought mail; under no lock, so good for a first look only. */
  readonly usedBytes: number;
};

export const storageLimitOf = (plan: keyof typeof PLAN_LIMITS, bonusBytes: number): number =>
  PLAN_LIMITS[plan].storageBytes + bonusBytes;

const toOwner = (row: DirectoryRow): Owner => ({
  address: row.address,
  isOff: !row.is_on,
  userId: row.user_id,
  name: row.name,
  isSuspended: row.status === 'suspended',
  plan: row.plan,
  mlkemPublic: Buffer.from(row.main_key.mlkem_public_key, 'base64'),
  dhPublic: Buffer.from(row.main_key.dh_public_key, 'base64'),
  fingerprint: row.main_key.key_id,
  storageLimitBytes: storageLimitOf(row.plan, row.bonus_bytes),
  usedBytes: row.used_bytes,
});

/** The owners of normalised addresses by the address asked for, tagged ones included; addresses nobody owns are absent. */
export const findOwnersOf = async (
  db: Db | Trx,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, Owner>> => byAddress(addresses, await findOwners(db, withBases(addresses)));

/**
 * Who takes mail for normalised addresses: as findOwnersOf, and for an unknown address at a user's domain the owner of the
 * one that takes its mail. Nobody has keys under such an address, so it is for mail in the clear alone.
 */
export const findReceiversOf = async (
  db: Db | Trx,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, Owner>> => byAddress(addresses, await findReceivers(db, withBases(addresses)));

function withBases(addresses: readonly string[]): string[] {
  const untagged = addresses.map(withoutTag).filter(address => address !== null);
  return [...new Set([...addresses, ...untagged])];
}

function byAddress(addresses: readonly string[], rows: readonly DirectoryRow[]): ReadonlyMap<string, Owner> {
  const owners = new Map(rows.filter(row => !row.is_catchall).map(row => [row.asked, toOwner(row)]));
  const catching = new Map(rows.filter(row => row.is_catchall).map(row => [row.asked, toOwner(row)]));
  return new Map(
    addresses.flatMap(address => {
      const base = withoutTag(address) ?? address;
      const owner = owners.get(address) ?? owners.get(base) ?? catching.get(base);
      return owner === undefined ? [] : [[address, owner] as const];
    }),
  );
}

/** The keys of exactly these addresses, by address; addresses nobody owns are absent. */
export const mainKeysOf = async (
  db: Db | Trx,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, MainKey>> =>
  new Map((await findOwners(db, addresses)).map(row => [row.address, row.main_key]));

/** The fingerprint of the keys that a user has now. Throws not_found. */
export async function getKeyId(db: Db, userId: string): Promise<string> {
  const keyId = await findKeyId(db, userId);
  if (keyId === undefined) throw new AppError('not_found');
  return keyId;
}

/**
 * Requires that these are the keys in use, for what their owner wraps or seals. Whoever replaces keys has the mailbox's lock,
 * and so has the caller: nothing is stored under old ones afterwards. Throws keys_replaced.
 */
export async function requireKeysInUse(trx: Trx, userId: string, keyIds: readonly string[]): Promise<string> {
  const keyId = await findKeyId(trx, userId);
  if (keyId === undefined || keyIds.some(one => one !== keyId)) throw new AppError('keys_replaced');
  return keyId;
}

/** The account that owns a normalised address, or signs in by it; null when nobody does. */
export const findAccountOf = async (db: Db | Trx, address: string): Promise<string | null> =>
  (await findAccountId(db, address))?.id ?? null;

/** Whether an account is suspended; false for who is gone. */
export const isSuspended = async (db: Db | Trx, userId: string): Promise<boolean> =>
  (await findStatus(db, userId)) === 'suspended';

/** A user's own addresses, the primary one first. */
export const addressesOf = (db: Db | Trx, userId: string): Promise<string[]> => findAddresses(db, userId);

/**
 * Bytes that still fit into a user's mailbox, with the containers that wait for brought mail in it; negative when it is over.
 * Throws not_found.
 */
export async function getFreeBytes(db: Db | Trx, userId: string): Promise<number> {
  const usage = await findUsage(db, userId);
  if (usage === undefined) throw new AppError('not_found');
  return storageLimitOf(usage.plan, usage.bonus_bytes) - usage.used_bytes - usage.waiting_bytes;
}

/**
 * Bytes in use of mailboxes whose locks the caller holds, with the containers that wait for brought mail in them, by user. Asked
 * for behind the lock: what stood there before it was waited for may be stored mail by now.
 */
export async function usedBytesOf(
  trx: Trx,
  boxes: readonly { readonly user_id: string; readonly used_bytes: number }[],
): Promise<Map<string, number>> {
  const waiting = await findWaitingBytes(
    trx,
    boxes.map(({ user_id }) => user_id),
  );
  return new Map(
    boxes.map(({ user_id, used_bytes }) => [user_id, used_bytes + (waiting.get(user_id) ?? 0)] as const),
  );
}

/** Bytes that a user's plan gives, whether or not they are used. Throws not_found. */
export async function getStorageLimit(db: Db | Trx, userId: string): Promise<number> {
  const usage = await findUsage(db, userId);
  if (usage === undefined) throw new AppError('not_found');
  return storageLimitOf(usage.plan, usage.bonus_bytes);
}

const isTagColor = (color: string): color is TagColor => (TAG_COLORS as readonly string[]).includes(color);

type Profile = NonNullable<Awaited<ReturnType<typeof findProfile>>>;

/** All contacts; the first entry is the user, named Me (docs/spec-map.md 3.01). */
const withOwnEntry = ({ email, main_key, contacts }: Profile): Contact[] => [
  {
    name: 'Me',
    email,
    mlkem_public: main_key.mlkem_public_key,
    dh_public: main_key.dh_public_key,
    fingerprint: main_key.key_id,
    verified: true,
  },
  ...(contacts ?? []),
];

/** A user's contacts, and whether the first one still brings extra storage. Throws not_found. */
export async function getContacts(
  db: Db | Trx,
  userId: string,
): Promise<{ contacts: Contact[]; bonus_available: boolean }> {
  const profile = await findProfile(db, userId);
  if (profile === undefined) throw new AppError('not_found');
  return { contacts: withOwnEntry(profile), bonus_available: profile.first_contact_at === null };
}

/**
 * The user as calls answer it (docs/api-conventions.md#user), with the client key of the session that asks. Throws not_logged_in.
 */
export async function getUser(db: Db | Trx, userId: string, clientKey: Uint8Array): Promise<User> {
  const profile = await findProfile(db, userId);
  if (profile === undefined) throw new AppError('not_logged_in');
  const addresses = profile.addresses ?? [];
  const tags = profile.tags ?? [];
  const { domainLimit, addressLimit } = PLAN_LIMITS[profile.plan];
  return {
    email: profile.email,
    kdf_email: profile.kdf_email,
    name: profile.name,
    role: { is_admin: profile.is_admin, admin_level: levelOf(profile) },
    ...(profile.primary_domain === null ? {} : { primary_domain: profile.primary_domain }),
    domains: profile.domains ?? [],
    addresses: addresses.filter(address => address !== profile.email),
    ...(profile.default_address === null ? {} : { default_address: profile.default_address }),
    off_addresses: profile.off_addresses ?? [],
    tags: tags.map(({ name, color }) => ({ name, color: isTagColor(color) ? color : 'gray' })),
    totp_active: profile.totp_since !== null,
    passkeys: profile.passkeys ?? 0,
    contacts: withOwnEntry(profile),
    plan: profile.plan,
    plan_config: {
      domain_limit: domainLimit,
      address_limit: addressLimit,
      storage_limit: storageLimitOf(profile.plan, profile.bonus_bytes),
    },
    storage_used: profile.used_bytes,
    main_key: profile.main_key,
    retired_keys: profile.retired_keys ?? [],
    client_key: Buffer.from(clientKey).toString('base64'),
    recovery_at: profile.recovery_at?.toISOString() ?? null,
    recovery_shown_at: profile.recovery_shown_at?.toISOString() ?? null,
  };
}

/** Changes the name that others see. */
export const changeName = (db: Db, userId: string, name: string): Promise<void> =>
  updateName(db, userId, name);

type StorageUse = {
  readonly limit: number;
  readonly used: number;
  readonly mail: number;
  readonly attachments: number;
  readonly spam_and_deleted: number;
  readonly drafts: number;
  readonly search_index: number;
};

/** What a user's storage is used for, in bytes. Throws not_found. */
export async function getStorageUse(db: Db, userId: string): Promise<StorageUse> {
  const [usage, sums] = [await findUsage(db, userId), await sumStorage(db, userId)];
  if (usage === undefined || sums === undefined) throw new AppError('not_found');
  return { limit: storageLimitOf(usage.plan, usage.bonus_bytes), used: usage.used_bytes, ...sums };
}
