/**
 * Holds: while one stands, no container's bytes are removed. Whoever copies containers takes one before the look at the
 * database that says which, and keeps it until they are copied. Rows go as ever, and what was spared is collected later.
 *
 * A remover asks after the reference is gone for everybody. If a snapshot still has the reference, it is older than that,
 * and the hold older still: then the remover sees the hold.
 */
import { randomUUIDv7 } from 'node:crypto';
import { type SqlBool, sql } from 'kysely';
import { CONTAINER_HOLD_MS, CONTAINER_HOLD_RENEWED_MS } from '../../../base/limits.ts';
import type { Db, Trx } from '../../../db/pool.ts';

/** Times are the database's own, one clock for all nodes. */
const untilThen = sql<Date>`now() + make_interval(secs => ${CONTAINER_HOLD_MS / 1000})`;
const isStanding = sql<SqlBool>`held_until > now()`;

/** Whether somebody copies containers now. */
export async function areContainersHeld(db: Db | Trx): Promise<boolean> {
  const row = await db
    .selectFrom('container_holds')
    .select('id')
    .where(isStanding)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Prolongs a hold; false when it had ended. */
async function renew(db: Db, id: string): Promise<boolean> {
  const row = await db
    .updateTable('container_holds')
    .set({ held_until: untilThen })
    .where('id', '=', id)
    .where(isStanding)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Does `work` under a hold. Rejects when the hold ended meanwhile, for then containers may be gone. */
export async function holdContainers<T>(db: Db, work: () => Promise<T>): Promise<T> {
  const id = randomUUIDv7();
  await db.insertInto('container_holds').values({ id, held_until: untilThen }).execute();
  const timer = setInterval(() => {
    // A renewal that fails is made up for by the next one, or noticed at the end.
    renew(db, id).catch(() => undefined);
  }, CONTAINER_HOLD_RENEWED_MS);
  try {
    const result = await work();
    if (!(await renew(db, id))) throw new Error('Containers could not be held for as long as it took');
    return result;
  } finally {
    clearInterval(timer);
    await db
      .deleteFrom('container_holds')
      .where(eb => eb.or([eb('id', '=', id), eb.not(isStanding)]))
      .execute()
      .catch(() => undefined);
  }
}
