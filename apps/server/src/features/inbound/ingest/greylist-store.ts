/**
 * Statements of greylisting: digests with the time since when they are there, and until when.
 */
import type { Db } from '../../../db/pool.ts';

export type GreyRow = { readonly digest: Buffer; readonly since: Date; readonly expires_at: Date };

/** Those of the digests that are known and have not expired. */
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

/** Puts a row in, in place of one that is there. */
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
