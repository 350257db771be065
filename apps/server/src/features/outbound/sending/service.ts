/**
 * Sending: a single transaction stores all copies for local recipients, the sender's own copy and
 * the queue rows for external recipients, and removes the draft; or nothing happens. Once the
 * request is answered, a send survives any crash. A request repeated under the same Idempotency-Key
 * gets the same response and is not sent again (docs/api-conventions.md#mail; SECURITY.md, P2). All
 * of this also holds for a held send, of which only the recipients' copies wait (hold.ts,
 * release.ts).
 */
import { createHash, randomUUID } from 'node:crypto';
import { AppError } from '@keyfold/contract/errors';
import { domainOf, normalizeAddress } from '@keyfold/mail/address-form';
import { createMessageId } from '@keyfold/mail/mime/stored-headers';
import { PLAN_LIMITS } from '../../../base/limits.ts';
import { SEND_WINDOW_MS } from '../../../base/sending-limits.ts';
import type { Deps } from '../../../context/deps.ts';
import type { Trx } from '../../../db/pool.ts';
import { isUuid } from '../../../db/uuid.ts';
import { refuseForeignSignature } from '../../accounts/signatures/index.ts';
import { getFreeBytes, usedBytesOf } from '../../accounts/users/index.ts';
import { scoreOutgoing } from '../../inbound/filters/index.ts';
import { type Container, containersOf, lockMailboxes, storeMails } from '../../mailbox/messages/index.ts';
import { makeFeedbackId } from '../../reports/received-reports/index.ts';
import { countSent } from '../../support/statistics/index.ts';
import { enqueueOutbound, holdOutbound, signalDelivery } from '../delivery/index.ts';
import { attachmentsOf, takeDraft } from '../drafts/index.ts';
import { noteSend, refuseCertainSpam, tellHoldsSoon } from '../send-watch/index.ts';
import { buildCopies, type Copies } from './copies.ts';
import type { HeldSend } from './held-store.ts';
import { announceHeld, heldUntilOf, keepHeld, lockSibling } from './hold.ts';
import { type BuiltOutgoing, buildOutgoing } from './outgoing.ts';
import { type OutgoingMessage, readOutgoingMessage, type SendInput, threadOf } from './outgoing-message.ts';
import { countForReaders } from './reader-limit.ts';
import {
  type ListKind,
  type Parties,
  type RecipientList,
  readRecipients,
  resolveParties,
} from './recipients.ts';
import { countSends, findReceipt, insertReceipt, type Receipt, updateReceiptMail } from './store.ts';

export type Sent = { readonly id: string; readonly message_id: string };

const KEY_MAX_CHARACTERS = 255;
/** Placeholder in a receipt until the message has an id. It is never committed. */
const NO_MAIL = '00000000-0000-0000-0000-000000000000';

/**
 * Returns the caller's key, or a new one: every send leaves a receipt, because receipts are also
 * used for counting.
 */
function readKey(given: string | undefined): string {
  if (given === undefined) return `unnamed ${randomUUID()}`;
  if (!/^[\u0021-\u007e]+$/.test(given) || given.length > KEY_MAX_CHARACTERS)
    throw new AppError('malformed', {
      problems: [{ path: 'idempotency-key', message: 'Invalid idempotency key' }],
    });
  return given;
}

/** Keyed, because it covers the message key. */
const digestOf = ({ masterKey }: Deps, input: SendInput): Buffer =>
  masterKey.digest(
    'send request',
    createHash('sha256').update(input.body).digest(),
    JSON.stringify({ ...input, body: undefined }),
  );

function answerOf(receipt: Receipt, digest: Buffer): Sent {
  if (!receipt.request_digest.equals(digest)) throw new AppError('idempotency_mismatch');
  return { id: receipt.mail_id, message_id: receipt.message_id };
}

/**
 * Returns the message key when a recipient is plaintext. Throws key_needed, or message_refused when
 * no recipient needs the key.
 */
function readMessageKey(input: SendInput, list: RecipientList): Buffer | null {
  const isNeeded = list.listed.some(({ wrap }) => wrap === null);
  if (isNeeded && input.encryption_key === undefined) throw new AppError('key_needed');
  if (!isNeeded && input.encryption_key !== undefined)
    throw new AppError('message_refused', {
      problems: [{ path: 'encryption_key', message: 'Must be absent, because no recipient is plaintext' }],
    });
  return input.encryption_key === undefined ? null : Buffer.from(input.encryption_key, 'base64');
}

/** Everything about a send that is known before its transaction. */
type Plan = {
  readonly userId: string;
  readonly input: SendInput;
  readonly message: OutgoingMessage;
  readonly list: RecipientList;
  readonly usedAddress: string;
  readonly publicKey: Buffer;
  readonly messageId: string;
  readonly now: Date;
  /** Time until which it is held; null when it is sent immediately. */
  readonly heldUntil: Date | null;
  /** Date for the headers: the time at which the message is sent out. */
  readonly date: Date;
  readonly key: string;
  readonly digest: Buffer;
};
/** A plan with the spam score that external readers would also see, on the scale of limits.ts. */
type JudgedPlan = Plan & { readonly points: number };

