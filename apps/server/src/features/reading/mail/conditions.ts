/** Query filters as SQL conditions on message rows. Every value is a parameter. */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { FLAG_BITS, type Flag, type FlagFilter } from '../../../base/flags.ts';
import type { Ranges } from './buckets.ts';
import type { MailFilter } from './filter.ts';
import type { Cursor } from './query-cache.ts';

export type Condition = RawBuilder<SqlBool>;

/** The set of messages that a query searches. */
export type Source = { readonly userId: string; readonly filter: MailFilter; readonly ranges: Ranges };

export const allOf = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0 ? sql<SqlBool>`true` : sql<SqlBool>`${sql.join([...conditions], sql` and `)}`;

/** Tests whether a mask matches a flag filter, in a single comparison of the bits involved. */
export function passesFlags(column: string, flags: FlagFilter): Condition {
  const named = Object.entries(FLAG_BITS).filter(([name]) => flags[name as Flag] !== undefined);
  const care = named.reduce((bits, [, bit]) => bits | bit, 0);
  const want = named.reduce((bits, [name, bit]) => (flags[name as Flag] ? bits | bit : bits), 0);
  return sql<SqlBool>`${sql.ref(column)} & ${care}::smallint = ${want}::smallint`;
}

/** Returns a LIKE pattern that matches a text literally. */
const containing = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** Returns the conditions on a message row, under an alias, that no index supports. */
export function furtherConditions(alias: string, filter: MailFilter, tagIds: readonly string[]): Condition[] {
  const column = (name: string) => sql.ref(`${alias}.${name}`);
  return [
    ...(filter.address === undefined ? [] : [sql<SqlBool>`${column('own_address')} = ${filter.address}`]),
    ...(filter.search === undefined
      ? []
      : [sql<SqlBool>`${column('people')} like ${containing(filter.search)}`]),
    ...tagIds.map(
      tagId => sql<SqlBool>`exists (
        select 1 from mail_tags o
        where o.user_id = ${column('user_id')} and o.mail_id = ${column('id')} and o.tag_id = ${tagId}::uuid)`,
    ),
  ];
}

/** Returns every tag that a filter names. */
export const tagIdsOf = ({ tagId, otherTagIds }: Ranges): readonly string[] =>
  tagId === null ? otherTagIds : [tagId, ...otherTagIds];

/**
 * Tests whether no newer message of the same conversation matches the filter. If so, the row under
 * `alias` represents the conversation.
 */
export function isNewest(alias: string, { userId, filter, ranges }: Source): Condition {
  const column = (name: string) => sql.ref(`${alias}.${name}`);
  return sql<SqlBool>`not exists (
    select 1 from mails n
    where n.user_id = ${userId} and n.thread_id = ${column('thread_id')}
      and (n.received_at, n.id) > (${column('received_at')}, ${column('id')})
      and ${passesFlags('n.flags', filter.flags)}
      and ${allOf(furtherConditions('n', filter, tagIdsOf(ranges)))})`;
}

/**
 * Tests whether a message `m` has this Message-ID, with or without brackets, or is in a
 * conversation with such a message.
 */
export function isNamed(userId: string, messageId: string, wholeThread: boolean): Condition {
  const spellings = [messageId, `<${messageId}>`];
  const named = sql`
    from mails x
    where x.user_id = ${userId} and md5(x.message_id) in (md5(${spellings[0]}), md5(${spellings[1]}))
      and x.message_id = any(${spellings}::text[])`;
  return wholeThread
    ? sql<SqlBool>`m.thread_id in (select x.thread_id ${named})`
    : sql<SqlBool>`m.id in (select x.id ${named})`;
}

/** Tests whether a row comes after a cursor in a list sorted newest first. */
export const isAfter = (cursor: Cursor | null, receivedAt: string, id: string): Condition[] =>
  cursor === null
    ? []
    : [
        sql<SqlBool>`(${sql.ref(receivedAt)}, ${sql.ref(id)})
          < (${cursor.receivedAt}::timestamptz, ${cursor.id}::uuid)`,
      ];
