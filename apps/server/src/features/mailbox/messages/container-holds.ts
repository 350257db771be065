/**
 * Holds: while one exists, no container's bytes are removed. A process that copies containers takes
 * a hold before it reads their ids from the database, and keeps it until they are copied. Rows are
 * deleted as usual; the bytes spared in the meantime are collected later.
 *
 * A remover checks for holds after the deletion of the reference is committed. If a snapshot still
 * has the reference, it is older than that, and its hold is older still, so the remover sees the
 * hold.
 */
import { randomUUIDv7 } from 'node:crypto';
import { type SqlBool, sql } from 'kysely';
import { CONTAINER_HOLD_MS, CONTAINER_HOLD_RENEWED_MS } from '../../../base/limits.ts';
import type { Db, Trx } from '../../../db/pool.ts';

/** Times use the database's clock, which is the same for all nodes. */
const untilThen = sql<Date>`now() + make_interval(secs => ${CONTAINER_HOLD_MS / 1000})`;
const isStanding = sql<SqlBool>`held_until > now()`;

/** Returns whether any process is copying containers now. */
export async function areContainersHeld(db: Db | Trx): Promise<boolean> {
  const row = await db
    .selectFrom('container_holds')
    .select('id')
    .where(isStanding)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Renews a hold. Returns false when it had ended. */
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

/**
 * Runs `work` under a hold. Rejects when the hold ended in the meantime, because containers may be
 * gone.
 */
export async function holdContainers<T>(db: Db, work: () => Promise<T>): Promise<T> {
  const id = randomUUIDv7();
  await db.insertInto('container_holds').values({ id, held_until: untilThen }).execute();
  const timer = setInterval(() => {
    // A failed renewal is covered by the next one, or detected at the end.
    renew(db, id).catch(() => undefined);
  }, CONTAINER_HOLD_RENEWED_MS);
  try {
    const result = await work();
    if (!(await renew(db, id)))
      throw new Error('The hold on containers expired before the operation finished');
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
