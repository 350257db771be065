/** Statements for open streams: mailbox versions, and why sessions ended. */
import type { Db } from '../../../db/pool.ts';

export async function findMailboxVersions(
  db: Db,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (userIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('mailboxes')
    .select(['user_id', 'version'])
    .where('user_id', 'in', [...userIds])
    .execute();
  return new Map(rows.map(row => [row.user_id, row.version]));
}

/** Returns the suspended users among these. */
export async function findSuspended(db: Db, userIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (userIds.length === 0) return new Set();
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('id', 'in', [...userIds])
    .where('status', '=', 'suspended')
    .execute();
  return new Set(rows.map(row => row.id));
}
