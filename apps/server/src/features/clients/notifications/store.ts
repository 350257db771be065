/**
 * Statements on push devices, on the numbers that clients showed last, and on the server's own
 * keys.
 */
import { type SqlBool, sql } from 'kysely';
import type { Db, Trx } from '../../../db/pool.ts';
import type { Tables } from '../../../db/tables.ts';

type DevicesTable = Tables['push_devices'];
export type DeviceKind = DevicesTable['kind'];

/**
 * Condition for a device that may get pushes: its user is active, and its session, another session
 * of its family, or the family's stay-signed-in device is still valid.
 */
const isLiving = (now: Date) => sql<SqlBool>`(
  exists (select 1 from users u where u.id = d.user_id and u.status = 'active') and (
    exists (select 1 from sessions s where s.id = d.session_id and s.expires_at > ${now})
    or exists (
      select 1 from sessions s
      where s.user_id = d.user_id and s.family_id = d.family_id and s.expires_at > ${now}
    )
    or exists (
      select 1 from devices k where k.family_id = d.family_id and k.replaced_at is null and k.expires_at > ${now}
    )
  ))`;

/**
 * Locks a session until the transaction ends, so that it cannot end meanwhile; returns false when
 * it has already ended.
 */
export async function holdSession(trx: Trx, tokenHash: Buffer, now: Date): Promise<boolean> {
  const row = await trx
    .selectFrom('sessions')
    .select('id')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .forShare()
    .executeTakeFirst();
  return row !== undefined;
}

export type NewDevice = {
  readonly user_id: string;
  readonly id: string;
  readonly kind: DeviceKind;
  readonly token_hash: Buffer;
  readonly token_sealed: Buffer;
  readonly words_sealed: Buffer;
  readonly session_id: string;
  readonly family_id: string | null;
  /** JSON; null keeps the preferences of a known device. */
  readonly preferences: string | null;
  readonly now: Date;
};

/**
 * Writes a device after removing another user's device with the same token; returns undefined when
 * another user registers the token concurrently.
 */
