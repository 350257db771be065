/**
 * Statements on devices that are pushed to, on the numbers that clients showed last, and on the server's own keys.
 */
import { type SqlBool, sql } from 'kysely';
import type { Db, Trx } from '../../../db/pool.ts';
import type { Tables } from '../../../db/tables.ts';

type DevicesTable = Tables['push_devices'];
export type DeviceKind = DevicesTable['kind'];

/** A device that may be told: its user is active, and its session lives, or one of its family, or the kept device behind it. */
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

/** Holds a session until the transaction ends, so that it does not end in between; false when it has ended. */
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
  /** JSON; null leaves those of a known device as they are. */
  readonly preferences: string | null;
  readonly now: Date;
};

/** Writes a device once no other user has its token; undefined when one registers it at this very time. */
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

/** Users who register one token at once; more are not waited for. */
const TRIES = 3;

/**
 * Writes a device, or moves a known one of the same user to this session; another user's of the same token goes, with what
 * waits for it. Returns its id.
 */
export async function upsertDevice(trx: Trx, device: NewDevice, defaults: string): Promise<string> {
  for (let n = 0; n < TRIES; n++) {
    const id = await tryUpsert(trx, device, defaults);
    if (id !== undefined) return id;
  }
  throw new Error('The token of a device is registered by others all the time');
}

/** Removes a user's devices beyond so many: those that were seen longest ago. */
export async function trimDevices(trx: Trx, userId: string, kept: number): Promise<void> {
  await sql`
    delete from push_devices where id in (
      select id from push_devices where user_id = ${userId}::uuid
      order by seen_at desc, id desc offset ${kept}
    )`.execute(trx);
}

/** Begins to look through a user's mailbox for news, from now on, unless that is done already. */
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

/** Removes a device of a user; false when there is none of this id. */
export async function deleteDevice(db: Db | Trx, userId: string, id: string): Promise<boolean> {
  const result = await db
    .deleteFrom('push_devices')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/**
 * Holds a user's devices until the transaction ends, so that none is removed in between; their ids. One that is just being
 * removed is not waited for: whoever removes it may wait for what hangs on it.
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
 * Holds a user's device of a token until the transaction ends, so that it is not removed in between; its id, or undefined.
 * What is being sent to it goes on.
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

/** A user's devices that may be told, the one that was seen last first. */
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

/** Keeps the last number of a platform, or of a group on it; the groups that were written longest ago make room. */
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

/** Devices by kind, the living and the dying, and those that took nothing the last time. */
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

/** Removes devices whose session, and kept device, are over, or to which nothing could be sent since a time. */
export async function deleteDeadDevices(db: Db, now: Date, failingBefore: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from push_devices d where d.failing_since <= ${failingBefore} or not ${isLiving(now)}`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
