/**
 * Records the result of a delivery: delivered recipients leave the queue immediately, deferred ones
 * wait, and failed ones become a notice in the sender's mailbox in the same transaction
 * (SECURITY.md, P2: delivered or bounced, never both).
 *
 * [Note: The lost 250] Between another server's 250 and our commit there is a moment in which a
 * crash leaves the row in the queue, and the message is delivered again. A stop for longer than the
 * lease has the same effect. SMTP offers no way to close this gap, so it is kept as short as
 * possible: a delivered recipient is recorded immediately by a single statement, and the write is
 * retried while the lease lasts.
 */

import { domainOf } from '@keyfold/mail/address-form';
import { createMessageId } from '@keyfold/mail/mime/stored-headers';
import { OUTBOUND_GIVE_UP_MS } from '../../../base/sending-limits.ts';
import type { Deps } from '../../../context/deps.ts';
import type { Trx } from '../../../db/pool.ts';
import { addressesOf, findOwnersOf, type Owner } from '../../accounts/users/index.ts';
import { sealNotice } from '../../inbound/ingest/index.ts';
import { type NewMail, storeMails } from '../../mailbox/messages/index.ts';
import { findLastEntryAt, writeAudit } from '../../support/audit/index.ts';
import { noteRefusals, tellHoldsSoon } from '../send-watch/index.ts';
import { DELAY_NOTICE_ATTEMPT, nextAttemptAt } from './backoff.ts';
import { buildReport, type ReportedRecipient } from './dsn.ts';
import { countBounce, countLostForwards } from './gauges.ts';
import {
  type Claim,
  deferRecipient,
  deleteDelivered,
  deleteFinished,
  deleteRecipients,
  lockClaim,
  type Why,
} from './store.ts';
import type { Outcome } from './transport.ts';

/** A recipient's row and the outcome of its delivery. */
export type Settlement = {
  readonly id: string;
  readonly recipient: string;
  readonly attempts: number;
  readonly createdAt: Date;
  readonly outcome: Outcome;
};

export type Delivery = {
  readonly userId: string;
  readonly sender: string;
  readonly message: Uint8Array;
  /** A failed forward is reported to the operator and to no sender. */
  readonly isForward?: boolean;
  readonly settlements: readonly Settlement[];
};

type Verdict =
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly report: ReportedRecipient }
  | {
      readonly kind: 'later';
      readonly at: Date;
      readonly attempts: number;
      readonly why: Why;
      readonly notice: ReportedRecipient | null;
    };

const toReport = (
  recipient: string,
  outcome: Exclude<Outcome, { kind: 'delivered' }>,
): ReportedRecipient => ({
  address: recipient,
  status: outcome.status,
  text: outcome.text,
  ...(outcome.replyCode === undefined ? {} : { replyCode: outcome.replyCode }),
  ...(outcome.remoteHost === undefined ? {} : { remoteHost: outcome.remoteHost }),
});

/** RFC 3463: delivery time expired. */
const GIVEN_UP = '5.4.7';

function judge(one: Settlement, now: Date): Verdict {
  const { outcome } = one;
  if (outcome.kind === 'delivered') return { kind: 'done' };
  const report = toReport(one.recipient, outcome);
  if (outcome.kind === 'failed') return { kind: 'failed', report };
  const attempts = one.attempts + 1;
  const at = nextAttemptAt(one.createdAt, attempts, now);
  // RFC 3463: class 4 is temporary. Giving up turns it into class 5, delivery time expired.
  if (at === null) return { kind: 'failed', report: { ...report, status: GIVEN_UP } };
  const why = { replyCode: outcome.replyCode ?? null, status: outcome.status };
  return { kind: 'later', at, attempts, why, notice: attempts === DELAY_NOTICE_ATTEMPT ? report : null };
}

/**
 * Returns the sender as an owner: by the address the message was sent from, or else by any address
 * that the account still has.
 */
async function findSender(trx: Trx, userId: string, sender: string): Promise<Owner | null> {
  const byAddress = (await findOwnersOf(trx, [sender])).get(sender);
  if (byAddress?.userId === userId) return byAddress;
  const [primary] = await addressesOf(trx, userId);
  return primary === undefined ? null : ((await findOwnersOf(trx, [primary])).get(primary) ?? null);
}

/** A message that could not be delivered, and the sender to notify. */
export type FailedMail = {
  readonly userId: string;
  /** The address the message was sent from. */
  readonly sender: string;
  readonly recipients: readonly ReportedRecipient[];
  /** The original message, whose headers the notice quotes. */
  readonly original: Uint8Array;
  readonly arrivedAt: Date;
};

/**
 * Builds the sealed notice to a sender about recipients who will not get the message. The caller
 * stores it. Returns null when the account is gone.
 */
export async function buildFailureNotice(deps: Deps, trx: Trx, mail: FailedMail): Promise<NewMail | null> {
  const recipient = await findSender(trx, mail.userId, mail.sender);
  if (recipient === null) return null;
  const now = deps.clock.now();
  const raw = buildReport({
    action: 'failed',
    to: mail.sender,
    reportingHost: deps.config.hostname,
    messageId: createMessageId(deps.config.hostname),
    now,
    arrivedAt: mail.arrivedAt,
    recipients: mail.recipients,
    original: mail.original,
  });
  return sealNotice(deps, { raw, recipient, receivedAt: now, isOwnName: true });
}

