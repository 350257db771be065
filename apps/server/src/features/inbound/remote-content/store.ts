/** SQL for the message whose reader requests remote content. */
import type { Db } from '../../../db/pool.ts';

/** Returns the stored headers and binding of a user's message. */
export const findHeaders = (db: Db, userId: string, mailId: string) =>
  db
    .selectFrom('mails')
    .select(['headers', 'binding'])
    .where('user_id', '=', userId)
    .where('id', '=', mailId)
    .executeTakeFirst();
