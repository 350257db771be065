/** SQL for drafts beyond the mailbox's own statements. */
import { sql } from 'kysely';
import { toMask } from '../../../base/flags.ts';
import type { Trx } from '../../../db/pool.ts';

/** Returns a draft's Message-ID and the size in bytes of the content that a save replaces. */
export const findDraft = (trx: Trx, userId: string, draftId: string) =>
  trx
    .selectFrom('mails as m')
    .innerJoin('mail_bodies as b', join =>
      join.onRef('b.user_id', '=', 'm.user_id').onRef('b.mail_id', '=', 'm.id'),
    )
    .select([
      'm.message_id',
      sql<number>`octet_length(b.body) + octet_length(m.headers) + coalesce(octet_length(m.summary), 0)`.as(
        'replaced_bytes',
      ),
    ])
    .where('m.user_id', '=', userId)
    .where('m.id', '=', draftId)
    .executeTakeFirstOrThrow();

/** Returns a user's draft with one of these Message-IDs, unless it is in Deleted. */
export const findDraftNamed = (trx: Trx, userId: string, messageIds: readonly string[]) =>
  trx
    .selectFrom('mails')
    .select('id')
    .where('user_id', '=', userId)
    .where(
      sql<string>`md5(message_id)`,
      'in',
      messageIds.map(messageId => sql<string>`md5(${messageId})`),
    )
    .where('message_id', 'in', messageIds)
    .where(sql<number>`flags & ${toMask({ draft: true, deleted: true })}`, '=', toMask({ draft: true }))
    .executeTakeFirst();