async function buildNotices(
  deps: Deps,
  trx: Trx,
  delivery: Delivery,
  verdicts: readonly Verdict[],
  now: Date,
): Promise<NewMail[]> {
  const failed = verdicts.flatMap(verdict => (verdict.kind === 'failed' ? [verdict.report] : []));
  const delayed = verdicts.flatMap(verdict =>
    verdict.kind === 'later' && verdict.notice !== null ? [verdict.notice] : [],
  );
  // RFC 5321 §6.1: notices about notices would never end, so the null sender gets none. Neither
  // does an external sender of forwarded mail, since the message did reach the address it was sent
  // to.
  if (delivery.isForward === true || delivery.sender === '' || (failed.length === 0 && delayed.length === 0))
    return [];
  const recipient = await findSender(trx, delivery.userId, delivery.sender);
  if (recipient === null) return [];
  const arrivedAt = delivery.settlements[0]?.createdAt ?? now;
  const common = {
    to: delivery.sender,
    reportingHost: deps.config.hostname,
    now,
    arrivedAt,
    original: delivery.message,
  };
  const notices: NewMail[] = [];
  for (const [action, recipients] of [
    ['failed', failed],
    ['delayed', delayed],
  ] as const) {
    if (recipients.length === 0) continue;
    const raw = buildReport({
      ...common,
      action,
      recipients,
      messageId: createMessageId(deps.config.hostname),
      ...(action === 'delayed'
        ? { willRetryUntil: new Date(arrivedAt.getTime() + OUTBOUND_GIVE_UP_MS) }
        : {}),
    });
    notices.push(await sealNotice(deps, { raw, recipient, receivedAt: now, isOwnName: true }));
  }
  return notices;
}

/** Records the results of a claim. Skips rows that another worker has taken over. */
export async function settleDelivery(deps: Deps, claim: Claim, delivery: Delivery): Promise<void> {
  const delivered = delivery.settlements.filter(({ outcome }) => outcome.kind === 'delivered');
  const others = delivery.settlements.filter(({ outcome }) => outcome.kind !== 'delivered');
  if (delivered.length > 0)
    await deleteDelivered(
      deps.db,
      claim,
      delivered.map(({ id }) => id),
    );
  if (others.length > 0) await settleOthers(deps, claim, { ...delivery, settlements: others });
  // A crash before this statement leaves a message without recipients, which
  // features/operator/retention deletes.
  else await deleteFinished(deps.db, claim.messageId);
}

/** Defers or gives up the recipients that were not delivered. */
async function settleOthers(deps: Deps, claim: Claim, delivery: Delivery): Promise<void> {
  const bounced = await deps.db.transaction().execute(async trx => {
    const now = deps.clock.now();
    const mine = await lockClaim(trx, claim);
    const settlements = delivery.settlements.filter(({ id }) => mine.has(id));
    const verdicts = settlements.map(one => judge(one, now));
    const notices = await buildNotices(deps, trx, { ...delivery, settlements }, verdicts, now);
    if (notices.length > 0) await storeMails(trx, notices);
    const gone: string[] = [];
    for (const [index, { id }] of settlements.entries()) {
      const verdict = verdicts[index];
      if (verdict?.kind === 'later')
        await deferRecipient(
          trx,
          { messageId: claim.messageId, id },
          verdict.attempts,
          verdict.at,
          verdict.why,
        );
      else gone.push(id);
    }
    await deleteRecipients(trx, claim.messageId, gone);
    if (delivery.isForward) {
      const lost = settlements.filter((_, index) => verdicts[index]?.kind === 'failed');
      await noteLostForwards(
        deps,
        trx,
        lost.map(({ recipient }) => recipient),
      );
    } else if (delivery.sender !== '') {
      // Excludes notices and forwards, whose recipients the user did not choose.
      const refused = verdicts.filter(one => one.kind === 'failed' && one.report.status !== GIVEN_UP);
      await noteRefusals(deps, trx, delivery.userId, refused.length);
    }
    return verdicts.flatMap(verdict => (verdict.kind === 'failed' ? [verdict.report.status] : []));
  });
  if (bounced.length > 0) tellHoldsSoon(deps);
  if (delivery.isForward) countLostForwards(bounced.length);
  else for (const status of bounced) countBounce(status === GIVEN_UP ? 'expired' : 'refused');
}

const DAY_MS = 86_400_000;

/**
 * Reports role mail that could not be forwarded to the operator (docs/adr/0041), in the transaction
 * that gives its recipients up: in the log and, once a day per domain, in the audit log. No one
 * else is notified: the message did reach the role's mailbox, and a notice to its alleged sender
 * would be backscatter. Returning bounces are excluded.
 */
async function noteLostForwards(
  { clock, config, logger }: Pick<Deps, 'clock' | 'config' | 'logger'>,
  trx: Trx,
  recipients: readonly string[],
): Promise<void> {
  const targets = new Set(config.forwards.map(({ target }) => target));
  const domains = new Set(recipients.filter(address => targets.has(address)).map(domainOf));
  for (const domain of domains) {
    logger.warn({ domain }, 'could not deliver forwarded role mail');
    const at = clock.now();
    const action = 'lose_forward';
    const lastAt = await findLastEntryAt(trx, action, domain);
    if (lastAt !== null && at.getTime() - lastAt.getTime() < DAY_MS) continue;
    await writeAudit(trx, { actor: { kind: 'service' }, action, object: domain, at });
  }
}
