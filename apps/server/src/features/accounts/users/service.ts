/**
 * The directory: who owns an address, which keys seal mail to it, and whether its mailbox has free
 * storage. Accounts are created in features/accounts/auth.
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

/**
 * Returns whether revoking the super level of an account would leave the service without a super
 * admin.
 */
export const isLastSuper = (supers: readonly string[], userId: string): boolean =>
  supers.every(one => one === userId);

/** Address of this service, with the data needed to seal mail to it. */
export type Owner = {
  readonly address: string;
  /** Whether the address is disabled and receives nothing. */
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
  /**
   * Bytes in use at the time of the query, including blobs of pending imports. Read without a lock,
   * so suitable only for a first check.
   */
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

/**
 * Returns the owners of normalized addresses, tagged ones included, by the requested address.
 * Addresses without an owner are absent.
 */
export const findOwnersOf = async (
  db: Db | Trx,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, Owner>> => byAddress(addresses, await findOwners(db, withBases(addresses)));

/**
 * Returns the receivers of mail for normalized addresses. Like findOwnersOf, but an unknown address
 * at a user's domain resolves to the owner of its catch-all address. Such an address has no keys,
 * so use this only for unencrypted mail.
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

/**
 * Returns the keys of exactly these addresses, by address. Addresses without an owner are absent.
 */
export const mainKeysOf = async (
  db: Db | Trx,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, MainKey>> =>
  new Map((await findOwners(db, addresses)).map(row => [row.address, row.main_key]));

/** Returns the fingerprint of a user's current keys. Throws not_found. */
export async function getKeyId(db: Db, userId: string): Promise<string> {
  const keyId = await findKeyId(db, userId);
  if (keyId === undefined) throw new AppError('not_found');
  return keyId;
}

/**
 * Requires that these are the current keys, before data that their owner wrapped or sealed is
 * stored. Key rotation holds the mailbox's lock, and so must the caller: nothing is stored under
 * old keys afterwards. Throws keys_replaced.
 */
export async function requireKeysInUse(trx: Trx, userId: string, keyIds: readonly string[]): Promise<string> {
  const keyId = await findKeyId(trx, userId);
  if (keyId === undefined || keyIds.some(one => one !== keyId)) throw new AppError('keys_replaced');
  return keyId;
}

/** Returns the account that owns a normalized address or signs in with it, or null. */
export const findAccountOf = async (db: Db | Trx, address: string): Promise<string | null> =>
  (await findAccountId(db, address))?.id ?? null;

/** Returns whether an account is suspended; false for a deleted account. */
export const isSuspended = async (db: Db | Trx, userId: string): Promise<boolean> =>
  (await findStatus(db, userId)) === 'suspended';

/** Returns a user's own addresses, the primary one first. */
export const addressesOf = (db: Db | Trx, userId: string): Promise<string[]> => findAddresses(db, userId);

/**
 * Returns the free bytes of a user's mailbox, counting blobs of pending imports as used; negative
 * when it is over its limit. Throws not_found.
 */
export async function getFreeBytes(db: Db | Trx, userId: string): Promise<number> {
  const usage = await findUsage(db, userId);
  if (usage === undefined) throw new AppError('not_found');
  return storageLimitOf(usage.plan, usage.bonus_bytes) - usage.used_bytes - usage.waiting_bytes;
}

/**
 * Returns the bytes in use, including blobs of pending imports, by user. The caller holds the
 * mailboxes' locks. Must run after the locks are acquired: a pending import may have become stored
 * mail while the caller waited.
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

/** Returns the bytes that a user's plan includes, used or not. Throws not_found. */
export async function getStorageLimit(db: Db | Trx, userId: string): Promise<number> {
  const usage = await findUsage(db, userId);
  if (usage === undefined) throw new AppError('not_found');
  return storageLimitOf(usage.plan, usage.bonus_bytes);
}

const isTagColor = (color: string): color is TagColor => (TAG_COLORS as readonly string[]).includes(color);

type Profile = NonNullable<Awaited<ReturnType<typeof findProfile>>>;

/** Returns all contacts. The first entry is the user, named Me (docs/spec-map.md 3.01). */
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

/**
 * Returns a user's contacts, and whether the first contact still earns extra storage. Throws
 * not_found.
 */
export async function getContacts(
  db: Db | Trx,
  userId: string,
): Promise<{ contacts: Contact[]; bonus_available: boolean }> {
  const profile = await findProfile(db, userId);
  if (profile === undefined) throw new AppError('not_found');
  return { contacts: withOwnEntry(profile), bonus_available: profile.first_contact_at === null };
}

/**
 * Returns the user as API responses contain it (docs/api-conventions.md#user), with the client key
 * of the requesting session. Throws not_logged_in.
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

/** Changes the display name. */
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

/** Returns a user's storage use by category, in bytes. Throws not_found. */
export async function getStorageUse(db: Db, userId: string): Promise<StorageUse> {
  const [usage, sums] = [await findUsage(db, userId), await sumStorage(db, userId)];
  if (usage === undefined || sums === undefined) throw new AppError('not_found');
  return { limit: storageLimitOf(usage.plan, usage.bonus_bytes), used: usage.used_bytes, ...sums };
}
