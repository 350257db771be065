/**
 * The directory: whose address it is, which keys seal mail to it, and whether there is room. Other features ask here;
 * accounts are made in features/auth.
 */
import type { User } from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import { TAG_COLORS, type TagColor } from '@keyfold/contract/limits';
import type { Db, Trx } from '../../db/pool.ts';
import { PLAN_LIMITS } from '../../limits.ts';
import { type DirectoryRow, findAddresses, findOwners, findProfile, findUsage } from './store.ts';

/** An address of this service with what is needed to seal mail to it. */
export type Owner = {
  readonly address: string;
  readonly userId: string;
  readonly name: string;
  readonly isSuspended: boolean;
  /** ML-KEM-1024 public key, 1568 bytes. */
  readonly mlkemPublic: Uint8Array;
  /** X25519 public key, 32 bytes. */
  readonly dhPublic: Uint8Array;
  /** key_id, base64 of 20 bytes. */
  readonly fingerprint: string;
  readonly storageLimitBytes: number;
  /** Bytes in use when asked; under no lock, so good for a first look only. */
  readonly usedBytes: number;
};

export const storageLimitOf = (plan: keyof typeof PLAN_LIMITS, bonusBytes: number): number =>
  PLAN_LIMITS[plan].storageBytes + bonusBytes;

const toOwner = (row: DirectoryRow): Owner => ({
  address: row.address,
  userId: row.user_id,
  name: row.name,
  isSuspended: row.status === 'suspended',
  mlkemPublic: Buffer.from(row.main_key.mlkem_public_key, 'base64'),
  dhPublic: Buffer.from(row.main_key.dh_public_key, 'base64'),
  fingerprint: row.main_key.key_id,
  storageLimitBytes: storageLimitOf(row.plan, row.bonus_bytes),
  usedBytes: row.used_bytes,
});

/** The address without `+tag`, or null when it has none: `user+anything@` is the user's too, sealed like the rest. */
export const withoutTag = (address: string): string | null => {
  const at = address.lastIndexOf('@');
  const plus = address.indexOf('+');
  return plus > 0 && plus < at ? address.slice(0, plus) + address.slice(at) : null;
};

/** The owners of normalised addresses by the address asked for, tagged ones included; addresses nobody owns are absent. */
export const findOwnersOf = async (
  db: Db | Trx,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, Owner>> => {
  const untagged = addresses.map(withoutTag).filter(address => address !== null);
  const rows = await findOwners(db, [...new Set([...addresses, ...untagged])]);
  const owners = new Map(rows.map(row => [row.address, toOwner(row)]));
  return new Map(
    addresses.flatMap(address => {
      const owner = owners.get(address) ?? owners.get(withoutTag(address) ?? '');
      return owner === undefined ? [] : [[address, owner] as const];
    }),
  );
};

/** A user's own addresses, the primary one first. */
export const addressesOf = (db: Db | Trx, userId: string): Promise<string[]> => findAddresses(db, userId);

/** Bytes that still fit into a user's mailbox; negative when it is over. Throws not_found. */
export const getFreeBytes = async (db: Db | Trx, userId: string): Promise<number> => {
  const usage = await findUsage(db, userId);
  if (usage === undefined) throw new AppError('not_found');
  return storageLimitOf(usage.plan, usage.bonus_bytes) - usage.used_bytes;
};

const isTagColor = (color: string): color is TagColor => (TAG_COLORS as readonly string[]).includes(color);

/** The user as calls answer it (api.md, User), with the client key of the session that asks. Throws not_logged_in. */
export const getUser = async (db: Db | Trx, userId: string, clientKey: Uint8Array): Promise<User> => {
  const profile = await findProfile(db, userId);
  if (profile === undefined) throw new AppError('not_logged_in');
  const addresses = profile.addresses ?? [];
  const tags = profile.tags ?? [];
  const { domainLimit, addressLimit } = PLAN_LIMITS[profile.plan];
  return {
    email: profile.email,
    kdf_email: profile.kdf_email,
    name: profile.name,
    role: {
      is_admin: profile.is_admin,
      admin_level: profile.is_admin ? (profile.admin_level ?? 'readonly') : null,
    },
    domains: [],
    addresses: addresses.filter(address => address !== profile.email),
    tags: tags.map(({ name, color }) => ({ name, color: isTagColor(color) ? color : 'gray' })),
    totp_active: false,
    contacts: [],
    plan: profile.plan,
    plan_config: {
      domain_limit: domainLimit,
      address_limit: addressLimit,
      storage_limit: storageLimitOf(profile.plan, profile.bonus_bytes),
    },
    storage_used: profile.used_bytes,
    main_key: profile.main_key,
    client_key: Buffer.from(clientKey).toString('base64'),
  };
};
