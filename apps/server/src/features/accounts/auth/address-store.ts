/** Checks whether an address can still be assigned to a user. */
import { sql } from 'kysely';
import type { Db, Trx } from '../../../db/pool.ts';

/**
 * Returns whether an address belongs to a user, is used to sign in, or was given up at a domain
 * where that is permanent.
 */
export async function isAddressUsed(db: Db | Trx, address: string, isGivenAnew: boolean): Promise<boolean> {
  const row = await db
    .selectNoFrom(eb => [
      eb.exists(eb.selectFrom('addresses').select('address').where('address', '=', address)).as('owned'),
      eb.exists(eb.selectFrom('users').select('id').where('kdf_email', '=', address)).as('signs_in'),
      eb
        .exists(
          eb
            .selectFrom('former_addresses')
            .select('digest')
            .where('digest', '=', sql<Buffer>`sha256(convert_to(${address}, 'UTF8'))`),
        )
        .as('given_up'),
    ])
    .executeTakeFirstOrThrow();
  return Boolean(row.owned) || Boolean(row.signs_in) || (Boolean(row.given_up) && !isGivenAnew);
}
