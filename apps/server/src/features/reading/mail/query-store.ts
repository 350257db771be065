/**
 * Statements that find which messages a list shows, as ids and times, newest first. mail-rows.ts
 * reads their rows.
 *
 * A page is a merge of one index range per mask ([Note: Buckets]), each limited to the page's
 * length. The same statement reads the masks from the counters, so a message whose mask changes
 * meanwhile is neither lost nor seen twice, and the plan is the same for every filter. The cost
 * depends neither on the mailbox's size nor on the depth of a cursor.
 */
import { type RawBuilder, sql } from 'kysely';
import { FLAG_BITS } from '../../../base/flags.ts';
import type { Db } from '../../../db/pool.ts';
import { ALL_MAILS } from '../../mailbox/messages/index.ts';
import type { Bucket } from './buckets.ts';
import {
  allOf,
  furtherConditions,
  isAfter,
  isNamed,
  isNewest,
  passesFlags,
  type Source,
  tagIdsOf,
} from './conditions.ts';
import type { Cursor } from './query-cache.ts';

export type Overview = {
  readonly version: number;
  readonly buckets: readonly Bucket[];
};

/** Returns a mailbox's version with its buckets or those of some tags, all from one snapshot. */
export async function getOverview(db: Db, userId: string, tagNames: readonly string[]): Promise<Overview> {
  const tagged = sql`
    select t.name, c.tag_id, c.flags, c.total from tags t
    join mail_counts c on c.user_id = t.user_id and c.tag_id = t.id
    where t.user_id = ${userId} and t.name = any(${[...tagNames]}::text[]) and c.total > 0`;
  const all = sql`
    select null::text as name, c.tag_id, c.flags, c.total from mail_counts c
    where c.user_id = ${userId} and c.tag_id = ${ALL_MAILS}::uuid and c.total > 0`;
  const { rows } = await sql<{
    version: number;
    tag_id: string | null;
    name: string | null;
    flags: number;
    total: number;
  }>`
    select b.version, c.* from mailboxes b
    left join (${tagNames.length === 0 ? all : tagged}) c on true
    where b.user_id = ${userId}`.execute(db);
  return {
    version: rows[0]?.version ?? 0,
    buckets: rows.flatMap(({ tag_id, name, flags, total }) =>
      tag_id === null ? [] : [{ tagId: tag_id, tagName: name, flags, total }],
    ),
  };
}

/** Returns the position of a user's message in a list, or null when there is no such message. */
export async function findCursor(db: Db, userId: string, id: string): Promise<Cursor | null> {
  const { rows } = await sql<{ at: string }>`
    select received_at::text as at from mails where user_id = ${userId} and id = ${id}::uuid`.execute(db);
  const [row] = rows;
  return row === undefined ? null : { id, receivedAt: row.at };
}

type Statement = RawBuilder<unknown>;

/**
 * Builds the statement for the matching messages of one mask (an expression): id, received_at, and
 * thread_id where it matters.
 */
function rangeOf(source: Source, mask: Statement, cursor: Cursor | null, limit: number, newestOnly: boolean) {
  const { userId, filter, ranges } = source;
  const further = [
    ...furtherConditions('m', filter, ranges.otherTagIds),
    ...(newestOnly ? [isNewest('m', source)] : []),
  ];
  if (ranges.tagId === null)
    return sql`
      select m.id, m.received_at, m.thread_id from mails m
      where m.user_id = ${userId} and m.flags = ${mask}
        and ${allOf([...isAfter(cursor, 'm.received_at', 'm.id'), ...further])}
      order by m.received_at desc, m.id desc limit ${limit}`;
  const needsRow = further.length > 0 || filter.isThreaded;
  const row = needsRow ? sql`join mails m on m.user_id = g.user_id and m.id = g.mail_id` : sql``;
  return sql`
    select g.mail_id as id, g.received_at, ${needsRow ? sql`m.thread_id` : sql`null::uuid`} as thread_id
    from mail_tags g ${row}
    where g.user_id = ${userId} and g.tag_id = ${ranges.tagId}::uuid and g.flags = ${mask}
      and ${allOf([...isAfter(cursor, 'g.received_at', 'g.mail_id'), ...further])}
    order by g.received_at desc, g.mail_id desc limit ${limit}`;
}

/** Builds the statement for the few messages with a given Message-ID, in no particular order. */
const namedMails = ({ userId, filter, ranges }: Source, messageId: string, cursor: Cursor | null) => sql`
  select m.id, m.received_at, m.thread_id from mails m
  where m.user_id = ${userId} and ${passesFlags('m.flags', filter.flags)}
    and ${allOf([
      isNamed(userId, messageId, filter.isThreaded),
      ...furtherConditions('m', filter, tagIdsOf(ranges)),
      ...isAfter(cursor, 'm.received_at', 'm.id'),
    ])}`;

