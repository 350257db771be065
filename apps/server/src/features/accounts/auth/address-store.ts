/** Whether an address can still be given to somebody. */
import { sql } from 'kysely';
import type { Db, Trx } from '../../../db/pool.ts';

/** Whether an address is somebody's, signs somebody in, or was given up at a domain where that lasts. */
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
