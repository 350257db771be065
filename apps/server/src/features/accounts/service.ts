/**
 * The directory: whose address it is, which keys seal mail to it, and whether there is room. Other features ask here;
 * accounts are made in features/auth.
 */
import { AppError } from '@keyfold/contract/errors';
import type { Db, Trx } from '../../db/pool.ts';
import { PLAN_LIMITS } from '../../limits.ts';
import { type DirectoryRow, findAddresses, findOwners, findUsage } from './store.ts';

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
});

/** The owners of normalised addresses by address; addresses nobody owns are absent. */
export const findOwnersOf = async (
  db: Db | Trx,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, Owner>> =>
  new Map((await findOwners(db, addresses)).map(row => [row.address, toOwner(row)]));

/** A user's own addresses, the primary one first. */
export const addressesOf = (db: Db | Trx, userId: string): Promise<string[]> => findAddresses(db, userId);

/** Bytes that still fit into a user's mailbox; negative when it is over. Throws not_found. */
export const getFreeBytes = async (db: Db | Trx, userId: string): Promise<number> => {
  const usage = await findUsage(db, userId);
  if (usage === undefined) throw new AppError('not_found');
  return storageLimitOf(usage.plan, usage.bonus_bytes) - usage.used_bytes;
};
