/**
 * One attempt to deliver a claimed group: opens it in memory, transmits it, records the result. No
 * part of the message outlives the attempt.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { domainOf } from '@keyfold/mail/address-form';
import { SUSPENDED_MAIL_WAIT_MS } from '../../../base/sending-limits.ts';
import type { Deps } from '../../../context/deps.ts';
import { isSuspended, type Owner } from '../../accounts/users/index.ts';
import { createRecipientResolver, type Ingest } from '../../inbound/ingest/index.ts';
import { findHeldUntil, goOnWhenReleased } from '../send-watch/index.ts';
import { getSigningKey } from './domain-keys.ts';
import { countOutcomes } from './gauges.ts';
import { deliverInside, outcomeOfDecision } from './inside.ts';
import type { HeldLease } from './lease.ts';
import { openEnvelope, openOutgoing } from './sealing.ts';
import { type Delivery, settleDelivery } from './settle.ts';
import {
  type Claim,
  deleteRecipients,
  findMessage,
  findMessageOwner,
  postponeClaim,
  type QueuedRecipient,
} from './store.ts';
import type { Outcome, Transport } from './transport.ts';

/** Number of attempts to write a result, for as long as the lease is probably still ours. */
const SETTLE_TRIES = 120;
const SETTLE_PAUSE_MS = 1_000;

/** The two ways out of the queue: SMTP transport and local ingest. */
export type Exits = { readonly transport: Transport; readonly ingest: Ingest };

/**
 * RFC 3463: a routing loop. Forwards lead outside; delivered locally, the author could impersonate
 * a user.
 */
const SENT_ON_INSIDE: Outcome = {
  kind: 'failed',
  status: '5.4.6',
  text: 'The address belongs to this service',
};

/**
 * A recipient with its opened envelope. All recipients of an attempt share one message and one
 * domain.
 */
type OpenRecipient = { readonly row: QueuedRecipient; readonly sender: string; readonly recipient: string };

/** A message and its owner. */
type OutgoingMessage = { readonly userId: string; readonly message: Buffer; readonly isForward: boolean };

/**
 * Records the outcomes that are known without transmitting, and splits the remaining recipients
 * into local and remote ones.
 */
async function sortRecipients(
  deps: Deps,
  recipients: readonly OpenRecipient[],
  sizeBytes: number,
  outcomes: Map<string, Outcome>,
) {
  const decide = createRecipientResolver(deps);
  const decisions = await Promise.all(recipients.map(({ recipient }) => decide(recipient, sizeBytes)));
  const inside: { readonly one: OpenRecipient; readonly owner: Owner }[] = [];
  const outside: OpenRecipient[] = [];
  for (const [index, one] of recipients.entries()) {
    const decision = decisions[index];
    if (decision === undefined) throw new Error('A recipient has no decision');
    // For our own domains, the answer is known without an SMTP session.
    const outcome = outcomeOfDecision(decision);
    if (outcome !== null) outcomes.set(one.row.id, outcome);
    else if (decision.kind === 'accepted') inside.push({ one, owner: decision.owner });
    else outside.push(one);
  }
  return { inside, outside };
}

async function transmit(
  deps: Deps,
  { transport, ingest }: Exits,
  recipients: readonly OpenRecipient[],
  { userId, message, isForward }: OutgoingMessage,
  isStillOurs: HeldLease['isStillOurs'],
  signal: AbortSignal,
): Promise<Map<string, Outcome>> {
  const outcomes = new Map<string, Outcome>();
  const { inside, outside } = await sortRecipients(deps, recipients, message.length, outcomes);
  const [firstInside] = inside;
  if (isForward) for (const { one } of inside) outcomes.set(one.row.id, SENT_ON_INSIDE);
  else if (firstInside !== undefined) {
    const outcome = await deliverInside(deps, ingest, {
      userId,
      sender: firstInside.one.sender,
      message,
      recipients: inside.map(({ owner }) => owner),
    });
    for (const { one } of inside) outcomes.set(one.row.id, outcome);
  }
  const [first] = outside;
  if (first === undefined) return outcomes;
  const results = await transport.transmit(
    {
      domain: domainOf(first.recipient),
      sender: first.sender,
      recipients: outside.map(({ recipient }) => recipient),
      message,
      // Messages that our users did not write are not signed, whatever their From says.
      signingKey: first.sender === '' || isForward ? null : await getSigningKey(deps, domainOf(first.sender)),
      isStillOurs,
    },
    signal,
  );
  for (const [index, { row }] of outside.entries()) {
    const outcome = results[index];
    if (outcome === undefined) throw new Error('A recipient has no outcome');
    outcomes.set(row.id, outcome);
  }
  return outcomes;
}

