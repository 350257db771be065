/**
 * Assigns tags to messages. Tag rows repeat the message's mask and time, so that a page of a tag is
 * an index range like that of any folder. Tags themselves, with their names and colors, belong to
 * features/reading/tags.
 */
import { type SqlBool, sql } from 'kysely';
import type { Trx } from '../../../db/pool.ts';
import { countTagBuckets } from './change-store.ts';
import { lockMails } from './flag-changes.ts';
import { changeCounts, touchMailbox } from './store.ts';

/** Returns a key that is the same for all spellings of a tag's name. */
export const keyOfTag = (name: string): string => name.normalize('NFKC').toLowerCase();

/** Returns the tags of users whose mailboxes are locked, for lookup by name. */
export async function findTagsOf(trx: Trx, userIds: readonly string[]) {
  const rows =
    userIds.length === 0
      ? []
      : await trx
          .selectFrom('tags')
          .select(['user_id', 'id', 'name'])
          .where('user_id', 'in', [...new Set(userIds)])
          .execute();
  const ids = new Map(rows.map(row => [`${row.user_id} ${keyOfTag(row.name)}`, row.id]));
  return {
    /** Returns the ids of those tags that the user has, without duplicates. */
    idsOf: (userId: string, names: readonly string[]): string[] => [
      ...new Set(names.flatMap(name => ids.get(`${userId} ${keyOfTag(name)}`) ?? [])),
    ],
  };
}

/**
 * Sets the tags of all these messages to exactly these, which the caller has verified to be the
 * user's. Returns the number of messages. Throws not_found when a message is missing or belongs to
 * another user.
 */
export async function replaceTags(
  trx: Trx,
  userId: string,
  ids: readonly string[],
  tagIds: readonly string[],
): Promise<number> {
  const found = await lockMails(trx, userId, ids);
  if (found.length === 0) return 0;
  const foundIds = found.map(mail => mail.id);
  const wanted = [...new Set(tagIds)];
  const before = await countTagBuckets(trx, userId, foundIds);
  await trx
    .deleteFrom('mail_tags')
    .where('user_id', '=', userId)
    .where(sql<SqlBool>`mail_id = any(${foundIds}::uuid[])`)
    .execute();
  await sql`
    insert into mail_tags (user_id, mail_id, tag_id, flags, received_at)
    select m.user_id, m.id, t.id, m.flags, m.received_at
    from mails m cross join unnest(${wanted}::uuid[]) t (id)
    where m.user_id = ${userId} and m.id = any(${foundIds}::uuid[])`.execute(trx);
  await changeCounts(trx, userId, [
    ...before.map(({ tag_id, flags, total }) => ({ tagId: tag_id, flags, change: -total })),
    ...found.flatMap(({ flags }) => wanted.map(tagId => ({ tagId, flags, change: 1 }))),
  ]);
  await touchMailbox(trx, userId, 0);
  return found.length;
}
