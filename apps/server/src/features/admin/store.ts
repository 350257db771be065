/**
 * Statements of the console on accounts: pages of the list, and what an action changes. Nothing of a mailbox is read but
 * its size and how much was sent from it.
 */
import type { AdminLevel } from '@keyfold/contract/limits';
import { type SqlBool, sql } from 'kysely';
import { levelOf } from '../../admin-level.ts';
import type { Db, Trx } from '../../db/pool.ts';

/** Below this many characters an index of trigrams knows beginnings of names alone. */
const TRIGRAM_CHARACTERS = 3;

const escaped = (text: string): string => text.toLowerCase().replace(/[\\%_]/g, '\\$&');

const isFound = (search: string) => {
  const pattern = `${[...search].length < TRIGRAM_CHARACTERS ? '' : '%'}${escaped(search)}%`;
  return sql<SqlBool>`(lower(users.name) like ${pattern} or lower(users.email) like ${pattern})`;
};

const listed = (db: Db | Trx, now: Date) =>
  db
    .selectFrom('users')
    .innerJoin('mailboxes', 'mailboxes.user_id', 'users.id')
    .select(eb => [
      'users.id',
      'users.name',
      'users.email',
      'users.status',
      'users.plan',
      'users.is_admin',
      'users.admin_level',
      'mailboxes.used_bytes',
      'mailboxes.sent_emails',
      eb
        .selectFrom('domains')
        .select(eb.fn.countAll<number>().as('total'))
        .whereRef('domains.user_id', '=', 'users.id')
        .as('domain_count'),
      eb
        .exists(
          eb
            .selectFrom('send_holds')
            .select('send_holds.user_id')
            .whereRef('send_holds.user_id', '=', 'users.id')
            .where('send_holds.held_until', '>', now),
        )
        .as('mail_held'),
      'users.created_at',
      'users.last_active_at',
    ])
    .orderBy('users.created_at', 'desc')
    .orderBy('users.id', 'desc');

export type ListedUser = Awaited<ReturnType<typeof readUsers>>[number];

/** Accounts registered before a time, youngest first. */
export const readUsers = (
  db: Db | Trx,
  page: { readonly before: Date; readonly skipped: number; readonly count: number },
  now: Date,
) =>
  listed(db, now)
    .where('users.created_at', '<', page.before)
    .offset(page.skipped)
    .limit(page.count)
    .execute();

/** Accounts whose name or address holds a text, or begins with a short one. */
export const searchUsers = (
  db: Db | Trx,
  search: string,
  page: { readonly skipped: number; readonly count: number },
  now: Date,
) => listed(db, now).where(isFound(search)).offset(page.skipped).limit(page.count).execute();

/** How many there are of them, counted up to a limit. */
export const countMatches = async (db: Db | Trx, search: string, limit: number): Promise<number> => {
  const row = await db
    .selectFrom(db.selectFrom('users').select('users.id').where(isFound(search)).limit(limit).as('found'))
    .select(eb => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return Number(row.total);
};

/** Locks an account; what an action asks of it. */
export const lockAccount = (trx: Trx, id: string) =>
  trx
    .selectFrom('users')
    .select(['id', 'email', 'status', 'plan', 'is_admin', 'admin_level'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();

/**
 * Locks every super admin who is not suspended, one after the other in one order, so that two who remove each other see one
 * another; answers the ids of those who still are it then. Who becomes one meanwhile is not missed: that takes none away.
 */
export const lockSupers = async (trx: Trx): Promise<string[]> => {
  const rows = await trx
    .selectFrom('users')
    .select('id')
    .where('is_admin', '=', true)
    .where('admin_level', '=', 'super')
    .where('status', '=', 'active')
    .orderBy('id')
    .execute();
  const supers: string[] = [];
  for (const { id } of rows) {
    const account = await lockAccount(trx, id);
    if (account?.is_admin === true && account.admin_level === 'super' && account.status === 'active')
      supers.push(id);
  }
  return supers;
};

/** The admin level that an account has now; null for who is no admin. */
export const findLevel = async (db: Db | Trx, id: string): Promise<AdminLevel | null> => {
  const row = await db
    .selectFrom('users')
    .select(['is_admin', 'admin_level', 'status'])
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.status === 'active' ? levelOf(row) : null;
};

/** Whether an account has any level, suspended or not. */
export const isAdmin = async (trx: Trx, id: string): Promise<boolean> => {
  const row = await trx.selectFrom('users').select('is_admin').where('id', '=', id).executeTakeFirst();
  return row?.is_admin === true;
};

export const updateStatus = async (trx: Trx, id: string, status: 'active' | 'suspended'): Promise<void> => {
  await trx.updateTable('users').set({ status }).where('id', '=', id).execute();
};
