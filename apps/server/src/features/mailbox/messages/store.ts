/**
 * SQL for a mailbox: its lock, its counters, and the rows of a message. Callers hold the lock
 * before they change anything; the rules are in service.ts.
 */
import { type SqlBool, sql } from 'kysely';
import { FLAG_BITS } from '../../../base/flags.ts';
import { noteChange } from '../../../db/changes.ts';
import type { Db, Trx } from '../../../db/pool.ts';

/** The tag_id under which all of a user's messages are counted, regardless of tags. */
export const ALL_MAILS = '00000000-0000-0000-0000-000000000000';

export type LockedMailbox = {
  readonly user_id: string;
  readonly used_bytes: number;
  readonly last_arrival: Date;
};

/**
 * Locks mailboxes in a global order, so that two sends never deadlock; several are locked one after
 * the other, each by its user ([Note: Locks one by one], 0116).
 */
export async function lockMailboxes(trx: Trx, userIds: readonly string[]): Promise<LockedMailbox[]> {
  const [userId, second] = userIds;
  if (userId === undefined) return [];
  if (second === undefined)
    return trx
      .selectFrom('mailboxes')
      .select(['user_id', 'used_bytes', 'last_arrival'])
      .where('user_id', '=', userId)
      .forUpdate()
      .execute();
  const { rows } = await sql<LockedMailbox>`
    select user_id, used_bytes, last_arrival from lock_mailboxes(${[...userIds]}::uuid[])`.execute(trx);
  return rows;
}

/**
 * Adds to a mailbox's used bytes, advances its version and last arrival, and notifies its owner's
 * clients.
 */
export async function touchMailbox(
  trx: Trx,
  userId: string,
  addedBytes: number,
  lastArrival?: Date,
): Promise<void> {
  const touched = await trx
    .updateTable('mailboxes')
    .set(eb => ({
      used_bytes: sql<number>`greatest(0, ${eb.ref('used_bytes')} + ${addedBytes})`,
      version: eb('version', '+', 1),
      ...(lastArrival === undefined ? {} : { last_arrival: lastArrival }),
    }))
    .where('user_id', '=', userId)
    .returning('version')
    .executeTakeFirst();
  const kind = lastArrival === undefined ? 'change' : 'mail';
  if (touched !== undefined) noteChange(trx, { userId, version: touched.version, kind });
}

export type CountChange = { readonly tagId: string; readonly flags: number; readonly change: number };

/** Applies changes to a user's flag group counters in one statement. */
export async function changeCounts(trx: Trx, userId: string, changes: readonly CountChange[]): Promise<void> {
  const sums = new Map<string, CountChange>();
  for (const one of changes) {
    const key = `${one.tagId} ${one.flags}`;
    sums.set(key, { ...one, change: (sums.get(key)?.change ?? 0) + one.change });
  }
  const moved = [...sums.values()].filter(({ change }) => change !== 0);
  // An upsert checks the inserted row before it finds the stored one, so decreases are updates and
  // increases are upserts.
  const fallen = moved.filter(({ change }) => change < 0);
  const grown = moved.filter(({ change }) => change > 0);
  for (const { tagId, flags, change } of fallen) {
    await trx
      .updateTable('mail_counts')
      .set(eb => ({ total: eb('total', '+', change) }))
      .where('user_id', '=', userId)
      .where('tag_id', '=', tagId)
      .where('flags', '=', flags)
      .execute();
  }
  if (grown.length === 0) return;
  await trx
    .insertInto('mail_counts')
    .values(
      grown.map(({ tagId, flags, change }) => ({ user_id: userId, tag_id: tagId, flags, total: change })),
    )
    .onConflict(conflict =>
      conflict
        .columns(['user_id', 'tag_id', 'flags'])
        .doUpdateSet({ total: sql<number>`mail_counts.total + excluded.total` }),
    )
    .execute();
}

/** Returns the thread of the first of these Message-IDs that the user has a message with. */
export async function findThread(
  db: Db | Trx,
  userId: string,
  messageIds: readonly string[],
): Promise<string | null> {
  if (messageIds.length === 0) return null;
  const row = await db
    .selectFrom('mails')
    .select('thread_id')
    .where('user_id', '=', userId)
    .where(
      sql<string>`md5(message_id)`,
      'in',
      messageIds.map(id => sql<string>`md5(${id})`),
    )
    .where('message_id', 'in', [...messageIds])
    .orderBy('received_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.thread_id ?? null;
}

/**
 * Returns, for each query, the thread that {@link findThread} would find, in one statement; null
 * where there is none.
 */
export async function findThreads(
  trx: Trx,
  questions: readonly { readonly userId: string; readonly messageIds: readonly string[] }[],
): Promise<(string | null)[]> {
  const asked = questions.flatMap(({ userId, messageIds }, place) =>
    messageIds.map(messageId => ({ place, userId, messageId })),
  );
  if (asked.length === 0) return questions.map(() => null);
  const { rows } = await sql<{ place: number; thread_id: string }>`
    select distinct on (q.place) q.place, m.thread_id
    from unnest(
      ${asked.map(({ place }) => place)}::integer[],
      ${asked.map(({ userId }) => userId)}::uuid[],
      ${asked.map(({ messageId }) => messageId)}::text[]
    ) as q (place, user_id, message_id)
    join mails as m on m.user_id = q.user_id and md5(m.message_id) = md5(q.message_id)
      and m.message_id = q.message_id
    order by q.place, m.received_at desc`.execute(trx);
  const found = new Map(rows.map(row => [row.place, row.thread_id]));
  return questions.map((_, place) => found.get(place) ?? null);
}

/** Returns the ids of the snoozed messages in these conversations. */
export async function findSnoozed(trx: Trx, userId: string, threadIds: readonly string[]): Promise<string[]> {
  const rows = await trx
    .selectFrom('mails')
    .select('id')
    .where('user_id', '=', userId)
    .where(sql<SqlBool>`thread_id = any(${[...threadIds]}::uuid[])`)
    .where(sql<SqlBool>`flags & ${FLAG_BITS.snoozed}::smallint <> 0`)
    .execute();
  return rows.map(row => row.id);
}