const addressesOf = (list: RecipientList, kind: ListKind): string[] =>
  list.listed.filter(one => one.kind === kind).map(({ address }) => address);

async function buildForOutside(
  deps: Deps,
  plan: Plan,
  parties: Parties,
  messageKey: Uint8Array,
): Promise<BuiltOutgoing> {
  const { input, list } = plan;
  const { draft_id: draftId, forwarded_attachments: forwarded = [] } = input;
  // The transaction verifies ownership again, under the mailbox lock.
  const inDraft =
    draftId !== undefined && isUuid(draftId) ? await containersOf(deps.db, plan.userId, draftId) : [];
  const readable = await deps.db.transaction().execute(trx => attachmentsOf(trx, plan.userId, forwarded));
  return buildOutgoing(deps.blobs, {
    usedAddress: plan.usedAddress,
    to: addressesOf(list, 'to'),
    cc: addressesOf(list, 'cc'),
    bcc: addressesOf(list, 'bcc'),
    date: plan.date,
    messageId: plan.messageId,
    feedbackId: makeFeedbackId(
      deps,
      plan.userId,
      plan.date,
      parties.outside.map(({ address }) => address),
    ),
    message: plan.message,
    summary: input.summary,
    messageKey,
    subject: input.subject,
    senderName: parties.sender.name,
    allowedContainers: new Set([...inDraft, ...readable].map(({ blobId }) => blobId)),
  });
}

/**
 * Sends a message and returns the id of the sender's copy and its Message-ID. Throws AppError:
 * sender_refused, keys_refused, recipients_refused, recipient_has_keys, recipient_key_changed,
 * key_needed, message_refused, spam_refused, quota_exceeded, rate_limited, idempotency_mismatch,
 * too_large, not_found, draft_refused. In that case nothing was sent.
 */
export async function sendPrivate(
  deps: Deps,
  userId: string,
  input: SendInput,
  idempotencyKey: string | undefined,
): Promise<Sent> {
  const key = readKey(idempotencyKey);
  const digest = digestOf(deps, input);
  const earlier = await findReceipt(deps.db, userId, key);
  if (earlier !== undefined) return answerOf(earlier, digest);
  const list = readRecipients(input.to);
  const messageKey = readMessageKey(input, list);
  try {
    const usedAddress = normalizeAddress(input.used_address);
    const now = deps.clock.now();
    const heldUntil = heldUntilOf(input, now);
    const publicKey = Buffer.from(input.public_key, 'base64');
    const plan: Plan = {
      userId,
      input,
      message: readOutgoingMessage(input),
      list,
      usedAddress,
      publicKey,
      messageId: createMessageId(domainOf(usedAddress)),
      now,
      heldUntil,
      date: heldUntil ?? now,
      key,
      digest,
    };
    await refuseForeignSignature(deps.db, userId, input.signature_id);
    const parties = await resolveParties(deps.db, userId, usedAddress, publicKey, list);
    const outgoing = messageKey === null ? null : await buildForOutside(deps, plan, parties, messageKey);
    try {
      const points = outgoing === null ? 0 : await scoreOutgoing(deps, outgoing.message, usedAddress);
      const recipients = parties.outside.map(({ address }) => address);
      await refuseCertainSpam(deps, { userId, recipients, points });
      const sent = await deps.db
        .transaction()
        .execute(trx => commitSend(deps, trx, { ...plan, points }, parties, outgoing));
      if (outgoing !== null) tellHoldsSoon(deps);
      if (heldUntil !== null) announceHeld(deps);
      else if (outgoing !== null) signalDelivery(deps);
      return sent;
    } finally {
      outgoing?.message.fill(0);
    }
  } finally {
    messageKey?.fill(0);
  }
}

async function commitSend(
  deps: Deps,
  trx: Trx,
  plan: JudgedPlan,
  expected: Parties,
  outgoing: BuiltOutgoing | null,
): Promise<Sent> {
  const { userId, key, digest, messageId } = plan;
  const isFirst = await insertReceipt(trx, {
    user_id: userId,
    idempotency_key: key,
    request_digest: digest,
    mail_id: NO_MAIL,
    message_id: messageId,
    recipients: plan.list.listed.length,
    created_at: plan.now,
  });
  if (!isFirst) {
    const other = await findReceipt(trx, userId, key);
    if (other === undefined) throw new AppError('already_in_progress');
    return answerOf(other, digest);
  }
  const sibling = plan.heldUntil === null ? null : await lockSibling(trx, userId, plan.input.twin);
  const userIds = [...new Set([userId, ...expected.inside.map(({ owner }) => owner.userId)])];
  const boxes = await lockMailboxes(trx, userIds);
  await refuseTooMany(trx, plan);
  const parties = await resolveParties(trx, userId, plan.usedAddress, plan.publicKey, plan.list);
  // An address that changed hands since the lookup has different keys, which were refused above.
  if (parties.inside.some(({ owner }) => !userIds.includes(owner.userId)))
    throw new AppError('recipient_key_changed');
  const recipients = parties.outside.map(({ address }) => address);
  await countForReaders(deps, trx, userId, recipients);
  await noteSend(deps, trx, { userId, recipients, points: plan.points });
  const containers = await takeContainers(trx, plan, outgoing);
  const copies = buildCopies(plan, parties, containers);
  await requireRoom(trx, copies, parties, await usedBytesOf(trx, boxes));
  const mailId = await storeCopies(deps, trx, plan, copies, outgoing, parties, sibling);
  await updateReceiptMail(trx, userId, key, mailId);
  return { id: mailId, message_id: messageId };
}

