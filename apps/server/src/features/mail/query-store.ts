/**
 * Statements of queries over mail. A page is a merge of one index range per mask, newest first, cut to its length before
 * any row is fetched; so neither the mailbox's size nor the depth of a keyset page matters. Filters that no index
 * serves (own address, search, further tags) are tried on the way through the ranges.
 */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '../../db/pool.ts';
import { ALL_MAILS } from '../mailbox/service.ts';
import type { Bucket, Ranges } from './buckets.ts';
import type { MailFilter } from './filter.ts';

type Condition = RawBuilder<SqlBool>;

/** Where a page goes on; the time as PostgreSQL writes it, whose fractions a Date would cut. */
export type Cursor = { readonly id: string; readonly receivedAt: string };

export type Overview = {
  readonly version: number;
  readonly buckets: readonly Bucket[];
  /** Null when there is no such mail. */
  readonly cursor: Cursor | null;
};

/** A mailbox's version, its buckets and those of some tags, and where a mail stands: all of one moment. */
export const getOverview = async (
  db: Db,
  userId: string,
  tagNames: readonly string[],
  lastId: string | null,
): Promise<Overview> => {
  const { rows } = await sql<{
    version: number;
    cursor_at: string | null;
    tag_id: string | null;
    name: string | null;
    flags: number;
    total: number;
  }>`
    select b.version, c.tag_id, t.name, c.flags, c.total,
      (select m.received_at::text from mails m where m.user_id = b.user_id and m.id = ${lastId}::uuid) as cursor_at
    from mailboxes b
    left join tags t on t.user_id = b.user_id and t.name = any(${[...tagNames]}::text[])
    left join mail_counts c on c.user_id = b.user_id and c.total > 0
      and (c.tag_id = t.id or (t.id is null and c.tag_id = ${ALL_MAILS}::uuid))
    where b.user_id = ${userId}`.execute(db);
  const cursorAt = rows[0]?.cursor_at ?? null;
  return {
    version: rows[0]?.version ?? 0,
    buckets: rows.flatMap(({ tag_id, name, flags, total }) =>
      tag_id === null ? [] : [{ tagId: tag_id, tagName: name, flags, total }],
    ),
    cursor: lastId === null || cursorAt === null ? null : { id: lastId, receivedAt: cursorAt },
  };
};

const allOf = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0 ? sql<SqlBool>`true` : sql<SqlBool>`${sql.join([...conditions], sql` and `)}`;

const uuids = (ids: readonly string[]) => sql`${[...ids]}::uuid[]`;
const masksOf = (masks: readonly number[]) => sql`${[...masks]}::smallint[]`;

/** A LIKE pattern that finds a text as it is. */
const containing = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** Conditions on a row of mails under an alias, beside user and mask. */
const extraConditions = (alias: string, filter: MailFilter, otherTagIds: readonly string[]): Condition[] => {
  const column = (name: string) => sql.ref(`${alias}.${name}`);
  return [
    ...(filter.address === undefined ? [] : [sql<SqlBool>`${column('own_address')} = ${filter.address}`]),
    ...(filter.search === undefined
      ? []
      : [sql<SqlBool>`${column('people')} like ${containing(filter.search)}`]),
    ...otherTagIds.map(
      tagId => sql<SqlBool>`exists (
        select 1 from mail_tags o
        where o.user_id = ${column('user_id')} and o.mail_id = ${column('id')} and o.tag_id = ${tagId}::uuid)`,
    ),
  ];
};

/** What a query looks through: ranges of buckets, or few mails that a condition on `m` names. */
export type Source = {
  readonly userId: string;
  readonly filter: MailFilter;
  readonly ranges: Ranges;
  /** Mails with this Message-ID, or with a threaded filter all of their conversations. */
  readonly messageId: string | undefined;
};

const tagIdsOf = ({ tagId, otherTagIds }: Ranges): readonly string[] =>
  tagId === null ? otherTagIds : [tagId, ...otherTagIds];

/** Whether another mail of the conversation matches as well and is newer, which then stands for it. */
const isNewest = ({ userId, filter, ranges }: Source): Condition => sql<SqlBool>`not exists (
  select 1 from mails n
  where n.user_id = ${userId} and n.thread_id = m.thread_id
    and (n.received_at, n.id) > (m.received_at, m.id) and n.flags = any(${masksOf(ranges.masks)})
    and ${allOf(extraConditions('n', filter, tagIdsOf(ranges)))})`;

