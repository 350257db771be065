/**
 * Messages by id, and the ids of a whole mailbox, for the client's search index. query.ts handles
 * lists with conditions.
 */
import type { Email } from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import { sql } from 'kysely';
import type { Db } from '../../../db/pool.ts';
import { isUuid } from '../../../db/uuid.ts';
import { ALL_MAILS } from '../../mailbox/messages/index.ts';
import { byIds, readMails, type View } from './mail-rows.ts';
import { toWireEmail } from './wire-email.ts';

/** Returns those of the given messages that the user has, newest first. */
export async function findMails(
  db: Db,
  userId: string,
  ids: readonly string[],
  view: View,
): Promise<Email[]> {
  const known = [...new Set(ids)].filter(isUuid);
  if (known.length === 0) return [];
  const rows = await readMails(db, userId, byIds(userId, known), view);
  return rows.map(row => toWireEmail(row, view));
}

/**
 * Returns a page of a mailbox's ids and times, most recently stored first, with the total number.
 * Throws malformed for an invalid last_id.
 */
export async function listIds(
  db: Db,
  userId: string,
  count: number,
  lastId: string | undefined,
): Promise<{ data: [string, string][]; count: number }> {
  if (lastId !== undefined && !isUuid(lastId)) throw new AppError('malformed');
  const [page, total] = await Promise.all([
    db
      .selectFrom('mails')
      .select(eb => ['id', eb.fn.coalesce('first_received_at', 'received_at').as('received_at')])
      .where('user_id', '=', userId)
      .$if(lastId !== undefined, query => query.where('id', '<', lastId ?? ''))
      .orderBy('id', 'desc')
      .limit(count)
      .execute(),
    // The counters provide the total without counting rows ([Note: Buckets]).
    sql<{ n: number }>`
      select coalesce(sum(total), 0)::int as n from mail_counts
      where user_id = ${userId} and tag_id = ${ALL_MAILS}::uuid`.execute(db),
  ]);
  return {
    data: page.map(({ id, received_at }): [string, string] => [id, received_at.toISOString()]),
    count: total.rows[0]?.n ?? 0,
  };
}
