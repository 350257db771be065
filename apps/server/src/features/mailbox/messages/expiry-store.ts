/** SQL that finds expired messages, in all mailboxes or, under its lock, in one. */
import { type SqlBool, sql } from 'kysely';
import { FLAG_BITS } from '../../../base/flags.ts';
import type { Db, Trx } from '../../../db/pool.ts';

export type ExpiredMail = { readonly user_id: string; readonly id: string };
/** One mailbox and the messages to check in it. */
export type OneMailbox = { readonly userId: string; readonly ids: readonly string[] };
/** Finds messages that expired before a time, oldest first, at most `limit`. */
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

/** Deleted messages that are due for purging. */
export const findPurgeable: FindExpired = (db, before, limit, only) =>
  mailsOf(db, only, limit).where('deleted_at', '<=', before).orderBy('deleted_at').execute();

/** Drafts without a body that were created before a time. Only these have no headers. */
export const findEmptyDrafts: FindExpired = (db, before, limit, only) =>
  mailsOf(db, only, limit)
    .where('headers', '=', '')
    .where(sql<SqlBool>`flags & ${FLAG_BITS.draft}::smallint <> 0`)
    .where('received_at', '<=', before)
    .orderBy('received_at')
    .execute();

/** Messages whose snooze time has passed. */
export const findWakeable: FindExpired = (db, before, limit, only) =>
  mailsOf(db, only, limit).where('snoozed_until', '<=', before).orderBy('snoozed_until').execute();
