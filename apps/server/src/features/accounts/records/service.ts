/**
 * Records: client data that is synchronized across the user's devices and sealed by the client. The
 * server knows only kinds, ids, sizes and times. It limits their number and bytes, and prevents a
 * device from overwriting a version that it has not read.
 */
import {
  type api,
  findScheduledOf,
  type InputOf,
  type OutputOf,
  scheduledBccRecord,
} from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import { RECORDS_MAX, RECORDS_MAX_BYTES } from '../../../base/limits.ts';
import type { Deps } from '../../../context/deps.ts';
import type { Trx } from '../../../db/pool.ts';
import { isUuid } from '../../../db/uuid.ts';
import { isHeldCopy, lockMailboxes } from '../../mailbox/messages/index.ts';
import { requireKeysInUse } from '../users/index.ts';
import { deleteRecord, findRecord, findRecords, sumRecords, upsertRecord } from './store.ts';

type RecordDeps = Pick<Deps, 'clock' | 'db'>;
type Listed = OutputOf<typeof api.records.list>['data'];

/** Returns records of one kind by id, starting after `after`. */
export const listRecords = async (
  { db }: RecordDeps,
  userId: string,
  { kind, after, count }: InputOf<typeof api.records.list>,
): Promise<Listed> =>
  (await findRecords(db, userId, kind, after, count)).map(
    ({ id, version, sealed, key_used, updated_at }) => ({
      id,
      version,
      sealed: sealed.toString('base64'),
      key_used,
      updated_at: updated_at.toISOString(),
    }),
  );

/**
 * Creates a record (version 0) or replaces the given version. Returns the new version, also when a
 * previous request already stored these exact bytes. Throws version_conflict when the stored
 * version differs or does not exist; keys_replaced when `key_used` is not current; limit_reached;
 * quota_exceeded; not_found for a record of a scheduled message that has since been sent or
 * recalled, since nothing would ever delete it.
 */
export function saveRecord(
  { db, clock }: RecordDeps,
  userId: string,
  { kind, id, version, sealed: sealedB64, key_used: keyUsed }: InputOf<typeof api.records.save>,
): Promise<number> {
  const sealed = Buffer.from(sealedB64, 'base64');
  return db.transaction().execute(async trx => {
    await lockMailboxes(trx, [userId]);
    await requireKeysInUse(trx, userId, [keyUsed]);
    const scheduledId = findScheduledOf(kind, id);
    if (scheduledId !== null && !(isUuid(scheduledId) && (await isHeldCopy(trx, userId, scheduledId))))
      throw new AppError('not_found');
    const found = await findRecord(trx, { userId, kind, id }, sealed);
    // Each save is sealed under a fresh IV, so identical bytes mean a retry whose response was
    // lost.
    if (found?.version === version + 1 && found.is_same) return found.version;
    if ((found?.version ?? 0) !== version) throw new AppError('version_conflict');
    const { total, bytes } = await sumRecords(trx, userId);
    if (found === undefined && total >= RECORDS_MAX) throw new AppError('limit_reached');
    if (Number(bytes) - (found?.size_bytes ?? 0) + sealed.length > RECORDS_MAX_BYTES)
      throw new AppError('quota_exceeded');
    await upsertRecord(trx, {
      user_id: userId,
      kind,
      id,
      version: version + 1,
      sealed,
      size_bytes: sealed.length,
      key_used: keyUsed,
      updated_at: clock.now(),
    });
    return version + 1;
  });
}

/** Deletes a record. A missing record is not an error. */
export const removeRecord = (
  { db }: RecordDeps,
  userId: string,
  { kind, id }: InputOf<typeof api.records.remove>,
): Promise<void> => deleteRecord(db, { userId, kind, id });

/**
 * Deletes the records that a user's clients stored for scheduled messages, if any. The caller holds
 * the mailbox's lock.
 */
export async function forgetScheduled(trx: Trx, userId: string, mailIds: readonly string[]): Promise<void> {
  for (const mailId of mailIds) await deleteRecord(trx, { userId, ...scheduledBccRecord(mailId) });
}
