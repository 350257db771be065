/**
 * Holds and recalls sends (docs/api-conventions.md#mail). Until a send is due, its recipients see
 * nothing of it. A recall turns the sender's copy into a draft and deletes the rest, in one
 * transaction. For releasing, see release.ts.
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

/** Calls `listener` when this process has held a send. Returns a function that unsubscribes it. */
export const onHeld = wakes.onWake;

/** Call after a held send has been committed. */
export const announceHeld = ({ db }: { readonly db: Db }): void => wakes.wake(db);

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Returns until when a send is held, or null when it is sent immediately. Throws malformed for a
 * time too far ahead.
 */
export function heldUntilOf(
  { send_at, undo_seconds }: Pick<InputOf<typeof api.sending.send_private>, 'send_at' | 'undo_seconds'>,
  now: Date,
): Date | null {
  const chosenMs = send_at === undefined ? 0 : new Date(send_at).getTime();
  if (chosenMs > now.getTime() + SCHEDULE_MAX_DAYS * DAY_MS)
    throw new AppError('malformed', { problems: [{ path: 'send_at', message: 'Too far in the future' }] });
  const dueMs = Math.max(chosenMs, now.getTime() + undo_seconds * 1000);
  return dueMs > now.getTime() ? new Date(dueMs) : null;
}

export type ToHold = {
  readonly userId: string;
  readonly mailId: string;
  readonly dueAt: Date;
  /** The copies that local recipients would receive now. */
  readonly copies: readonly NewMail[];
  /** Header block of these copies. */
  readonly headers: string;
  readonly references: readonly string[];
  readonly outboundId: string | null;
  /** The other copy of the message, locked. */
  readonly sibling: HeldSend | null;
};

/**
 * Locks the other copy of a message, before any mailbox is locked. Returns null when it is not
 * held, or no longer held.
 */
export async function lockSibling(
  trx: Trx,
  userId: string,
  siblingId: string | undefined,
): Promise<HeldSend | null> {
  if (siblingId === undefined || !isUuid(siblingId)) return null;
  const [sibling] = await lockHeldSends(trx, userId, [siblingId]);
  // A message has at most two copies.
  return sibling?.mail_id === siblingId && sibling.twin_id === null ? sibling : null;
}

/** Stores what a release needs in addition to the sender's copy. */
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
 * Ends a held send that leaves no draft behind: deletes its row, which the caller has locked, and
 * the data that the sender's clients stored with it. The caller also holds the lock of the sender's
 * mailbox, so that nothing is stored afterwards.
 */
export async function endHeld(trx: Trx, held: HeldSend): Promise<void> {
  await deleteHeldSend(trx, held);
  await forgetScheduled(trx, held.user_id, [held.mail_id]);
}

/**
 * Ends a held send without delivering it, and drops its queued message. The data stored with it is
 * kept for the resulting draft until that is saved, sent or removed, because clients trust no other
 * source for its Bcc recipients.
 */
export async function dropHeld(trx: Trx, held: HeldSend): Promise<void> {
  await deleteHeldSend(trx, held);
  if (held.outbound_id !== null) await dropOutbound(trx, held.outbound_id);
}

/**
 * Recalls the held sends among a user's messages, before their mailbox is locked for anything else,
 * and returns their ids. Leaves other messages alone. A recalled send's sibling is removed: the
 * draft is the whole message, so there is only one.
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

/** Returns whether the sibling of a held send has already been sent. */
async function hasSiblingGone(trx: Trx, userId: string, id: string): Promise<boolean> {
  const held = await lockHeldSends(trx, userId, [id]);
  const siblingId = held.find(one => one.mail_id === id)?.twin_id ?? null;
  if (siblingId === null || held.some(one => one.mail_id === siblingId)) return false;
  const mask = await findMask(trx, userId, siblingId);
  return mask !== null && hasFlag(mask, 'sent');
}

/**
 * Recalls a held send and its sibling, or neither, and returns the id of the resulting draft.
 * Repeating it returns the same id. Throws sent_already when one of them has been sent, and
 * not_found when the id is not a send of this user.
 */
export const unsend = (deps: Pick<Deps, 'clock' | 'db'>, userId: string, id: string): Promise<string> =>
  deps.db.transaction().execute(async trx => {
    if (!isUuid(id)) throw new AppError('not_found');
    if (await hasSiblingGone(trx, userId, id)) throw new AppError('sent_already');
    const recalled = await recallHeld(deps, trx, userId, [id]);
    if (recalled.has(id)) return id;
    const mask = await findMask(trx, userId, id);
    if (mask === null) throw new AppError('not_found');
    // The response may have been lost; a repeated request finds the draft.
    if (hasFlag(mask, 'draft')) return id;
    throw new AppError(hasFlag(mask, 'sent') ? 'sent_already' : 'not_found');
  });
