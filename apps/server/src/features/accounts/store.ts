/**
 * Statements on users and the directory of addresses.
 */
import type { MainKey } from '@keyfold/contract';
import type { AdminLevel } from '@keyfold/contract/limits';
import { sql } from 'kysely';
import type { Db, Trx } from '../../db/pool.ts';

export type DirectoryRow = {
  readonly address: string;
  readonly user_id: string;
  readonly name: string;
  readonly status: 'active' | 'suspended';
  readonly plan: 'free' | 'plus' | 'pro';
  readonly bonus_bytes: number;
  readonly main_key: MainKey;
  readonly used_bytes: number;
};

/** The owners of addresses (normalised); addresses nobody owns are left out. */
export const findOwners = (db: Db | Trx, addresses: readonly string[]): Promise<DirectoryRow[]> =>
  db
    .selectFrom('addresses')
    .innerJoin('users', 'users.id', 'addresses.user_id')
    .innerJoin('mailboxes', 'mailboxes.user_id', 'addresses.user_id')
    .select([
      'addresses.address',
      'addresses.user_id',
      'users.name',
      'users.status',
      'users.plan',
      'users.bonus_bytes',
      'users.main_key',
      'mailboxes.used_bytes',
    ])
    .where('addresses.address', 'in', addresses.length === 0 ? [''] : [...addresses])
    .execute();

/** Every address of a user, the primary one first. */
export const findAddresses = async (db: Db | Trx, userId: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('addresses')
    .select('address')
    .where('user_id', '=', userId)
    .orderBy('is_primary', 'desc')
    .orderBy('created_at')
    .execute();
  return rows.map(row => row.address);
};

/** Bytes in use and allowed without the plan's own limit being applied. */
export const findUsage = (db: Db | Trx, userId: string) =>
  db
    .selectFrom('mailboxes')
    .innerJoin('users', 'users.id', 'mailboxes.user_id')
    .select(['mailboxes.used_bytes', 'users.plan', 'users.bonus_bytes'])
    .where('mailboxes.user_id', '=', userId)
    .executeTakeFirst();

/** What the user payload shows of an account, in one statement: it is asked for at every start of a client. */
export const findProfile = (db: Db | Trx, userId: string) =>
  db
    .selectFrom('users')
    .innerJoin('mailboxes', 'mailboxes.user_id', 'users.id')
    .select(eb => [
      'users.email',
      'users.kdf_email',
      'users.name',
      'users.is_admin',
      'users.admin_level',
      'users.plan',
      'users.bonus_bytes',
      'users.main_key',
      'mailboxes.used_bytes',
      eb
        .selectFrom('addresses')
        .select(sql<string[] | null>`array_agg(address order by is_primary desc, created_at)`.as('list'))
        .whereRef('addresses.user_id', '=', 'users.id')
        .as('addresses'),
      eb
        .selectFrom('tags')
        .select(
          sql<{ name: string; color: string }[] | null>`json_agg(
            json_build_object('name', name, 'color', color) order by name)`.as('list'),
        )
        .whereRef('tags.user_id', '=', 'users.id')
        .as('tags'),
    ])
    .where('users.id', '=', userId)
    .executeTakeFirst();

/** Sets the admin level of who owns an address; false when nobody does. */
export const setAdminLevel = async (
  db: Db | Trx,
  address: string,
  level: AdminLevel | null,
): Promise<boolean> => {
  const rows = await db
    .updateTable('users')
    .set({ is_admin: level !== null, admin_level: level })
    .where(eb =>
      eb.or([
        eb('users.email', '=', address),
        eb('users.kdf_email', '=', address),
        eb(
          'users.id',
          'in',
          eb.selectFrom('addresses').select('addresses.user_id').where('addresses.address', '=', address),
        ),
      ]),
    )
    .returning('id')
    .execute();
  return rows.length > 0;
};

export const listAdmins = (db: Db | Trx) =>
  db
    .selectFrom('users')
    .select(['email', 'admin_level'])
    .where('is_admin', '=', true)
    .orderBy('email')
    .execute();
