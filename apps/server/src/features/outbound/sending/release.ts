/**
 * Releases held sends that are due. One transaction delivers to local recipients, queues for
 * external ones, and marks the sender's copy as sent. Copies that can no longer be delivered
 * (recipient gone, new keys, mailbox full) are reported to the sender in a message, like a bounce.
 * A crash before the commit leaves the send held; after the commit no work remains.
 */

import { hasFlag, toMask } from '../../../base/flags.ts';
import type { Deps } from '../../../context/deps.ts';
import type { Trx } from '../../../db/pool.ts';
import { findOwnersOf, type Owner, usedBytesOf } from '../../accounts/users/index.ts';
import {
  type Container,
  containersOf,
  lockMailboxes,
  markSent,
  type NewMail,
  sizeOf,
  storeMails,
  turnIntoDraft,
} from '../../mailbox/messages/index.ts';
import { countSent } from '../../support/statistics/index.ts';
import {
  buildFailureNotice,
  heldRecipientsOf,
  type ReportedRecipient,
  releaseOutbound,
  signalDelivery,
} from '../delivery/index.ts';
import {
  findHeldCopies,
  findNextDue,
  findOwnCopy,
  type HeldCopy,
  type HeldSend,
  lockDueSend,
} from './held-store.ts';
import { dropHeld, endHeld } from './hold.ts';

type OwnCopy = NonNullable<Awaited<ReturnType<typeof findOwnCopy>>>;
type Reason = Pick<ReportedRecipient, 'status' | 'text'>;

const REASONS = {
  gone: { status: '5.1.1', text: 'This address is no longer in use' },
  suspended: { status: '5.2.1', text: 'This account cannot receive mail at present' },
  full: { status: '5.2.2', text: 'This mailbox is full' },
  keys: { status: '5.7.5', text: 'This recipient has new keys. Send the message again' },
  sender: { status: '5.7.1', text: 'The sender may no longer use this address' },
} as const satisfies Record<string, Reason>;

/** Wait before retrying after an internal failure. */
const FAILURE_WAIT_MS = 30_000;

/**
 * Returns why a copy cannot be delivered now, or null. Adds the size of deliverable copies to the
 * used bytes.
 */
function judge(
  copy: HeldCopy,
  owner: Owner | undefined,
  sizeBytes: number,
  usedBytes: Map<string, number>,
): Reason | null {
  if (owner === undefined || owner.userId !== copy.reader_id || owner.isOff) return REASONS.gone;
  if (owner.isSuspended) return REASONS.suspended;
  if (owner.fingerprint !== copy.key_used) return REASONS.keys;
  const used = (usedBytes.get(owner.userId) ?? 0) + sizeBytes;
  if (used > owner.storageLimitBytes) return REASONS.full;
  usedBytes.set(owner.userId, used);
  return null;
}

const toMail = (
  held: HeldSend,
  own: OwnCopy,
  copy: HeldCopy,
  containers: readonly Container[],
  now: Date,
): NewMail => ({
  userId: copy.reader_id,
  flags: toMask({ attachment: containers.length > 0 }),
  receivedAt: now,
  headers: held.headers,
  fromAddress: own.from_address,
  ownAddress: copy.address,
  messageId: own.message_id,
  references: held.message_references,
  body: own.body,
  summary: own.summary,
  binding: own.binding,
  ciphertext: copy.ciphertext,
  encryptedKey: copy.encrypted_key,
  dhPublic: copy.dh_public,
  salt: copy.salt,
  keyUsed: copy.key_used,
  attachments: containers,
});

async function noticeOf(
  deps: Deps,
  trx: Trx,
  held: HeldSend,
  own: OwnCopy,
  recipients: readonly ReportedRecipient[],
): Promise<NewMail[]> {
  if (recipients.length === 0) return [];
  const notice = await buildFailureNotice(deps, trx, {
    userId: held.user_id,
    sender: own.from_address,
    recipients,
    original: Buffer.from(`${held.headers}\r\n`),
    arrivedAt: held.created_at,
  });
  return notice === null ? [] : [notice];
}

