/**
 * Statements on replaced keys, and on data still wrapped or sealed under them. A message is opened
 * by the keys that the owner's own wrap names or, without one, by those that the sender's wrap
 * names.
 */
import { sql } from 'kysely';
import type { Db, Trx } from '../../../db/pool.ts';

/** Id of the keys that open a message. */
const OPENED_BY = sql`coalesce(m.own_key_used, m.key_used)`;

export const findRetired = (db: Db | Trx, userId: string) =>
  db
    .selectFrom('retired_keys')
    .select(['key_id', 'generation', 'mails', 'retired_at', 'ending_since'])
    .where('user_id', '=', userId)
    .orderBy('generation', 'desc')
    .execute();

export type RetiredRow = { readonly keyId: string; readonly generation: number; readonly sealed: Buffer };

/**
 * Stores the resealed retired keys. Adds the keys that were just replaced, with the number of
 * messages and the time.
 */
export async function saveRetired(
  trx: Trx,
  userId: string,
  rows: readonly RetiredRow[],
  replaced: { readonly mails: number; readonly now: Date },
): Promise<void> {
  await trx
    .insertInto('retired_keys')
    .values(
      rows.map(({ keyId, generation, sealed }) => ({
        user_id: userId,
        key_id: keyId,
        generation,
        sealed,
        mails: replaced.mails,
        retired_at: replaced.now,
      })),
    )
    .onConflict(conflict =>
      conflict.columns(['user_id', 'key_id']).doUpdateSet(eb => ({ sealed: eb.ref('excluded.sealed') })),
    )
    .execute();
}

/** Records that destruction of keys has begun; an earlier record stays. */
export async function noteEnding(trx: Trx, userId: string, keyId: string, now: Date): Promise<void> {
  await trx
    .updateTable('retired_keys')
    .set({ ending_since: now })
    .where('user_id', '=', userId)
    .where('key_id', '=', keyId)
    .where('ending_since', 'is', null)
    .execute();
}

export async function deleteRetired(trx: Trx, userId: string, keyId: string): Promise<void> {
  await trx.deleteFrom('retired_keys').where('user_id', '=', userId).where('key_id', '=', keyId).execute();
}

/** Returns the number of messages with wrapped keys; notices have none. */
export async function countWrapped(trx: Trx, userId: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from mails m where m.user_id = ${userId}::uuid and m.key_used is not null`.execute(
    trx,
  );
  return rows[0]?.n ?? 0;
}

/** Returns, by key id, the number of messages and records that only these keys open. */
export async function countWaiting(db: Db | Trx, userId: string): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ key_id: string; n: number }>`
    select key_id, sum(n)::int as n from (
      select ${OPENED_BY} as key_id, count(*) as n from mails m
      where m.user_id = ${userId}::uuid and m.key_used is not null group by 1
      union all
      select key_used, count(*) from records
      where user_id = ${userId}::uuid group by 1
    ) waiting group by 1`.execute(db);
  return new Map(rows.map(({ key_id, n }) => [key_id, n]));
}

type OldWrapRow = {
  readonly id: string;
  readonly binding: Buffer;
  readonly ciphertext: Buffer | null;
  readonly encrypted_key: Buffer | null;
  readonly dh_public: Buffer | null;
  readonly salt: Buffer | null;
  readonly key_used: string | null;
};

/**
 * Returns, by id, wraps of messages that keys other than these open. Prefers the owner's own wrap.
 */
export async function findOldWraps(
  db: Db,
  userId: string,
  keyId: string,
  after: string | undefined,
  count: number,
): Promise<readonly OldWrapRow[]> {
  const { rows } = await sql<OldWrapRow>`
    select m.id, m.binding, case when m.own_key is null then m.ciphertext end as ciphertext,
      coalesce(m.own_key, m.encrypted_key) as encrypted_key, m.dh_public, coalesce(m.own_salt, m.salt) as salt,
      ${OPENED_BY} as key_used
    from mails m
    where m.user_id = ${userId}::uuid and m.key_used is not null and ${OPENED_BY} <> ${keyId}
      and (${after ?? null}::uuid is null or m.id > ${after ?? null}::uuid)
    order by m.id limit ${count}`.execute(db);
  return rows;
}

/**
 * Deletes senders' wraps for keys where the owner has a wrap under the current keys; only the
 * owner's wrap then opens the message. Returns the number of messages affected, at most `limit`.
 */
export async function dropSendersWraps(
  trx: Trx,
  userId: string,
  keyId: string,
  usedKeyId: string,
  limit: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    update mails m set encrypted_key = m.own_key, salt = m.own_salt, key_used = m.own_key_used,
      ciphertext = null, dh_public = null, own_key = null, own_salt = null, own_key_used = null
    where m.user_id = ${userId}::uuid and m.id in (
      select id from mails where user_id = ${userId}::uuid and key_used = ${keyId} and own_key_used = ${usedKeyId}
      order by id limit ${limit}
    )`.execute(trx);
  return Number(numAffectedRows ?? 0);
}

/**
 * Returns the number of messages with a wrap for these keys, the sender's or the owner's, plus the
 * records sealed under them.
 */
export async function countUses(trx: Trx, userId: string, keyId: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select (
      select count(*) from mails
      where user_id = ${userId}::uuid and (key_used = ${keyId} or own_key_used = ${keyId})
    )::int + (
      select count(*) from records where user_id = ${userId}::uuid and key_used = ${keyId}
    )::int as n`.execute(trx);
  return rows[0]?.n ?? 0;
}