const hasMessageId = (messageId: string): Condition => {
  const spellings = [messageId, `<${messageId}>`];
  return sql<SqlBool>`md5(x.message_id) in (md5(${spellings[0]}), md5(${spellings[1]}))
    and x.message_id = any(${spellings}::text[])`;
};

const isNamed = ({ userId, filter }: Source, messageId: string): Condition => {
  const named = (column: string) =>
    sql`select ${sql.ref(column)} from mails x where x.user_id = ${userId} and ${hasMessageId(messageId)}`;
  return filter.isThreaded
    ? sql<SqlBool>`m.thread_id in (${named('x.thread_id')})`
    : sql<SqlBool>`m.id in (${named('x.id')})`;
};

const isAfter = (cursor: Cursor | null, at: string, id: string): Condition[] =>
  cursor === null
    ? []
    : [
        sql<SqlBool>`(${sql.ref(at)}, ${sql.ref(id)}) < (${cursor.receivedAt}::timestamptz, ${cursor.id}::uuid)`,
      ];

/** Ids and times of the few mails that a Message-ID names, in no order. */
const namedKeys = (source: Source, messageId: string, cursor: Cursor | null) => sql`
  select m.id, m.received_at from mails m
  where m.user_id = ${source.userId} and m.flags = any(${masksOf(source.ranges.masks)})
    and ${allOf([
      isNamed(source, messageId),
      ...extraConditions('m', source.filter, tagIdsOf(source.ranges)),
      ...isAfter(cursor, 'm.received_at', 'm.id'),
    ])}`;

/** One range: ids and times of the mails of a bucket that pass, newest first. */
const rangeKeys = (source: Source, mask: number, cursor: Cursor | null, limit: number) => {
  const { userId, filter, ranges } = source;
  const conditions = [
    ...extraConditions('m', filter, ranges.otherTagIds),
    ...(filter.isThreaded ? [isNewest(source)] : []),
  ];
  if (ranges.tagId === null)
    return sql`(
      select m.id, m.received_at from mails m
      where m.user_id = ${userId} and m.flags = ${mask}::smallint
        and ${allOf([...isAfter(cursor, 'm.received_at', 'm.id'), ...conditions])}
      order by m.received_at desc, m.id desc limit ${limit})`;
  const mailRow =
    conditions.length === 0 ? sql`` : sql`join mails m on m.user_id = g.user_id and m.id = g.mail_id`;
  return sql`(
    select g.mail_id as id, g.received_at from mail_tags g ${mailRow}
    where g.user_id = ${userId} and g.tag_id = ${ranges.tagId}::uuid and g.flags = ${mask}::smallint
      and ${allOf([...isAfter(cursor, 'g.received_at', 'g.mail_id'), ...conditions])}
    order by g.received_at desc, g.mail_id desc limit ${limit})`;
};

export type PagePosition = {
  readonly cursor: Cursor | null;
  readonly skip: number;
  readonly count: number;
};

/** Statement for the ids and times of a page, newest first. */
const pageKeys = (source: Source, { cursor, skip, count }: PagePosition) => {
  const keys =
    source.messageId === undefined
      ? sql.join(
          source.ranges.masks.map(mask => rangeKeys(source, mask, cursor, skip + count)),
          sql` union all `,
        )
      : namedKeys(source, source.messageId, cursor);
  return sql`
    select id, received_at from (${keys}) k order by received_at desc, id desc limit ${count} offset ${skip}`;
};

/** A mail's row as queries read it; `body` is null where it was not asked for. */
export type MailRow = {
  readonly id: string;
  readonly flags: number;
  readonly received_at: Date;
  readonly thread_id: string;
  readonly message_id: string;
  readonly from_address: string;
  readonly headers: string;
  readonly summary: Buffer | null;
  readonly binding: Buffer;
  readonly ciphertext: Buffer | null;
  readonly encrypted_key: Buffer | null;
  readonly dh_public: Buffer | null;
  readonly salt: Buffer | null;
  readonly key_used: string | null;
  readonly is_alert: boolean;
  readonly size_bytes: number;
  readonly deleted_at: Date | null;
  readonly body: Buffer | null;
};

