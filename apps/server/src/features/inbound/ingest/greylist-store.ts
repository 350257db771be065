/** SQL for greylisting: digests with their first-seen time and their expiry. */
import type { Db } from '../../../db/pool.ts';

export type GreyRow = { readonly digest: Buffer; readonly since: Date; readonly expires_at: Date };

/** Returns the rows of known digests that have not expired. */
export const findGreyRows = (
  db: Db,
  digests: readonly Buffer[],
  now: Date,
): Promise<{ digest: Buffer; since: Date }[]> =>
  db
    .selectFrom('greylist')
    .select(['digest', 'since'])
    .where('digest', 'in', [...digests])
    .where('expires_at', '>', now)
    .execute();

/** Inserts a row or replaces the existing one. */
export async function saveGreyRow(db: Db, { digest, since, expires_at }: GreyRow): Promise<void> {
  await db
    .insertInto('greylist')
    .values({ digest, since, expires_at })
    .onConflict(conflict => conflict.column('digest').doUpdateSet({ since, expires_at }))
    .execute();
}

export async function forgetExpiredGreyRows(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('greylist').where('expires_at', '<=', now).execute();
}