/** Releases a send whose row is locked. Returns whether the outbound queue has new work. */
async function release(deps: Deps, trx: Trx, held: HeldSend): Promise<boolean> {
  const now = deps.clock.now();
  const { user_id: userId, mail_id: mailId, outbound_id: outboundId } = held;
  const copies = await findHeldCopies(trx, held);
  const boxes = await lockMailboxes(trx, [...new Set([userId, ...copies.map(copy => copy.reader_id)])]);
  const own = await findOwnCopy(trx, held);
  if (own === undefined) {
    // The sender permanently deleted it through code that is unaware of held sends, so it is not
    // delivered to anyone.
    await dropHeld(trx, held);
    await endHeld(trx, held);
    return false;
  }
  const owners = await findOwnersOf(trx, [own.from_address, ...copies.map(copy => copy.address)]);
  const sender = owners.get(own.from_address);
  const maySend = sender?.userId === userId && !sender.isSuspended;
  if (hasFlag(own.flags, 'deleted') || !maySend) {
    const outside = outboundId === null || maySend ? [] : await heldRecipientsOf(deps, trx, outboundId);
    const refused = maySend ? [] : [...copies.map(copy => copy.address), ...outside];
    await dropHeld(trx, held);
    await turnIntoDraft(trx, userId, mailId, now);
    const report = refused.map(address => ({ address, ...REASONS.sender }));
    await storeMails(trx, await noticeOf(deps, trx, held, own, report), boxes);
    return false;
  }
  const containers = await containersOf(trx, userId, mailId);
  const sizeBytes = sizeOf({ ...own, headers: held.headers, attachments: containers });
  const used = await usedBytesOf(trx, boxes);
  const verdicts = copies.map(copy => ({
    copy,
    reason: judge(copy, owners.get(copy.address), sizeBytes, used),
  }));
  const report = verdicts.flatMap(({ copy, reason }) =>
    reason === null ? [] : [{ address: copy.address, ...reason }],
  );
  const mails = verdicts.flatMap(({ copy, reason }) =>
    reason === null ? [toMail(held, own, copy, containers, now)] : [],
  );
  await storeMails(trx, [...mails, ...(await noticeOf(deps, trx, held, own, report))], boxes);
  await markSent(trx, userId, mailId);
  await countSent(trx, userId, now);
  await endHeld(trx, held);
  if (outboundId !== null) {
    await releaseOutbound(deps, trx, outboundId);
    deps.logger.info({ id: outboundId }, 'mail queued');
  }
  return outboundId !== null;
}

export type Releaser = {
  /**
   * Releases the send that has been due longest. Returns false when none is available to this
   * worker. Rejects when the database is unavailable.
   */
  readonly releaseNext: () => Promise<boolean>;
  /** Returns the time at which the next send is due. */
  readonly nextDueAt: () => Promise<Date | null>;
};

/**
 * Releases sends one at a time. Several releasers may run concurrently, even in different
 * processes.
 */
export function createReleaser(deps: Deps): Releaser {
  /** Sends whose release failed, and when to retry them. They must not block the others. */
  const failed = new Map<string, number>();
  const skipped = (): string[] => {
    const nowMs = performance.now();
    for (const [id, untilMs] of failed) if (untilMs <= nowMs) failed.delete(id);
    return [...failed.keys()];
  };
  return {
    nextDueAt: () => findNextDue(deps.db, skipped()),
    releaseNext: async () => {
      let mailId: string | undefined;
      try {
        const queued = await deps.db.transaction().execute(async trx => {
          const held = await lockDueSend(trx, deps.clock.now(), skipped());
          if (held === undefined) return null;
          mailId = held.mail_id;
          return release(deps, trx, held);
        });
        if (queued === true) signalDelivery(deps);
        return queued !== null;
      } catch (error) {
        if (mailId === undefined) throw error;
        deps.logger.error({ err: error, mailId }, 'could not release held mail');
        failed.set(mailId, performance.now() + FAILURE_WAIT_MS);
        return true;
      }
    },
  };
}
