/**
 * Statements on the mail for whose reader something is asked of another site.
 */
import type { Db } from '../../../db/pool.ts';

/** Stored headers and binding of a user's mail. */
export const findHeaders = (db: Db, userId: string, mailId: string) =>
  db
    .selectFrom('mails')
    .select(['headers', 'binding'])
    .where('user_id', '=', userId)
    .where('id', '=', mailId)
    .executeTakeFirst();
