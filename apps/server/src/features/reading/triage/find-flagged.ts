/**
 * Statements that find mails to organise.
 */
import { sql } from 'kysely';
import { FLAG_BITS, toMask } from '../../../base/flags.ts';
import type { Trx } from '../../../db/pool.ts';
import { ALL_MAILS } from '../../mailbox/messages/index.ts';

/** Some flagged mails in use that arrived up to a time, found through their masks' ranges. */
export async function findFlagged(trx: Trx, userId: string, until: Date, limit: number): Promise<string[]> {
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
