/**
 * Numbers beside folders and tags, and what is new: all from counters and arrival times, never by counting a mailbox
 * (docs/spec-map.md 7.33, 7.54, docs/interpretations.md#57 and #60).
 */
import { FOLDER_FILTERS, TAG_FILTER, type Tag } from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import { sql } from 'kysely';
import { type FlagFilter, matches, NO_NEWS_BITS } from '../../../base/flags.ts';
import type { Db } from '../../../db/pool.ts';
import { ALL_MAILS } from '../../mailbox/messages/index.ts';

/** Received mail that waits to be read (docs/interpretations.md#60). */
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

/** Unread received mails of a user. */
export const countUnread = async (db: Db, userId: string): Promise<number> =>
  totalOf(await findCounts(db, userId).where('tag_id', '=', ALL_MAILS).execute(), UNREAD);

/** Total and unread mails of each folder and each of the user's tags with its colour, and the bytes in use. */
export async function countFolders(
  db: Db,
  userId: string,
): Promise<{
  folders: Record<string, FolderCount>;
  tags: Record<string, FolderCount & Pick<Tag, 'color'>>;
  storage_used: number;
  version: number;
}> {
  // First, so that the numbers are never older than the version says.
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
 * How many mails arrived since an earlier answer and still wait to be looked at. Arrival times of a mailbox only grow, under its lock, and the newest
 * is stored with the mail in one transaction: what this answer does not count, the next one does, and no mail is counted
 * twice. Throws malformed when `lastCheck` is no time.
 */
export async function checkNew(
  db: Db,
  userId: string,
  lastCheck: string | undefined,
): Promise<NewMailAnswer> {
  const asked = lastCheck === undefined ? null : new Date(lastCheck);
  if (asked !== null && Number.isNaN(asked.getTime()))
    throw new AppError('malformed', { problems: [{ path: 'last_check', message: 'Not a time' }] });
  // No mail is older; PostgreSQL does not know every year that a Date can name.
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
