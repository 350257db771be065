/**
 * Records: what a client keeps for itself on all its devices, sealed by the client. The server knows kinds, ids, sizes and
 * times, bounds their number and bytes, and sees to it that no device overwrites what it has not read.
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

/** Records of one kind by id, from `after` on. */
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
 * Makes a record (version 0) or replaces the one of this version; returns the new version, also when that was done with these
 * very bytes. Throws version_conflict when another version is there, or none; keys_replaced when other keys than `key_used` are in use; limit_reached;
 * quota_exceeded; not_found for what belongs to a scheduled mail that has gone or was recalled meanwhile, since nobody would
 * remove it.
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
    // Sealed under an IV of its own each time, so the same bytes are the same request, whose answer was lost.
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

/** Removes a record; one that is not there is no error. */
export const removeRecord = (
  { db }: RecordDeps,
  userId: string,
  { kind, id }: InputOf<typeof api.records.remove>,
): Promise<void> => deleteRecord(db, { userId, kind, id });

/** Removes what a user's clients kept beside mails that were scheduled, if anything. The caller has the mailbox's lock. */
export async function forgetScheduled(trx: Trx, userId: string, mailIds: readonly string[]): Promise<void> {
  for (const mailId of mailIds) await deleteRecord(trx, { userId, ...scheduledBccRecord(mailId) });
}