async function tryUpsert(trx: Trx, device: NewDevice, defaults: string): Promise<string | undefined> {
  await trx
    .deleteFrom('push_devices')
    .where('token_hash', '=', device.token_hash)
    .where('user_id', '<>', device.user_id)
    .execute();
  const { now, preferences, ...columns } = device;
  const moved = {
    session_id: device.session_id,
    family_id: device.family_id,
    words_sealed: device.words_sealed,
    kind: device.kind,
    seen_at: now,
    ...(preferences === null ? {} : { preferences }),
  };
  const row = await trx
    .insertInto('push_devices')
    .values({
      ...columns,
      preferences: preferences ?? defaults,
      created_at: now,
      seen_at: now,
      burst_since: now,
    })
    .onConflict(conflict =>
      conflict.column('token_hash').doUpdateSet(moved).where('push_devices.user_id', '=', device.user_id),
    )
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

/** Attempts when several users register the same token concurrently. */
const TRIES = 3;

/**
 * Inserts a device, or moves a known one of the same user to this session. Deletes another user's
 * device with the same token, together with its jobs. Returns the device's id.
 */
export async function upsertDevice(trx: Trx, device: NewDevice, defaults: string): Promise<string> {
  for (let n = 0; n < TRIES; n++) {
    const id = await tryUpsert(trx, device, defaults);
    if (id !== undefined) return id;
  }
  throw new Error('Concurrent registrations of a device token kept conflicting');
}

/** Deletes a user's least recently seen devices beyond `kept`. */
export async function trimDevices(trx: Trx, userId: string, kept: number): Promise<void> {
  await sql`
    delete from push_devices where id in (
      select id from push_devices where user_id = ${userId}::uuid
      order by seen_at desc, id desc offset ${kept}
    )`.execute(trx);
}

/** Starts watching a user's mailbox for changes from now on, unless it is already watched. */
export async function watchMailbox(trx: Trx, userId: string): Promise<void> {
  await sql`
    insert into push_users (user_id, version, pushed_until)
    select user_id, version, last_arrival from mailboxes where user_id = ${userId}::uuid
    on conflict (user_id) do nothing`.execute(trx);
}

export async function deleteByToken(db: Db, userId: string, tokenHash: Buffer): Promise<void> {
  await db
    .deleteFrom('push_devices')
    .where('user_id', '=', userId)
    .where('token_hash', '=', tokenHash)
    .execute();
}

/** Deletes a device of a user; returns false when none has this id. */
export async function deleteDevice(db: Db | Trx, userId: string, id: string): Promise<boolean> {
  const result = await db
    .deleteFrom('push_devices')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/**
 * Locks a user's devices until the transaction ends, so that none is deleted meanwhile; returns
 * their ids. Skips a device that is just being deleted: waiting for it could deadlock, since its
 * deletion may wait for rows that depend on it.
 */
export async function holdDevices(trx: Trx, userId: string): Promise<ReadonlySet<string>> {
  const rows = await trx
    .selectFrom('push_devices')
    .select('id')
    .where('user_id', '=', userId)
    .forKeyShare()
    .skipLocked()
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/**
 * Locks a user's device with this token until the transaction ends, so that it is not deleted
 * meanwhile; returns its id, or undefined. Does not block pushes to it.
 */
export const holdDevice = async (trx: Trx, userId: string, tokenHash: Buffer): Promise<string | undefined> =>
  (
    await trx
      .selectFrom('push_devices')
      .select('id')
      .where('user_id', '=', userId)
      .where('token_hash', '=', tokenHash)
      .forNoKeyUpdate()
      .executeTakeFirst()
  )?.id;

/** Returns a user's devices that may get pushes, most recently seen first. */
export const listDevices = (db: Db | Trx, userId: string, now: Date) =>
  db
    .selectFrom('push_devices as d')
    .selectAll()
    .where('d.user_id', '=', userId)
    .where(isLiving(now))
    .orderBy('d.seen_at', 'desc')
    .orderBy('d.id')
    .execute();
export type DeviceRow = Awaited<ReturnType<typeof listDevices>>[number];

export async function savePreferences(
  db: Db,
  userId: string,
  ids: readonly string[],
  preferences: string,
): Promise<number> {
  const result = await db
    .updateTable('push_devices')
    .set({ preferences })
    .where('user_id', '=', userId)
    .where(sql<SqlBool>`id = any(${[...ids]}::uuid[])`)
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

/**
 * Stores the last number of a platform or of one of its groups. Evicts the groups that were written
 * longest ago.
 */
export async function saveCount(
  db: Db,
  row: {
    readonly userId: string;
    readonly platform: string;
    readonly groupHash: Buffer;
    readonly count: number;
    readonly now: Date;
  },
  kept: number,
): Promise<void> {
  const { userId, platform, groupHash, count, now } = row;
  await db
    .insertInto('push_counts')
    .values({ user_id: userId, platform, group_hash: groupHash, count, updated_at: now })
    .onConflict(conflict =>
      conflict.columns(['user_id', 'platform', 'group_hash']).doUpdateSet({ count, updated_at: now }),
    )
    .execute();
  await sql`
    delete from push_counts where (user_id, platform, group_hash) in (
      select user_id, platform, group_hash from push_counts where user_id = ${userId}::uuid
      order by updated_at desc, platform, group_hash offset ${kept}
    )`.execute(db);
}

export const findKey = (db: Db, name: string) =>
  db.selectFrom('push_keys').selectAll().where('name', '=', name).executeTakeFirst();

export async function insertKey(
  db: Db,
  row: { name: string; private_sealed: Buffer; public_key: string; created_at: Date },
): Promise<void> {
  await db
    .insertInto('push_keys')
    .values(row)
    .onConflict(conflict => conflict.doNothing())
    .execute();
}

/**
 * Returns the number of devices by kind, including those about to be removed, and how many failed
 * at their last push.
 */
export async function countDevices(db: Db): Promise<{ kind: DeviceKind; total: number; failing: number }[]> {
  const rows = await db
    .selectFrom('push_devices')
    .select(eb => [
      'kind' as const,
      eb.fn.countAll<number>().as('total'),
      eb.fn.count<number>('failing_since').as('failing'),
    ])
    .groupBy('kind')
    .execute();
  return rows.map(({ kind, total, failing }) => ({ kind, total: Number(total), failing: Number(failing) }));
}

/**
 * Deletes devices whose session and stay-signed-in device have ended, or whose pushes have failed
 * since `failingBefore` or earlier.
 */
export async function deleteDeadDevices(db: Db, now: Date, failingBefore: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from push_devices d where d.failing_since <= ${failingBefore} or not ${isLiving(now)}`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
