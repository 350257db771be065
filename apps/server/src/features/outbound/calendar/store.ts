/**
 * SQL for the table event_answers: for each guest of an organizer's event, the newest sequence for
 * which a token was created, and the answer. Events and guests are stored as keyed digests.
 */
import type { Db, Trx } from '../../../db/pool.ts';

export type GuestKey = {
  readonly userId: string;
  readonly eventDigest: Buffer;
  readonly guestDigest: Buffer;
};

export type GuestState = {
  readonly sequence: number;
  readonly response: string | null;
  readonly changes: number;
};

/**
 * Records the guests for whom tokens were created. Clears answers to older sequences and keeps
 * newer rows.
 */
export async function noteInvited(
  db: Db | Trx,
  guests: readonly GuestKey[],
  sequence: number,
  expiresAt: Date,
): Promise<void> {
  await db
    .insertInto('event_answers')
    .values(
      guests.map(({ userId, eventDigest, guestDigest }) => ({
        user_id: userId,
        event_digest: eventDigest,
        guest_digest: guestDigest,
        sequence,
        expires_at: expiresAt,
      })),
    )
    .onConflict(conflict =>
      conflict
        .columns(['user_id', 'event_digest', 'guest_digest'])
        .doUpdateSet({
          sequence,
          response: null,
          changes: 0,
          expires_at: expiresAt,
        })
        .where('event_answers.sequence', '<', sequence),
    )
    .execute();
}

/**
 * Returns the newest sequence that any guest of an event was invited with, or null when there are
 * no rows.
 */
export async function findNewestSequence(
  db: Db | Trx,
  { userId, eventDigest }: Omit<GuestKey, 'guestDigest'>,
): Promise<number | null> {
  const row = await db
    .selectFrom('event_answers')
    .select(({ fn }) => fn.max('sequence').as('newest'))
    .where('user_id', '=', userId)
    .where('event_digest', '=', eventDigest)
    .executeTakeFirst();
  return row?.newest ?? null;
}

/** Returns the number of guests of an event, and of all events of its organizer. */
export async function countGuests(
  trx: Trx,
  { userId, eventDigest }: Omit<GuestKey, 'guestDigest'>,
): Promise<{ readonly ofEvent: number; readonly ofUser: number }> {
  const { event, all } = await trx
    .selectFrom('event_answers')
    .select(({ fn }) => [
      fn.countAll<number>().filterWhere('event_digest', '=', eventDigest).as('event'),
      fn.countAll<number>().as('all'),
    ])
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return { ofEvent: event, ofUser: all };
}

/** Returns a guest's row, locked until the transaction ends. */
export const lockGuest = async (trx: Trx, key: GuestKey): Promise<GuestState | null> =>
  (await trx
    .selectFrom('event_answers')
    .select(['sequence', 'response', 'changes'])
    .where('user_id', '=', key.userId)
    .where('event_digest', '=', key.eventDigest)
    .where('guest_digest', '=', key.guestDigest)
    .forUpdate()
    .executeTakeFirst()) ?? null;

export async function setAnswer(
  trx: Trx,
  key: GuestKey,
  response: 'accepted' | 'declined' | 'tentative',
  answeredAt: Date,
): Promise<void> {
  await trx
    .updateTable('event_answers')
    .set(({ eb }) => ({ response, answered_at: answeredAt, changes: eb('changes', '+', 1) }))
    .where('user_id', '=', key.userId)
    .where('event_digest', '=', key.eventDigest)
    .where('guest_digest', '=', key.guestDigest)
    .execute();
}
