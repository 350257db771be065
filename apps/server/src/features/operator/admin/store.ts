/**
 * SQL for accounts in the admin console: pages of the list, and what an action changes. Reads
 * nothing of a mailbox except its size and how much was sent from it.
 */
import type { api, InputOf } from '@keyfold/contract';
import {
  ADMIN_SHOWN_QUOTA_BYTES,
  ADMIN_STORAGE_HIGH_PERCENT,
  ADMIN_STORAGE_LOW_PERCENT,
  type AdminLevel,
} from '@keyfold/contract/limits';
import { type SqlBool, sql } from 'kysely';
import { levelOf } from '../../../base/admin-level.ts';
import type { Db, Trx } from '../../../db/pool.ts';

/** Below this many characters, a trigram index only supports prefix searches. */
const TRIGRAM_CHARACTERS = 3;

const escaped = (text: string): string => text.toLowerCase().replace(/[\\%_]/g, '\\$&');

function isFound(search: string) {
  const pattern = `${[...search].length < TRIGRAM_CHARACTERS ? '' : '%'}${escaped(search)}%`;
  return sql<SqlBool>`(lower(users.name) like ${pattern} or lower(users.email) like ${pattern})`;
}

/** Selection of a list: a text in the name or address, and filters. */
export type WantedUsers = Pick<
  InputOf<typeof api.admin.users>,
  'admin' | 'plan' | 'search' | 'status' | 'storage'
>;

const isSet = (filter: string): boolean => filter !== 'all' && filter !== '';

/** Returns whether the selection restricts the list at all. */
export const isWanted = ({ search, ...filters }: WantedUsers): boolean =>
  search !== '' || Object.values(filters).some(isSet);

const bytesOf = (percent: number): number => (ADMIN_SHOWN_QUOTA_BYTES * percent) / 100;
function storageTest(level: WantedUsers['storage']) {
  const used = sql.ref('mailboxes.used_bytes');
  const [low, high] = [bytesOf(ADMIN_STORAGE_LOW_PERCENT), bytesOf(ADMIN_STORAGE_HIGH_PERCENT)];
  if (level === 'high') return sql<SqlBool>`${used} > ${high}`;
  return level === 'low' ? sql<SqlBool>`${used} < ${low}` : sql<SqlBool>`${used} between ${low} and ${high}`;
}

/**
 * Converts the selection to conditions. Filter values are literals, so that partial indexes apply
 * (migration 0150).
 */
const conditionsOf = ({ search, status, plan, admin, storage }: WantedUsers) => [
  ...(search === '' ? [] : [isFound(search)]),
  ...(isSet(status) ? [sql<SqlBool>`users.status = ${sql.lit(status)}`] : []),
  ...(isSet(plan) ? [sql<SqlBool>`users.plan = ${sql.lit(plan)}`] : []),
  ...(isSet(admin)
    ? [admin === 'admin' ? sql<SqlBool>`users.is_admin` : sql<SqlBool>`not users.is_admin`]
    : []),
  ...(isSet(storage) ? [storageTest(storage)] : []),
];

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
      sql<string | null>`case when users.status = 'suspended' then (
        select entry.details->>'reason' from audit_entries entry
        where entry.subject_id = users.id and entry.action = 'suspend_user' order by entry.id desc limit 1
      ) end`.as('suspension_reason'),
      'users.created_at',
      'users.last_active_at',
    ])
    .orderBy('users.created_at', 'desc')
    .orderBy('users.id', 'desc');

export type ListedUser = Awaited<ReturnType<typeof readUsers>>[number];

/** Returns accounts registered before a time, newest first. */
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

/**
 * Returns the matching accounts, newest first. A short text must match the beginning of the name or
 * address.
 */
export const searchUsers = (
  db: Db | Trx,
  wanted: WantedUsers,
  page: { readonly skipped: number; readonly count: number },
  now: Date,
) =>
  listed(db, now)
    .where(eb => eb.and(conditionsOf(wanted)))
    .offset(page.skipped)
    .limit(page.count)
    .execute();

/** Counts the matching accounts, up to a limit. */
export async function countMatches(db: Db | Trx, wanted: WantedUsers, limit: number): Promise<number> {
  const row = await db
    .selectFrom(
      db
        .selectFrom('users')
        .$if(isSet(wanted.storage), users => users.innerJoin('mailboxes', 'mailboxes.user_id', 'users.id'))
        .select('users.id')
        .where(eb => eb.and(conditionsOf(wanted)))
        .limit(limit)
        .as('found'),
    )
    .select(eb => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return Number(row.total);
}

/** Returns the current admin level of an account, or null if it is not an admin. */
export async function findLevel(db: Db | Trx, id: string): Promise<AdminLevel | null> {
  const row = await db
    .selectFrom('users')
    .select(['is_admin', 'admin_level', 'status'])
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.status === 'active' ? levelOf(row) : null;
}

/** Returns whether an account has any level, suspended or not. */
export async function isAdmin(trx: Trx, id: string): Promise<boolean> {
  const row = await trx.selectFrom('users').select('is_admin').where('id', '=', id).executeTakeFirst();
  return row?.is_admin === true;
}