async function settle(deps: Deps, claim: Claim, delivery: Delivery, signal: AbortSignal): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await settleDelivery(deps, claim, delivery);
      return;
    } catch (error) {
      if (tries >= SETTLE_TRIES || signal.aborted) throw error;
      deps.logger.warn(
        { err: error, queueId: claim.messageId, tries },
        'could not store a delivery result, will retry',
      );
      await sleep(SETTLE_PAUSE_MS);
    }
  }
}

/** Log events for the outcome of an attempt, per recipient. */
const EVENTS = {
  delivered: 'mail delivered',
  deferred: 'delivery deferred',
  failed: 'delivery failed',
} as const;

/**
 * The loggable part of an outcome. Excludes the other server's reply text, which may quote
 * addresses.
 */
const traceOf = (outcome: Outcome) => ({
  code: outcome.replyCode ?? null,
  ...(outcome.kind === 'delivered'
    ? {}
    : {
        status: outcome.status,
        ...(outcome.tlsPolicy === undefined ? {} : { tlsPolicy: outcome.tlsPolicy }),
      }),
  remoteHost: outcome.remoteHost ?? null,
});

/**
 * Delivers a claimed group and records the result under the claim that `lease` holds when its
 * renewals end. Calls `onOpened` with the size of the message in bytes. Rejects when the attempt
 * itself failed, which leaves the rows claimed.
 */
export async function attemptDelivery(
  deps: Deps,
  exits: Exits,
  rows: readonly QueuedRecipient[],
  lease: HeldLease,
  signal: AbortSignal,
  onOpened: (sizeBytes: number) => void = () => undefined,
): Promise<void> {
  const startedAtMs = performance.now();
  const messageId = rows[0]?.message_id ?? '';
  const forget = async (): Promise<void> => {
    const { ids } = await lease.stop();
    await deps.db.transaction().execute(trx => deleteRecipients(trx, messageId, ids));
  };
  const owner = await findMessageOwner(deps.db, messageId);
  // The account and its mail were deleted while this message was queued.
  if (owner === null) return forget();
  const { userId, isForward } = owner;
  if (!isForward && (await isSuspended(deps.db, userId))) {
    // The message waits as long as the suspension lasts, and this does not count as an attempt.
    const waitsUntil = new Date(deps.clock.now().getTime() + SUSPENDED_MAIL_WAIT_MS);
    await postponeClaim(deps.db, await lease.stop(), waitsUntil, 'suspended');
    return;
  }
  const heldUntil = isForward ? null : await findHeldUntil(deps, userId);
  if (heldUntil !== null) {
    await postponeClaim(deps.db, await lease.stop(), heldUntil, 'held');
    await goOnWhenReleased(deps, userId);
    return;
  }
  // Read only now, so that postponed messages are never read.
  const stored = await findMessage(deps.db, messageId);
  if (stored === undefined) return forget();
  const message = openOutgoing(deps.masterKey, messageId, stored.message_sealed);
  onOpened(message.length);
  try {
    const recipients = rows.map(row => ({
      row,
      ...openEnvelope(deps.masterKey, messageId, row.id, row.envelope_sealed),
    }));
    const outcomes = await transmit(
      deps,
      exits,
      recipients,
      { userId, message, isForward },
      lease.isStillOurs,
      signal,
    );
    const claim = await lease.stop();
    await settle(
      deps,
      claim,
      {
        userId,
        sender: recipients[0]?.sender ?? '',
        message,
        isForward,
        settlements: recipients.flatMap(({ row, recipient }) => {
          const outcome = outcomes.get(row.id);
          return outcome === undefined
            ? []
            : [{ id: row.id, recipient, attempts: row.attempts, createdAt: row.created_at, outcome }];
        }),
      },
      signal,
    );
    countOutcomes(outcomes.values());
    const durationMs = Math.round(performance.now() - startedAtMs);
    for (const { row, recipient } of recipients) {
      const outcome = outcomes.get(row.id);
      if (outcome === undefined) continue;
      deps.logger.info(
        {
          id: messageId,
          domain: domainOf(recipient),
          attempt: row.attempts + 1,
          ...traceOf(outcome),
          durationMs,
        },
        EVENTS[outcome.kind],
      );
    }
  } finally {
    message.fill(0);
  }
}
