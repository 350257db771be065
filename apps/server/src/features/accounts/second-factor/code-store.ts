/**
 * Statements on recovery codes: confirmed ones, and sets that were shown but not confirmed, which
 * work as well.
 */
import type { Trx } from '../../../db/pool.ts';

async function confirmSet(trx: Trx, userId: string, set: string): Promise<void> {
  await trx
    .updateTable('recovery_codes')
    .set({ shown_set: null })
    .where('user_id', '=', userId)
    .where('shown_set', '=', set)
    .execute();
}

const hasConfirmed = async (trx: Trx, userId: string): Promise<boolean> =>
  (await trx
    .selectFrom('recovery_codes')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('shown_set', 'is', null)
    .executeTakeFirst()) !== undefined;

/**
 * Deletes a recovery code and returns whether it existed. Using a code confirms its set if no other
 * set is confirmed.
 */
export async function useRecoveryCode(trx: Trx, userId: string, codeHash: Buffer): Promise<boolean> {
  const used = await trx
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('code_hash', '=', codeHash)
    .returning('shown_set')
    .executeTakeFirst();
  if (used === undefined) return false;
  if (used.shown_set !== null && !(await hasConfirmed(trx, userId)))
    await confirmSet(trx, userId, used.shown_set);
  return true;
}

async function insertCodes(
  trx: Trx,
  userId: string,
  hashes: readonly Buffer[],
  set: string | null,
): Promise<void> {
  await trx
    .insertInto('recovery_codes')
    .values(hashes.map(code_hash => ({ user_id: userId, code_hash, shown_set: set })))
    .execute();
}

export async function deleteRecoveryCodes(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
}

/** Stores confirmed codes and deletes all others. */
export async function replaceRecoveryCodes(
  trx: Trx,
  userId: string,
  hashes: readonly Buffer[],
): Promise<void> {
  await deleteRecoveryCodes(trx, userId);
  await insertCodes(trx, userId, hashes, null);
}

/** Stores codes alongside the others until they are confirmed. */
export const addShownCodes = insertCodes;

/** Returns the number of sets that were shown but not confirmed. */
export async function countShownSets(trx: Trx, userId: string): Promise<number> {
  const row = await trx
    .selectFrom('recovery_codes')
    .select(eb => eb.fn.count<number>('shown_set').distinct().as('total'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return Number(row.total);
}

/**
 * Confirms the set that a code belongs to and deletes all others; returns false when the code does
 * not exist.
 */
export async function confirmCodes(trx: Trx, userId: string, codeHash: Buffer): Promise<boolean> {
  const found = await trx
    .selectFrom('recovery_codes')
    .select('shown_set')
    .where('user_id', '=', userId)
    .where('code_hash', '=', codeHash)
    .executeTakeFirst();
  if (found === undefined) return false;
  const { shown_set: set } = found;
  await trx
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where(eb =>
      set === null
        ? eb('shown_set', 'is not', null)
        : eb.or([eb('shown_set', 'is', null), eb('shown_set', '!=', set)]),
    )
    .execute();
  if (set !== null) await confirmSet(trx, userId, set);
  return true;
}
