/** SQL for ingest: container rows, and the administrator who acts as a domain's postmaster. */
import type { Db } from '../../../db/pool.ts';

/**
 * Records containers before their bytes are stored, so that whatever a crash leaves behind is found
 * and collected.
 */
export async function insertContainers(
  db: Db,
  containers: readonly { readonly id: string; readonly sizeBytes: number }[],
): Promise<void> {
  await db
    .insertInto('blobs')
    .values(containers.map(({ id, sizeBytes }) => ({ id, size_bytes: sizeBytes })))
    .execute();
}

/** Deletes the rows of containers whose message was not stored. */
export async function deleteContainers(db: Db, ids: readonly string[]): Promise<void> {
  await db
    .deleteFrom('blobs')
    .where('id', 'in', [...ids])
    .execute();
}

/**
 * Returns the longest-serving active super admin with the primary address, or null when there is
 * none.
 */
export async function findPostmaster(
  db: Db,
): Promise<{ readonly userId: string; readonly address: string } | null> {
  const row = await db
    .selectFrom('users')
    .innerJoin('addresses', 'addresses.user_id', 'users.id')
    .select(['users.id as userId', 'addresses.address'])
    .where('users.is_admin', '=', true)
    .where('users.admin_level', '=', 'super')
    .where('users.status', '=', 'active')
    .where('addresses.is_primary', '=', true)
    .orderBy('users.created_at')
    .orderBy('users.id')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}
