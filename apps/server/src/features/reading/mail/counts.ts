/**
 * Counts for folders and tags, and checks for new messages. Uses counters and arrival times and
 * never scans a mailbox (docs/spec-map.md 7.33, 7.54, docs/interpretations.md#57 and #60).
 */
import { FOLDER_FILTERS, TAG_FILTER, type Tag } from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import { sql } from 'kysely';
import { type FlagFilter, matches, NO_NEWS_BITS } from '../../../base/flags.ts';
import type { Db } from '../../../db/pool.ts';
import { ALL_MAILS } from '../../mailbox/messages/index.ts';

/** Received messages that are unread (docs/interpretations.md#60). */
const UNREAD: FlagFilter = { read: false, sent: false, deleted: false, draft: false, flagged: false };

export type FolderCount = { total: number; unread: number };
type CountRow = { readonly tag_id: string; readonly flags: number; readonly total: number };

const totalOf = (rows: readonly CountRow[], filter: FlagFilter): number =>
  rows.reduce((sum, row) => (matches(row.flags, filter) ? sum + row.total : sum), 0);

const countOf = (rows: readonly CountRow[], filter: FlagFilter): FolderCount => ({
  total: totalOf(rows, filter),
  unread: totalOf(rows, { ...filter, read: false }),
});

const findCounts = (db: Db, userId: string) =>
  db
    .selectFrom('mail_counts')
    .select(['tag_id', 'flags', 'total'])
    .where('user_id', '=', userId)
    .where('total', '>', 0);

/** Returns the number of a user's unread received messages. */
export const countUnread = async (db: Db, userId: string): Promise<number> =>
  totalOf(await findCounts(db, userId).where('tag_id', '=', ALL_MAILS).execute(), UNREAD);

/**
 * Returns total and unread counts for each folder and for each of the user's tags with its color,
 * and the bytes used.
 */
export async function countFolders(
  db: Db,
  userId: string,
): Promise<{
  folders: Record<string, FolderCount>;
  tags: Record<string, FolderCount & Pick<Tag, 'color'>>;
  storage_used: number;
  version: number;
}> {
  // Read first, so that the counts are never older than the version.
  const box = await db
    .selectFrom('mailboxes')
    .select(['used_bytes', 'version'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
  const [rows, tags] = await Promise.all([
    findCounts(db, userId).execute(),
    db
      .selectFrom('tags')
      .select(['id', 'name', 'color'])
      .where('user_id', '=', userId)
      .orderBy('name')
      .execute(),
  ]);
  const byTag = Map.groupBy(rows, row => row.tag_id);
  return {
    folders: Object.fromEntries(
      Object.entries(FOLDER_FILTERS).map(([name, filter]) => [
        name,
        countOf(byTag.get(ALL_MAILS) ?? [], filter),
      ]),
    ),
    tags: Object.fromEntries(
      tags.map(({ id, name, color }) => [
        name,
        { ...countOf(byTag.get(id) ?? [], TAG_FILTER), color: color as Tag['color'] },
      ]),
    ),
    storage_used: box?.used_bytes ?? 0,
    version: box?.version ?? 0,
  };
}

export type NewMailAnswer = { last_check: string; has_new_emails: boolean; new_email_count: number };

/**
 * Returns how many messages arrived since an earlier response and still need attention. Arrival
 * times of a mailbox only increase, under its lock, and the newest is stored in the same
 * transaction as the message. A message missing from this response is therefore in the next one,
 * and none is counted twice. Throws malformed when `lastCheck` is not a time.
 */
export async function checkNew(
  db: Db,
  userId: string,
  lastCheck: string | undefined,
): Promise<NewMailAnswer> {
  const asked = lastCheck === undefined ? null : new Date(lastCheck);
  if (asked !== null && Number.isNaN(asked.getTime()))
    throw new AppError('malformed', { problems: [{ path: 'last_check', message: 'Invalid time' }] });
  // No message is older. PostgreSQL does not support every year that a Date can represent.
  const since = asked === null ? null : new Date(Math.max(0, asked.getTime()));
  const { rows } = await sql<{ last_arrival: Date; n: number }>`
    select b.last_arrival, (
      select count(*) from mails m
      where m.user_id = b.user_id and m.arrived_at > ${since}::timestamptz
        and m.flags & ${NO_NEWS_BITS}::smallint = 0
    ) as n
    from mailboxes b where b.user_id = ${userId}`.execute(db);
  const [box] = rows;
  if (box === undefined) throw new AppError('not_found');
  return {
    last_check: box.last_arrival.toISOString(),
    has_new_emails: box.n > 0,
    new_email_count: box.n,
  };
}
