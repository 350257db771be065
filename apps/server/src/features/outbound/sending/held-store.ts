/**
 * SQL for held sends ([Note: Held sends] in db/migrations/0006-held-sends.ts). All callers lock the
 * row of held_sends before any mailbox, so that a release and a recall cannot deadlock.
 */
import { type Insertable, type Selectable, type SqlBool, sql } from 'kysely';
import { lockNext, userQueue } from '../../../db/claim.ts';
import type { Db, Trx } from '../../../db/pool.ts';
import type { HeldCopiesTable, HeldSendsTable } from '../../../db/tables.ts';

export type HeldSend = Selectable<HeldSendsTable>;
export type HeldCopy = Selectable<HeldCopiesTable>;

/** Number of rows per insert, far below the limit of parameters per statement. */
const COPIES_PER_INSERT = 100;

export async function insertHeldSend(
  trx: Trx,
  held: Insertable<HeldSendsTable>,
  copies: readonly Insertable<HeldCopiesTable>[],
): Promise<void> {
  await trx.insertInto('held_sends').values(held).execute();
  for (let from = 0; from < copies.length; from += COPIES_PER_INSERT) {
    await trx
      .insertInto('held_copies')
      .values(copies.slice(from, from + COPIES_PER_INSERT))
      .execute();
  }
}

const notIn = (ids: readonly string[]) => sql<SqlBool>`not mail_id = any(${[...ids]}::uuid[])`;

const heldQueue = userQueue('held_sends', ['user_id', 'mail_id']);

/** Number of due sends tried before the next ones are queried. */
const DUE_PER_SEARCH = 8;

/** Locks the send that has been due longest and is not locked by another worker. */
export const lockDueSend = (trx: Trx, now: Date, skipped: readonly string[]): Promise<HeldSend | undefined> =>
  lockNext(trx, heldQueue, {
    perSearch: DUE_PER_SEARCH,
    find: (passed, limit) =>
      trx
        .selectFrom('held_sends')
        .select(['user_id', 'mail_id'])
        .where('due_at', '<=', now)
        .where(notIn([...skipped, ...passed.map(({ mail_id }) => mail_id)]))
        .orderBy('due_at')
        .limit(limit)
        .execute(),
    where: sql<SqlBool>`due_at <= ${now}`,
  });

/**
 * Locks the held sends among a user's messages and their sibling copies, and waits for a release in
 * progress. Always locks in the same order, so that concurrent callers cannot deadlock.
 */
export const lockHeldSends = (trx: Trx, userId: string, mailIds: readonly string[]): Promise<HeldSend[]> =>
  trx
    .selectFrom('held_sends')
    .selectAll()
    .where('user_id', '=', userId)
    .where(sql<SqlBool>`(mail_id = any(${[...mailIds]}::uuid[]) or twin_id = any(${[...mailIds]}::uuid[]))`)
    .orderBy('mail_id')
    .forUpdate()
    .execute();

/** Makes a send the sibling copy of another. It is released no earlier than the other one. */
export async function setSibling(
  trx: Trx,
  { user_id, mail_id }: HeldSend,
  siblingId: string,
  dueAt: Date,
): Promise<void> {
  await trx
    .updateTable('held_sends')
    .set({ twin_id: siblingId, due_at: sql<Date>`greatest(due_at, ${dueAt}::timestamptz)` })
    .where('user_id', '=', user_id)
    .where('mail_id', '=', mail_id)
    .execute();
}

/** Returns the time at which the next send is due. */
export async function findNextDue(db: Db, skipped: readonly string[]): Promise<Date | null> {
  const row = await db
    .selectFrom('held_sends')
    .select('due_at')
    .where(notIn(skipped))
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst();
  return row?.due_at ?? null;
}

export const findHeldCopies = (trx: Trx, { user_id, mail_id }: HeldSend): Promise<HeldCopy[]> =>
  trx
    .selectFrom('held_copies')
    .selectAll()
    .where('user_id', '=', user_id)
    .where('mail_id', '=', mail_id)
    .orderBy('place')
    .execute();

/** Returns the sender's own copy with its body. */
export const findOwnCopy = (trx: Trx, { user_id, mail_id }: HeldSend) =>
  trx
    .selectFrom('mails as m')
    .innerJoin('mail_bodies as b', join =>
      join.onRef('b.user_id', '=', 'm.user_id').onRef('b.mail_id', '=', 'm.id'),
    )
    .select(['m.flags', 'm.from_address', 'm.message_id', 'm.summary', 'm.binding', 'b.body'])
    .where('m.user_id', '=', user_id)
    .where('m.id', '=', mail_id)
    .executeTakeFirst();

/** Returns the flag mask of a user's message. */
export async function findMask(trx: Trx, userId: string, mailId: string): Promise<number | null> {
  const row = await trx
    .selectFrom('mails')
    .select('flags')
    .where('user_id', '=', userId)
    .where('id', '=', mailId)
    .executeTakeFirst();
  return row?.flags ?? null;
}

/** Deletes the record of a held send. */
export async function deleteHeldSend(trx: Trx, { user_id, mail_id }: HeldSend): Promise<void> {
  for (const table of ['held_copies', 'held_sends'] as const)
    await trx.deleteFrom(table).where('user_id', '=', user_id).where('mail_id', '=', mail_id).execute();
}