const COLUMNS = sql.raw(
  [
    'id',
    'flags',
    'received_at',
    'thread_id',
    'message_id',
    'from_address',
    'headers',
    'summary',
    'binding',
    'ciphertext',
    'encrypted_key',
    'dh_public',
    'salt',
    'key_used',
    'is_alert',
    'size_bytes',
    'deleted_at',
  ]
    .map(name => `r.${name}`)
    .join(', '),
);

const rowsOf = async (
  db: Db,
  userId: string,
  keys: RawBuilder<unknown>,
  withBodies: boolean,
): Promise<MailRow[]> => {
  const body = withBodies
    ? sql`(select b.body from mail_bodies b where b.user_id = r.user_id and b.mail_id = r.id)`
    : sql`null::bytea`;
  const { rows } = await sql<MailRow>`
    select ${COLUMNS}, ${body} as body
    from (${keys}) p join mails r on r.user_id = ${userId} and r.id = p.id
    order by p.received_at desc, p.id desc`.execute(db);
  return rows;
};

/** A page of mails, newest first. */
export const findPage = (
  db: Db,
  source: Source,
  position: PagePosition,
  withBodies: boolean,
): Promise<MailRow[]> => rowsOf(db, source.userId, pageKeys(source, position), withBodies);

/** One mail with its body, or null. */
export const findMail = async (db: Db, userId: string, id: string): Promise<MailRow | null> => {
  const key = sql`select id, received_at from mails where user_id = ${userId} and id = ${id}::uuid`;
  return (await rowsOf(db, userId, key, true))[0] ?? null;
};

/** Counts what a query matches: mails, or with a threaded filter without Message-ID, conversations. */
export const countMatches = async (db: Db, source: Source): Promise<number> => {
  const { userId, filter, ranges, messageId } = source;
  if (messageId !== undefined) {
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from (${namedKeys(source, messageId, null)}) k`.execute(db);
    return rows[0]?.n ?? 0;
  }
  const counted = filter.isThreaded ? sql`count(distinct m.thread_id)` : sql`count(*)`;
  const { rows } = await sql<{ n: number }>`
    select ${counted} as n from ${
      ranges.tagId === null
        ? sql`mails m where m.user_id = ${userId} and m.flags = any(${masksOf(ranges.masks)})`
        : sql`mail_tags g join mails m on m.user_id = g.user_id and m.id = g.mail_id
            where g.user_id = ${userId} and g.tag_id = ${ranges.tagId}::uuid and g.flags = any(${masksOf(ranges.masks)})`
    } and ${allOf(extraConditions('m', filter, ranges.otherTagIds))}`.execute(db);
  return rows[0]?.n ?? 0;
};

/** Sizes of conversations, counting the mails whose mask under `bits` is `value`. */
export const countThreads = async (
  db: Db,
  userId: string,
  threadIds: readonly string[],
  bits: number,
  value: number,
): Promise<ReadonlyMap<string, number>> => {
  const { rows } = await sql<{ thread_id: string; n: number }>`
    select thread_id, count(*) as n from mails
    where user_id = ${userId} and thread_id = any(${uuids(threadIds)})
      and flags & ${bits}::smallint = ${value}::smallint
    group by thread_id`.execute(db);
  return new Map(rows.map(row => [row.thread_id, row.n]));
};

/** The containers of mails, by mail. */
export const findContainers = async (db: Db, userId: string, mailIds: readonly string[]) => {
  const rows = await db
    .selectFrom('mail_attachments')
    .select(['mail_id', 'blob_id', 'size_bytes'])
    .where('user_id', '=', userId)
    .where(sql<SqlBool>`mail_id = any(${uuids(mailIds)})`)
    .orderBy('blob_id')
    .execute();
  return Map.groupBy(rows, row => row.mail_id);
};

/** The names of the tags of mails, by mail. */
export const findTagNames = async (db: Db, userId: string, mailIds: readonly string[]) => {
  const rows = await db
    .selectFrom('mail_tags as g')
    .innerJoin('tags as t', join => join.onRef('t.user_id', '=', 'g.user_id').onRef('t.id', '=', 'g.tag_id'))
    .select(['g.mail_id', 't.name'])
    .where('g.user_id', '=', userId)
    .where(sql<SqlBool>`g.mail_id = any(${uuids(mailIds)})`)
    .orderBy('t.name')
    .execute();
  return Map.groupBy(rows, row => row.mail_id);
};
