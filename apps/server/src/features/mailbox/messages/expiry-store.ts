/**
 * Statements that find mail whose time is over, in all mailboxes or, under its lock, in one.
 */
import { type SqlBool, sql } from 'kysely';
import { FLAG_BITS } from '../../../base/flags.ts';
import type { Db, Trx } from '../../../db/pool.ts';

export type ExpiredMail = { readonly user_id: string; readonly id: string };
/** One mailbox and the mails to look at in it. */
export type OneMailbox = { readonly userId: string; readonly ids: readonly string[] };
/** Finds mails that ended before a time, oldest first, at most `limit`. */
export type FindExpired = (
  db: Db | Trx,
  before: Date,
  limit: number,
  only?: OneMailbox,
) => Promise<ExpiredMail[]>;

function mailsOf(db: Db | Trx, only: OneMailbox | undefined, limit: number) {
  const mails = db.selectFrom('mails').select(['user_id', 'id']).limit(limit);
  if (only === undefined) return mails;
  return mails.where('user_id', '=', only.userId).where(sql<SqlBool>`id = any(${[...only.ids]}::uuid[])`);
}

/** Deleted mails whose purge time has come. */
export const findPurgeable: FindExpired = (db, before, limit, only) =>
  mailsOf(db, only, limit).where('deleted_at', '<=', before).orderBy('deleted_at').execute();

/** Drafts without a body that were made before a time; only they have no headers. */
export const findEmptyDrafts: FindExpired = (db, before, limit, only) =>
  mailsOf(db, only, limit)
    .where('headers', '=', '')
    .where(sql<SqlBool>`flags & ${FLAG_BITS.draft}::smallint <> 0`)
    .where('received_at', '<=', before)
    .orderBy('received_at')
    .execute();

/** Snoozed mails whose time of waking has come. */
export const findWakeable: FindExpired = (db, before, limit, only) =>
  mailsOf(db, only, limit).where('snoozed_until', '<=', before).orderBy('snoozed_until').execute();
