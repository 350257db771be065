/**
 * Statements on recovery kits: the confirmed kit, and kits whose words were shown but not
 * confirmed, which also open the account.
 */
import { sql } from 'kysely';
import type { Db, Trx } from '../../../db/pool.ts';

type NewKit = { readonly proofHash: Buffer; readonly mainKeyJson: string; readonly now: Date };

const rowOf = (kit: NewKit) => ({
  proof_hash: kit.proofHash,
  main_key: kit.mainKeyJson,
  created_at: kit.now,
});

/** Deletes a user's unconfirmed kits. */
export async function deleteShownKits(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('shown_kits').where('user_id', '=', userId).execute();
}

/** Deletes all of a user's kits. */
export async function deleteKits(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('recovery_kits').where('user_id', '=', userId).execute();
  await deleteShownKits(trx, userId);
}

async function confirm(trx: Trx, userId: string, values: ReturnType<typeof rowOf>): Promise<void> {
  await trx
    .insertInto('recovery_kits')
    .values({ user_id: userId, ...values })
    .onConflict(conflict => conflict.column('user_id').doUpdateSet(values))
    .execute();
}

/** Stores a confirmed kit, replacing all others. */
export async function saveKit(trx: Trx, userId: string, kit: NewKit): Promise<void> {
  await deleteShownKits(trx, userId);
  await confirm(trx, userId, rowOf(kit));
}

/** Stores a kit beside the others; a repeat changes nothing. */
export async function saveShownKit(trx: Trx, userId: string, kit: NewKit): Promise<void> {
  await trx
    .insertInto('shown_kits')
    .values({ user_id: userId, ...rowOf(kit) })
    .onConflict(conflict => conflict.columns(['user_id', 'proof_hash']).doNothing())
    .execute();
}

export async function countShownKits(trx: Trx, userId: string): Promise<number> {
  const row = await trx
    .selectFrom('shown_kits')
    .select(eb => eb.fn.countAll<number>().as('total'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return Number(row.total);
}

/** Returns when the confirmed kit was created, if the proof matches it. */
export const findConfirmed = (trx: Trx, userId: string, proofHash: Buffer) =>
  trx
    .selectFrom('recovery_kits')
    .select('created_at')
    .where('user_id', '=', userId)
    .where('proof_hash', '=', proofHash)
    .executeTakeFirst();

/**
 * Makes a shown kit the confirmed one, replacing the previous one. Returns when it was created, or
 * undefined if there is no such kit.
 */
export async function promoteKit(trx: Trx, userId: string, proofHash: Buffer): Promise<Date | undefined> {
  const kit = await trx
    .deleteFrom('shown_kits')
    .where('user_id', '=', userId)
    .where('proof_hash', '=', proofHash)
    .returning(['proof_hash', 'main_key', 'created_at'])
    .executeTakeFirst();
  if (kit === undefined) return undefined;
  await confirm(trx, userId, { ...kit, main_key: JSON.stringify(kit.main_key) });
  return kit.created_at;
}

/** Returns whether a user has a confirmed kit. */
export const hasConfirmed = async (trx: Trx, userId: string): Promise<boolean> =>
  (await trx
    .selectFrom('recovery_kits')
    .select('user_id')
    .where('user_id', '=', userId)
    .executeTakeFirst()) !== undefined;

/**
 * Returns the proof hashes of a login ID's kits, and their user. Little data, so that response time
 * does not reveal whether a kit exists.
 */
export const findKitProofs = (db: Db | Trx, kdfEmail: string) =>
  db
    .selectFrom('users as u')
    .leftJoin('recovery_kits as k', 'k.user_id', 'u.id')
    .leftJoin('shown_kits as s', 's.user_id', 'u.id')
    .select(['u.id', 'u.status', 'k.proof_hash as confirmed', 's.proof_hash as shown'])
    .where('u.kdf_email', '=', kdfEmail)
    .execute();

/**
 * Returns the keys of a kit with a matching proof, or undefined if another kit has replaced it. A
 * shown kit counts only for the keys in use, because the previous release replaces keys without
 * deleting shown kits.
 */
export async function findKit(db: Db | Trx, userId: string, proofHash: Buffer) {
  const row = await db
    .selectFrom('users as u')
    .leftJoin('recovery_kits as k', join =>
      join.onRef('k.user_id', '=', 'u.id').on('k.proof_hash', '=', proofHash),
    )
    .leftJoin('shown_kits as s', join =>
      join
        .onRef('s.user_id', '=', 'u.id')
        .on('s.proof_hash', '=', proofHash)
        .on(sql`s.main_key->>'key_id'`, '=', sql`u.main_key->>'key_id'`),
    )
    .select(['u.login_hash', 'u.main_key as account_key', 'k.main_key as kit_key', 's.main_key as shown_key'])
    .where('u.id', '=', userId)
    .executeTakeFirst();
  const kitKey = row?.kit_key ?? row?.shown_key ?? null;
  if (row === undefined || kitKey === null) return undefined;
  return { login_hash: row.login_hash, account_key: row.account_key, kit_key: kitKey };
}
