/**
 * SQL for the addresses that a user creates besides the first one. The table itself records
 * released addresses ([Note: Former addresses]).
 */

import { sql } from 'kysely';
import type { Db, Trx } from '../../../db/pool.ts';

export type AddressRow = {
  readonly address: string;
  readonly is_primary: boolean;
  readonly label_sealed: Buffer | null;
  readonly is_on: boolean;
  readonly is_default: boolean;
  readonly created_at: Date;
};

/** Returns every address of a user, the main one first. */
export const listRows = (db: Db | Trx, userId: string): Promise<AddressRow[]> =>
  db
    .selectFrom('addresses')
    .select(['address', 'is_primary', 'label_sealed', 'is_on', 'is_default', 'created_at'])
    .where('user_id', '=', userId)
    .orderBy('is_primary', 'desc')
    .orderBy('created_at')
    .orderBy('address')
    .execute();

/** Returns the account data that the rules need. */
export const findAccount = (db: Db | Trx, userId: string) =>
  db.selectFrom('users').select(['kdf_email', 'email', 'plan']).where('id', '=', userId).executeTakeFirst();

/** Returns the domains that a user has verified, the primary one first. */
export async function listProvedDomains(db: Db | Trx, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('domains')
    .select('domain')
    .where('user_id', '=', userId)
    .where('verified_at', 'is not', null)
    .orderBy('is_primary', 'desc')
    .orderBy('created_at')
    .orderBy('domain')
    .execute();
  return rows.map(row => row.domain);
}

/** Inserts an address. Rejects as a duplicate when the address is or was in use. */
export async function insertAddress(
  trx: Trx,
  row: {
    readonly address: string;
    readonly user_id: string;
    readonly label_sealed?: Buffer | null;
    readonly is_on?: boolean;
    readonly is_default?: boolean;
  },
): Promise<void> {
  await trx
    .insertInto('addresses')
    .values({ is_primary: false, ...row })
    .execute();
}

export async function deleteAddress(trx: Trx, userId: string, address: string): Promise<void> {
  await trx.deleteFrom('addresses').where('user_id', '=', userId).where('address', '=', address).execute();
}

export async function updateAddress(
  trx: Trx,
  userId: string,
  address: string,
  change: {
    readonly label_sealed?: Buffer | null;
    readonly is_on?: boolean;
    readonly is_default?: boolean;
  },
): Promise<void> {
  await trx
    .updateTable('addresses')
    .set(change)
    .where('user_id', '=', userId)
    .where('address', '=', address)
    .execute();
}

export async function clearDefault(trx: Trx, userId: string): Promise<void> {
  await trx
    .updateTable('addresses')
    .set({ is_default: false })
    .where('user_id', '=', userId)
    .where('is_default', '=', true)
    .execute();
}

/** Makes another of a user's addresses the main one. */
export async function setMain(trx: Trx, userId: string, address: string): Promise<void> {
  await trx
    .updateTable('addresses')
    .set({ is_primary: sql<boolean>`address = ${address}` })
    .where('user_id', '=', userId)
    .execute();
}

/** Transfers a domain's catch-all from one address to another. */
export async function moveCatchall(trx: Trx, userId: string, from: string, to: string): Promise<void> {
  await trx
    .updateTable('domains')
    .set({ catchall: to })
    .where('user_id', '=', userId)
    .where('catchall', '=', from)
    .execute();
}

/** Deletes all of a user's addresses at a domain. */
export async function deleteAddressesAt(trx: Trx, userId: string, domain: string): Promise<void> {
  await trx
    .deleteFrom('addresses')
    .where('user_id', '=', userId)
    .where('address', 'like', `%@${domain.replace(/[\\%_]/g, '\\$&')}`)
    .execute();
}
