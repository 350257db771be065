/**
 * Holding a send and recalling it (docs/api-conventions.md#mail). Until it is due, nothing of it is visible to its readers; a
 * recall makes a draft of the sender's copy and forgets the rest, in one transaction. Releasing is release.ts'.
 */
import type { api, InputOf } from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import { SCHEDULE_MAX_DAYS } from '@keyfold/contract/limits';
import { hasFlag } from '../../../base/flags.ts';
import type { Deps } from '../../../context/deps.ts';
import { createNotifier } from '../../../db/notifier.ts';
import type { Db, Trx } from '../../../db/pool.ts';
import { isUuid } from '../../../db/uuid.ts';
import { forgetScheduled } from '../../accounts/records/index.ts';
import { type NewMail, removeMails, turnIntoDraft } from '../../mailbox/messages/index.ts';
import { dropOutbound } from '../delivery/index.ts';
import {
  deleteHeldSend,
  findMask,
  type HeldSend,
  insertHeldSend,
  lockHeldSends,
  setSibling,
} from './held-store.ts';

const wakes = createNotifier();

/** Calls `listener` when this process has held a send; returns what stops it. */
export const onHeld = wakes.onWake;

/** To be called once a held send is committed. */
export const announceHeld = ({ db }: { readonly db: Db }): void => wakes.wake(db);

const DAY_MS = 24 * 60 * 60 * 1000;

/** Until when a send is held; null when it goes at once. Throws malformed for a time too far ahead. */
export function heldUntilOf(
  { send_at, undo_seconds }: Pick<InputOf<typeof api.sending.send_private>, 'send_at' | 'undo_seconds'>,
  now: Date,
): Date | null {
  const chosenMs = send_at === undefined ? 0 : new Date(send_at).getTime();
  if (chosenMs > now.getTime() + SCHEDULE_MAX_DAYS * DAY_MS)
    throw new AppError('malformed', { problems: [{ path: 'send_at', message: 'Is too far ahead' }] });
  const dueMs = Math.max(chosenMs, now.getTime() + undo_seconds * 1000);
  return dueMs > now.getTime() ? new Date(dueMs) : null;
}

export type ToHold = {
  readonly userId: string;
  readonly mailId: string;
  readonly dueAt: Date;
  /** What readers here would get now. */
  readonly copies: readonly NewMail[];
  /** The header block that they get. */
  readonly headers: string;
  readonly references: readonly string[];
  readonly outboundId: string | null;
  /** The other copy of the letter, locked. */
  readonly sibling: HeldSend | null;
};

/** Locks the other copy of a letter, before any mailbox is locked; null when it is not held (any more). */
export async function lockSibling(
  trx: Trx,
  userId: string,
  siblingId: string | undefined,
): Promise<HeldSend | null> {
  if (siblingId === undefined || !isUuid(siblingId)) return null;
  const [sibling] = await lockHeldSends(trx, userId, [siblingId]);
  // There are two copies of a letter and never more.
  return sibling?.mail_id === siblingId && sibling.twin_id === null ? sibling : null;
}

/** Keeps what a release needs beside the sender's copy. */
export async function keepHeld(trx: Trx, held: ToHold): Promise<void> {
  const { userId, mailId, sibling } = held;
  if (sibling !== null) await setSibling(trx, sibling, mailId, held.dueAt);
  await insertHeldSend(
    trx,
    {
      user_id: userId,
      mail_id: mailId,
      due_at: sibling === null || sibling.due_at < held.dueAt ? held.dueAt : sibling.due_at,
      headers: held.headers,
      message_references: [...held.references],
      outbound_id: held.outboundId,
      twin_id: sibling?.mail_id ?? null,
    },
    held.copies.map((copy, place) => ({
      user_id: userId,
      mail_id: mailId,
      place,
      reader_id: copy.userId,
      address: copy.ownAddress,
      ciphertext: copy.ciphertext,
      encrypted_key: copy.encryptedKey ?? Buffer.alloc(0),
      dh_public: copy.dhPublic,
      salt: copy.salt ?? Buffer.alloc(0),
      key_used: copy.keyUsed ?? '',
    })),
  );
}

/**
 * Ends a held send that no draft is left of: its row, which the caller has locked, and what its sender's clients kept beside
 * it. The caller has the sender's mailbox too, so that nothing is kept after this.
 */
export async function endHeld(trx: Trx, held: HeldSend): Promise<void> {
  await deleteHeldSend(trx, held);
  await forgetScheduled(trx, held.user_id, [held.mail_id]);
}

/**
 * Ends a held send that nobody gets, with what was queued of it. What was kept beside it stays for the draft that it becomes,
 * until that is saved, sent or removed: who is in Bcc stands nowhere else where clients believe it.
 */
export async function dropHeld(trx: Trx, held: HeldSend): Promise<void> {
  await deleteHeldSend(trx, held);
  if (held.outbound_id !== null) await dropOutbound(trx, held.outbound_id);
}

/**
 * Recalls those of a user's mails that are held, before their mailbox is locked for anything else; returns their ids.
 * Mails that are not held are left alone. The sibling of one goes with it: the draft is the whole letter, and so it is one.
 */
export async function recallHeld(
  { clock }: Pick<Deps, 'clock'>,
  trx: Trx,
  userId: string,
  mailIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const held = await lockHeldSends(trx, userId, mailIds.filter(isUuid));
  const recalled = held.filter(one => mailIds.includes(one.mail_id));
  for (const one of recalled) {
    await turnIntoDraft(trx, userId, one.mail_id, clock.now());
    await dropHeld(trx, one);
  }
  const siblings = held.filter(one => !recalled.includes(one));
  for (const one of siblings) {
    await dropHeld(trx, one);
    await endHeld(trx, one);
  }
  await removeMails(
    trx,
    userId,
    siblings.map(one => one.mail_id),
  );
  return new Set(recalled.map(one => one.mail_id));
}

/** Whether the sibling of a held send has gone out already. */
async function hasSiblingGone(trx: Trx, userId: string, id: string): Promise<boolean> {
  const held = await lockHeldSends(trx, userId, [id]);
  const siblingId = held.find(one => one.mail_id === id)?.twin_id ?? null;
  if (siblingId === null || held.some(one => one.mail_id === siblingId)) return false;
  const mask = await findMask(trx, userId, siblingId);
  return mask !== null && hasFlag(mask, 'sent');
}

/**
 * Recalls a held send and its sibling, or neither, and returns the id of the draft that it is now; for one recalled before,
 * the same. Throws sent_already when one of them has gone, not_found for what is no send of this user.
 */
export const unsend = (deps: Pick<Deps, 'clock' | 'db'>, userId: string, id: string): Promise<string> =>
  deps.db.transaction().execute(async trx => {
    if (!isUuid(id)) throw new AppError('not_found');
    if (await hasSiblingGone(trx, userId, id)) throw new AppError('sent_already');
    const recalled = await recallHeld(deps, trx, userId, [id]);
    if (recalled.has(id)) return id;
    const mask = await findMask(trx, userId, id);
    if (mask === null) throw new AppError('not_found');
    // An answer may be lost on its way: asking again finds the draft.
    if (hasFlag(mask, 'draft')) return id;
    throw new AppError(hasFlag(mask, 'sent') ? 'sent_already' : 'not_found');
  });
