/**
 * Statements on sends that are held ([Note: Held sends] in db/migrations/0006-held-sends.ts). The row of held_sends is
 * locked before any mailbox is, by everybody, so that a release and a recall never wait for each other in a circle.
 */
import { type Insertable, type Selectable, type SqlBool, sql } from 'kysely';
import type { Db, Trx } from '../../../db/pool.ts';
import type { HeldCopiesTable, HeldSendsTable } from '../../../db/tables.ts';

export type HeldSend = Selectable<HeldSendsTable>;
export type HeldCopy = Selectable<HeldCopiesTable>;

/** Rows of one insert: far from the number of parameters that a statement may have. */
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

/** Sends that are looked at before it is asked which are due after those. */
const DUE_PER_LOOK = 8;

/** Locks the send that is due longest and that nobody else is at: they are found first, and then locked one by one. */
export async function lockDueSend(
  trx: Trx,
  now: Date,
  skipped: readonly string[],
): Promise<HeldSend | undefined> {
  const passed = [...skipped];
  for (;;) {
    const due = await trx
      .selectFrom('held_sends')
      .select(['user_id', 'mail_id'])
      .where('due_at', '<=', now)
      .where(notIn(passed))
      .orderBy('due_at')
      .limit(DUE_PER_LOOK)
      .execute();
    for (const { user_id, mail_id } of due) {
      const held = await trx
        .selectFrom('held_sends')
        .selectAll()
        .where('user_id', '=', user_id)
        .where('mail_id', '=', mail_id)
        .where('due_at', '<=', now)
        .forUpdate()
        .skipLocked()
        .executeTakeFirst();
      if (held !== undefined) return held;
      passed.push(mail_id);
    }
    if (due.length < DUE_PER_LOOK) return undefined;
  }
}

/**
 * Locks those of these mails of a user that are held, and their sibling copies, waiting for a release that is under way. In one
 * order, so that two who lock the same never wait for each other.
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

/** Makes a send the sibling copy of another; it goes no earlier than that. */
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

/** When the next send is due. */
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

/** The sender's own copy with its body. */
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

/** The mask of a user's mail. */
export async function findMask(trx: Trx, userId: string, mailId: string): Promise<number | null> {
  const row = await trx
    .selectFrom('mails')
    .select('flags')
    .where('user_id', '=', userId)
    .where('id', '=', mailId)
    .executeTakeFirst();
  return row?.flags ?? null;
}

/** Forgets that a send was held. */
export async function deleteHeldSend(trx: Trx, { user_id, mail_id }: HeldSend): Promise<void> {
  for (const table of ['held_copies', 'held_sends'] as const)
    await trx.deleteFrom(table).where('user_id', '=', user_id).where('mail_id', '=', mail_id).execute();
}
