/**
 * Manual spam handling: moving messages into and out of Spam, and emptying the folder
 * (docs/spec-map.md 7.37; docs/interpretations.md#52). features/inbound/filters decides which
 * arriving messages are flagged.
 */

import { sql } from 'kysely';
import { FLAG_BITS, toMask } from '../../../base/flags.ts';
import { DELETED_MAIL_KEPT_MS } from '../../../base/limits.ts';
import type { Deps } from '../../../context/deps.ts';
import type { Trx } from '../../../db/pool.ts';
import { ALL_MAILS, changeFlags, lockMailboxes } from '../../mailbox/messages/index.ts';

type SpamDeps = Pick<Deps, 'clock' | 'db'>;

/**
 * Number of messages moved per hold of the mailbox's lock, so that arriving mail never waits long.
 */
const MAILS_PER_BATCH = 1_000;

/**
 * Marks messages as spam or as not spam; returns how many messages were named. Throws not_found.
 */
export const flagMails = (
  { db }: SpamDeps,
  userId: string,
  ids: readonly string[],
  flagged: boolean,
): Promise<number> =>
  db
    .transaction()
    .execute(trx =>
      changeFlags(trx, userId, ids, { flags: flagged ? { flagged, snoozed: false } : { flagged } }),
    );

/**
 * Moves every flagged message to Deleted for 30 days; returns how many. Each batch is a
 * transaction: after a failure, the batches already moved stay moved and the next call continues.
 * Messages that arrive meanwhile stay.
 */
export async function clearFlagged({ db, clock }: SpamDeps, userId: string): Promise<number> {
  const deletedAt = new Date(clock.now().getTime() + DELETED_MAIL_KEPT_MS);
  let until: Date | undefined;
  let moved = 0;
  for (;;) {
    const movedNow = await db.transaction().execute(async trx => {
      const [box] = await lockMailboxes(trx, [userId]);
      until ??= box?.last_arrival ?? new Date(0);
      const ids = await findFlagged(trx, userId, until, MAILS_PER_BATCH);
      return changeFlags(trx, userId, ids, { flags: { deleted: true, snoozed: false }, deletedAt });
    });
    moved += movedNow;
    if (movedNow < MAILS_PER_BATCH) return moved;
  }
}

/**
 * Returns some flagged messages that are in use and arrived up to a time, found through the ranges
 * of their masks.
 */
async function findFlagged(trx: Trx, userId: string, until: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select m.id from mail_counts c
    cross join lateral (
      select id from mails
      where user_id = c.user_id and flags = c.flags and arrived_at <= ${until} limit ${limit}
    ) m
    where c.user_id = ${userId} and c.tag_id = ${ALL_MAILS}::uuid and c.total > 0
      and c.flags & ${toMask({ flagged: true, deleted: true, draft: true })}::smallint = ${FLAG_BITS.flagged}::smallint
    limit ${limit}`.execute(trx);
  return rows.map(row => row.id);
}