/**
 * Stores the sender's copy, and delivers the message to its recipients or holds it for them.
 * Returns the id of the sender's copy.
 */
async function storeCopies(
  deps: Deps,
  trx: Trx,
  plan: Plan,
  copies: Copies,
  outgoing: BuiltOutgoing | null,
  { outside }: Parties,
  sibling: HeldSend | null,
): Promise<string> {
  const { userId, usedAddress, heldUntil } = plan;
  const stored = await storeMails(trx, [copies.own, ...(heldUntil === null ? copies.others : [])]);
  // The sender's own copy is the first of the messages stored for the sender.
  const own = stored.find(one => one.userId === userId);
  if (own === undefined) throw new Error('The sent copy was not stored');
  const mail =
    outgoing === null || outside.length === 0
      ? null
      : {
          userId,
          sender: usedAddress,
          recipients: outside.map(({ address }) => address),
          message: outgoing.message,
        };
  if (heldUntil === null) {
    if (mail !== null) {
      const id = await enqueueOutbound(deps, trx, mail);
      deps.logger.info({ id, recipientCount: mail.recipients.length }, 'mail queued');
    }
    await countSent(trx, userId, plan.now);
    return own.id;
  }
  await keepHeld(trx, {
    userId,
    mailId: own.id,
    dueAt: heldUntil,
    copies: copies.others,
    headers: copies.shownBlock,
    references: threadOf(plan.message),
    outboundId: mail === null ? null : await holdOutbound(deps, trx, mail),
    sibling,
  });
  return own.id;
}

/** Runs under the sender's mailbox lock, so that concurrent sends count each other. */
async function refuseTooMany(trx: Trx, { userId, now }: Plan): Promise<void> {
  const { plan, total, recipients, first } = await countSends(
    trx,
    userId,
    new Date(now.getTime() - SEND_WINDOW_MS),
  );
  const { sendsPerHour, recipientsPerHour } = PLAN_LIMITS[plan];
  if (total <= sendsPerHour && recipients <= recipientsPerHour) return;
  const freedAt = new Date(first ?? now).getTime() + SEND_WINDOW_MS;
  throw new AppError('rate_limited', {
    retryAfterSeconds: Math.max(1, Math.ceil((freedAt - now.getTime()) / 1000)),
  });
}

/** Returns the draft's encrypted blobs and the forwarded ones, and removes the draft. */
async function takeContainers(
  trx: Trx,
  { userId, input }: Plan,
  outgoing: BuiltOutgoing | null,
): Promise<Container[]> {
  // Before the draft is removed: a blob may be both in it and listed in the request.
  const forwarded = await attachmentsOf(trx, userId, input.forwarded_attachments ?? []);
  const inDraft = input.draft_id === undefined ? [] : await takeDraft(trx, userId, input.draft_id);
  const all = new Map([...forwarded, ...inDraft].map(one => [one.blobId, one]));
  if (outgoing?.usedContainers.some(id => !all.has(id)))
    throw new AppError('message_refused', {
      problems: [{ path: 'draft_id', message: 'The draft changed while it was being sent' }],
    });
  return [...all.values()];
}

/**
 * Throws quota_exceeded for the sender's own mailbox, and recipients_refused naming the entries
 * whose mailbox is full.
 */
async function requireRoom(
  trx: Trx,
  copies: Copies,
  parties: Parties,
  usedBytes: ReadonlyMap<string, number>,
): Promise<void> {
  const { sender, inside } = parties;
  const copiesOf = (userId: string) => 1 + inside.filter(({ owner }) => owner.userId === userId).length;
  // Read again, because removing the draft has just freed space.
  if ((await getFreeBytes(trx, sender.userId)) < copies.sizeBytes * copiesOf(sender.userId))
    throw new AppError('quota_exceeded');
  const problems = inside
    .filter(({ owner }) => owner.userId !== sender.userId)
    .filter(({ owner }) => {
      const added = copies.sizeBytes * (copiesOf(owner.userId) - 1);
      return (usedBytes.get(owner.userId) ?? 0) + added > owner.storageLimitBytes;
    })
    .map(({ entry }) => ({ path: `to.${entry.index}`, message: 'This mailbox is full' }));
  if (problems.length > 0) throw new AppError('recipients_refused', { problems });
}
