/**
 * Statements that open streams ask: how far mailboxes are.
 */
import type { Db } from '../../db/pool.ts';

/** Versions of these users' mailboxes. */
export const findMailboxVersions = async (
  db: Db,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  if (userIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('mailboxes')
    .select(['user_id', 'version'])
    .where('user_id', 'in', [...userIds])
    .execute();
  return new Map(rows.map(row => [row.user_id, row.version]));
};
