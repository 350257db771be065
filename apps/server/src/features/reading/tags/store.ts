/** Statements on tags. Callers hold the mailbox's lock; service.ts has the rules. */
import type { Tag } from '@keyfold/contract';
import type { Trx } from '../../../db/pool.ts';

export type TagRow = { readonly id: string; readonly name: string };

export const listTags = (trx: Trx, userId: string): Promise<TagRow[]> =>
  trx.selectFrom('tags').select(['id', 'name']).where('user_id', '=', userId).execute();

export async function insertTag(trx: Trx, userId: string, id: string, tag: Tag): Promise<void> {
  await trx
    .insertInto('tags')
    .values({ user_id: userId, id, ...tag })
    .execute();
}

export async function updateTag(trx: Trx, userId: string, id: string, tag: Tag): Promise<void> {
  await trx.updateTable('tags').set(tag).where('user_id', '=', userId).where('id', '=', id).execute();
}

/**
 * Deletes a tag with its assignments to messages and its counters; returns how many messages had
 * it.
 */
export async function deleteTag(trx: Trx, userId: string, id: string): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom('mail_tags')
    .where('user_id', '=', userId)
    .where('tag_id', '=', id)
    .executeTakeFirstOrThrow();
  await trx.deleteFrom('mail_counts').where('user_id', '=', userId).where('tag_id', '=', id).execute();
  await trx.deleteFrom('tags').where('user_id', '=', userId).where('id', '=', id).execute();
  return Number(numDeletedRows);
}
