/**
 * Marking as read, starring, archiving, deleting and restoring messages (docs/spec-map.md 4): each
 * applies to all the given messages or to none.
 */

import { type FlagFilter, hasFlag } from '../../../base/flags.ts';
import { DELETED_MAIL_KEPT_MS } from '../../../base/limits.ts';
import type { Deps } from '../../../context/deps.ts';
import { forgetScheduled } from '../../accounts/records/index.ts';
import { changeFlags, lockMails, removeMails } from '../../mailbox/messages/index.ts';
import { recallHeld } from '../../outbound/sending/index.ts';

type FlagDeps = Pick<Deps, 'clock' | 'db'>;

/** Sets or clears flags and returns the number of given messages. Throws not_found. */
export const setFlags = (
  { db }: FlagDeps,
  userId: string,
  ids: readonly string[],
  flags: FlagFilter,
): Promise<number> => db.transaction().execute(trx => changeFlags(trx, userId, ids, { flags }));

/**
 * Archives messages, which also ends their snoozing, or unarchives them. Returns the number of
 * given messages. Throws not_found.
 */
export const archiveMails = (
  deps: FlagDeps,
  userId: string,
  ids: readonly string[],
  archived: boolean,
): Promise<number> => setFlags(deps, userId, ids, archived ? { archived, snoozed: false } : { archived });

/**
 * Moves messages to Deleted for 30 days. Messages already there, and drafts, are deleted
 * permanently. A held send is recalled first and becomes a draft in Deleted: it is not delivered to
 * anyone and can be restored. With `isRecoverable` nothing is deleted permanently, so that two
 * clients that move the same message, or a client that retries, move it once. Returns the number of
 * given messages. Throws not_found.
 */
export const deleteMails = (
  { db, clock }: FlagDeps,
  userId: string,
  ids: readonly string[],
  isRecoverable = false,
): Promise<number> =>
  db.transaction().execute(async trx => {
    const recalled = await recallHeld({ clock }, trx, userId, ids);
    const found = await lockMails(trx, userId, ids);
    const forGood = isRecoverable
      ? []
      : found.filter(
          mail => hasFlag(mail.flags, 'deleted') || (hasFlag(mail.flags, 'draft') && !recalled.has(mail.id)),
        );
    const gone = new Set(forGood);
    await removeMails(
      trx,
      userId,
      forGood.map(mail => mail.id),
    );
    await forgetScheduled(
      trx,
      userId,
      forGood.filter(mail => hasFlag(mail.flags, 'draft')).map(mail => mail.id),
    );
    await changeFlags(
      trx,
      userId,
      found.filter(mail => !gone.has(mail) && !hasFlag(mail.flags, 'deleted')).map(mail => mail.id),
      {
        flags: { deleted: true, snoozed: false },
        deletedAt: new Date(clock.now().getTime() + DELETED_MAIL_KEPT_MS),
      },
    );
    return found.length;
  });

/** Restores messages from Deleted and returns the number of given messages. Throws not_found. */
export const restoreMails = ({ db }: FlagDeps, userId: string, ids: readonly string[]): Promise<number> =>
  db
    .transaction()
    .execute(trx => changeFlags(trx, userId, ids, { flags: { deleted: false }, deletedAt: null }));