/**
 * Builds the statement for the next messages after a cursor, newest first; for conversations, all
 * matching messages.
 */
export function nextMails(source: Source, cursor: Cursor | null, count: number, skip = 0): Statement {
  const { userId, filter, ranges } = source;
  const found =
    filter.messageId !== undefined
      ? namedMails(source, filter.messageId, cursor)
      : sql`
          select k.id, k.received_at, k.thread_id
          from mail_counts c
          cross join lateral (${rangeOf(source, sql`c.flags`, cursor, skip + count, false)}) k
          where c.user_id = ${userId} and c.tag_id = ${ranges.tagId ?? ALL_MAILS}::uuid and c.total > 0
            and ${passesFlags('c.flags', filter.flags)}`;
  return sql`
    select id, received_at, thread_id from (${found}) f
    order by received_at desc, id desc limit ${count} offset ${skip}`;
}

/**
 * Returns the position after the given number of rows of a list, or null when the list is shorter.
 * PostgreSQL merges the ranges lazily here (Merge Append over index scans), which is much cheaper
 * than nextMails for a long skip but costs more to plan for a page.
 */
export async function findPlace(
  db: Db,
  source: Source,
  cursor: Cursor | null,
  rowCount: number,
): Promise<Cursor | null> {
  const { filter, ranges } = source;
  const merged = ranges.masks.map(
    mask => sql`(${rangeOf(source, sql`${mask}::smallint`, cursor, rowCount, filter.isThreaded)})`,
  );
  const { rows } = await sql<{ id: string; at: string }>`
    select id, received_at::text as at from (${sql.join(merged, sql` union all `)}) f
    order by received_at desc, id desc limit 1 offset ${rowCount - 1}`.execute(db);
  const [row] = rows;
  return row === undefined ? null : { id: row.id, receivedAt: row.at };
}

/** A message of a window, and whether it represents its conversation. */
export type Candidate = Cursor & { readonly isNewest: boolean };

/**
 * Returns the next matching messages after a cursor, each with whether it is the newest matching
 * message of its conversation.
 */
export async function findCandidates(
  db: Db,
  source: Source,
  cursor: Cursor | null,
  count: number,
): Promise<Candidate[]> {
  const { rows } = await sql<{ id: string; at: string; is_newest: boolean }>`
    select w.id, w.received_at::text as at, ${isNewest('w', source)} as is_newest
    from (${nextMails(source, cursor, count)}) w
    order by w.received_at desc, w.id desc`.execute(db);
  return rows.map(row => ({ id: row.id, receivedAt: row.at, isNewest: row.is_newest }));
}

/**
 * Counts the matches of a query: messages, or conversations for a threaded filter without
 * Message-ID.
 */
export async function countMatches(db: Db, source: Source): Promise<number> {
  const { userId, filter, ranges } = source;
  const further = allOf(furtherConditions('m', filter, ranges.otherTagIds));
  const matching =
    filter.messageId !== undefined
      ? namedMails(source, filter.messageId, null)
      : ranges.tagId === null
        ? sql`
            select m.thread_id from mails m
            where m.user_id = ${userId} and ${passesFlags('m.flags', filter.flags)} and ${further}`
        : sql`
            select m.thread_id from mail_tags g join mails m on m.user_id = g.user_id and m.id = g.mail_id
            where g.user_id = ${userId} and g.tag_id = ${ranges.tagId}::uuid
              and ${passesFlags('g.flags', filter.flags)} and ${further}`;
  const byThread = filter.isThreaded && filter.messageId === undefined;
  const { rows } = await sql<{ n: number }>`
    select ${byThread ? sql`count(distinct f.thread_id)` : sql`count(*)`} as n from (${matching}) f`.execute(
    db,
  );
  return rows[0]?.n ?? 0;
}

export type ThreadSize = { readonly mails: number; readonly hasFiles: boolean };

/**
 * Returns the sizes of conversations, counting the messages that pass a filter by flags, and
 * whether any of these has attachments.
 */
export async function countThreads(
  db: Db,
  userId: string,
  threadIds: readonly string[],
  flags: Source['filter']['flags'],
): Promise<ReadonlyMap<string, ThreadSize>> {
  const { rows } = await sql<{ thread_id: string; n: number; has_files: boolean }>`
    select thread_id, count(*) as n, bool_or(flags & ${FLAG_BITS.attachment}::smallint <> 0) as has_files from mails
    where user_id = ${userId} and thread_id = any(${[...threadIds]}::uuid[]) and ${passesFlags('flags', flags)}
    group by thread_id`.execute(db);
  return new Map(rows.map(row => [row.thread_id, { mails: row.n, hasFiles: row.has_files }]));
}
