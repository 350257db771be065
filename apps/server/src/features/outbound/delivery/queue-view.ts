/**
 * The outbound queue for operators: what is queued, for which domain and why; retrying now;
 * dropping. Operators see recipient domains and reply codes, but never a local part, a sender, a
 * reply's text or any part of the message (docs/adr/0033-operator-visibility.md).
 */

import { AppError } from '@keyfold/contract/errors';
import { domainOf } from '@keyfold/mail/address-form';
import type { Deps } from '../../../context/deps.ts';
import type { Trx } from '../../../db/pool.ts';
import { storeMails } from '../../mailbox/messages/index.ts';
import { type AuditActor, type AuditEntry, writeAudit } from '../../support/audit/index.ts';
import { countBounce } from './gauges.ts';
import {
  countMeant,
  countStates,
  findDroppable,
  listQueue,
  listQueueDomains,
  lockFree,
  makeDue,
  type QueueState,
  type QueueTarget,
} from './queue-store.ts';
import { keepTotals } from './queue-totals.ts';
import { digestDomain, openEnvelope, openOutgoing } from './sealing.ts';
import { buildFailureNotice } from './settle.ts';
import { signalDelivery } from './signal.ts';
import { deleteRecipients } from './store.ts';

type Sealed = { readonly message_id: string; readonly id: string; readonly envelope_sealed: Buffer };

/**
 * Returns the domain of a row's recipient, or null when the envelope was sealed under another
 * master key.
 */
function domainOfRow({ masterKey }: Pick<Deps, 'masterKey'>, row: Sealed): string | null {
  try {
    return domainOf(openEnvelope(masterKey, row.message_id, row.id, row.envelope_sealed).recipient);
  } catch {
    return null;
  }
}

const bare = (uuid: string): string => uuid.replaceAll('-', '');
const dashed = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

const ROW_ID = /^[0-9a-f]{64}$/;

/** Parses the external id of a row: both of its ids without hyphens. */
function rowOf(id: string) {
  if (!ROW_ID.test(id)) throw new AppError('not_found');
  return { messageId: dashed(id.slice(0, 32)), id: dashed(id.slice(32)) };
}

/** The admin's selection: one recipient, or all recipients of a domain. */
type QueueWish = { readonly id?: string | undefined; readonly domain?: string | undefined };

function targetOf({ masterKey }: Pick<Deps, 'masterKey'>, { id, domain }: QueueWish): QueueTarget {
  if ((id === undefined) === (domain === undefined)) throw new AppError('malformed');
  return id === undefined
    ? { domainDigest: digestDomain(masterKey, (domain ?? '').toLowerCase()) }
    : { row: rowOf(id) };
}

const PAGE_ROWS = 50;
const DOMAINS_SHOWN = 50;

type Place = Pick<Deps, 'clock' | 'db'>;
const totalsByPlace = new WeakMap<Deps['db'], ReturnType<typeof startTotals>>();

const startTotals = ({ db, clock }: Place) =>
  keepTotals(async () => {
    const now = clock.now();
    return { states: await countStates(db, now), domains: await listQueueDomains(db, now, DOMAINS_SHOWN) };
  });

/** Returns the cached totals of this process's queue. */
function totalsOf(deps: Place) {
  const totals = totalsByPlace.get(deps.db) ?? startTotals(deps);
  totalsByPlace.set(deps.db, totals);
  return totals;
}

type QueueWindow = {
  readonly domain?: string | undefined;
  readonly state?: QueueState | undefined;
  readonly page: number;
};

/**
 * Returns whether cached totals are consistent with the number of rows found on a page. Each
 * machine has its own cache: a machine that counted nothing a moment ago must not say "Nothing
 * waits" above rows that another one has shown since. The totals must match exactly where counting
 * again costs no more than reading the page. A long queue, which changes constantly, is not counted
 * on every request.
 */
export function agree(
  states: readonly { readonly state: QueueState; readonly total: number }[],
  found: number,
  { domain, state, page }: QueueWindow,
): boolean {
  const meant = states.filter(one => state === undefined || one.state === state);
  const total = meant.reduce((sum, one) => sum + one.total, 0);
  const seen = (page - 1) * PAGE_ROWS + found;
  // A page beyond the last one says nothing about the total.
  if (found === 0 && page > 1) return true;
  const isShort =
    states.every(one => one.total <= PAGE_ROWS) ||
    (found === 0 && domain === undefined && state === undefined);
  return domain === undefined && found <= PAGE_ROWS && isShort ? total === seen : total >= seen;
}

/**
 * Returns a page of the queue with its totals and the domains that have the most queued recipients.
 * Pages count from 1.
 */
export async function viewQueue(deps: Pick<Deps, 'clock' | 'db' | 'masterKey'>, wish: QueueWindow) {
  const { db, clock } = deps;
  const now = clock.now();
  const target = wish.domain === undefined ? {} : targetOf(deps, { domain: wish.domain });
  const totals = totalsOf(deps);
  let counted = await totals.get();
  const rows = await listQueue(
    db,
    now,
    { target, state: wish.state },
    { offset: (wish.page - 1) * PAGE_ROWS, limit: PAGE_ROWS + 1 },
  );
  if (!agree(counted.states, rows.length, wish)) {
    totals.forget(counted);
    counted = await totals.get();
  }
  const { states, domains } = counted;
  const totalOf = (state: QueueState) => states.find(one => one.state === state)?.total ?? 0;
  return {
    waiting: totalOf('waiting'),
    deferred: totalOf('deferred'),
    delivering: totalOf('delivering'),
    domains: domains.map(row => ({
      domain: domainOfRow(deps, row),
      recipients: row.recipients,
      deferred: row.deferred,
      oldest_at: row.oldest_at.toISOString(),
      next_attempt_at: row.next_attempt_at.toISOString(),
    })),
    entries: rows.slice(0, PAGE_ROWS).map(row => ({
      id: bare(row.message_id) + bare(row.id),
      domain: domainOfRow(deps, row),
      state: row.state,
      attempts: row.attempts,
      queued_at: row.created_at.toISOString(),
      next_attempt_at: row.next_attempt_at.toISOString(),
      reply_code: row.last_code,
      status: row.last_status,
    })),
    has_more: rows.length > PAGE_ROWS,
  };
}

/**
 * Returns the object for the audit log: the domain of the recipients, even for a single one. Empty
 * when the domain cannot be read.
 */
async function objectOf(
  deps: Pick<Deps, 'clock' | 'masterKey'>,
  trx: Trx,
  { domain }: QueueWish,
  target: QueueTarget,
): Promise<Pick<AuditEntry, 'object'>> {
  if (domain !== undefined) return { object: domain.toLowerCase() };
  const [row] = await listQueue(trx, deps.clock.now(), { target, state: undefined }, { offset: 0, limit: 1 });
  const object = row === undefined ? null : domainOfRow(deps, row);
  return object === null ? {} : { object };
}

/**
 * Makes queued mail due now and returns the number of recipients. Leaves deliveries in progress
 * alone. Throws malformed, or not_found when nothing is queued.
 */
export async function deliverNow(deps: Deps, actor: AuditActor, wish: QueueWish): Promise<number> {
  const target = targetOf(deps, wish);
  const updated = await deps.db.transaction().execute(async trx => {
    const at = deps.clock.now();
    const count = await makeDue(trx, target, at);
    if (count === 0) throw new AppError('not_found');
    const object = await objectOf(deps, trx, wish, target);
    await writeAudit(trx, { actor, action: 'deliver_mail_now', ...object, at });
    return count;
  });
  totalsOf(deps).forget();
  signalDelivery(deps);
  return updated;
}

/**
 * Maximum number of messages dropped per call, because creating a thousand bounces takes a while.
 */
const DROP_MESSAGES_MAX = 50;
/** RFC 3463: delivery not authorized, message refused. */
const DROPPED = { status: '5.7.1', text: 'The operator of this service canceled the delivery' } as const;

/**
 * Drops the unclaimed recipients of one message and notifies its sender, in one transaction.
 * Returns the number of recipients.
 */
const dropFrom = (
  deps: Deps,
  actor: AuditActor,
  wish: QueueWish,
  messageId: string,
  target: QueueTarget,
): Promise<number> =>
  deps.db.transaction().execute(async trx => {
    const at = deps.clock.now();
    const found = await lockFree(trx, messageId, target, at);
    const [first] = found?.rows ?? [];
    if (found === undefined || first === undefined) return 0;
    const { message, rows } = found;
    const envelopes = rows.map(row => openEnvelope(deps.masterKey, messageId, row.id, row.envelope_sealed));
    const sender = envelopes[0]?.sender ?? '';
    // The null sender gets no notice, because notices about notices would never end. Senders of
    // forwarded mail get none either.
    if (sender !== '' && !message.is_forward) {
      const original = openOutgoing(deps.masterKey, messageId, message.message_sealed);
      try {
        const notice = await buildFailureNotice(deps, trx, {
          userId: message.user_id,
          sender,
          recipients: envelopes.map(({ recipient }) => ({ address: recipient, ...DROPPED })),
          original,
          arrivedAt: first.created_at,
        });
        if (notice !== null) await storeMails(trx, [notice]);
      } finally {
        original.fill(0);
      }
    }
    const object = await objectOf(deps, trx, wish, target);
    await deleteRecipients(
      trx,
      messageId,
      rows.map(({ id }) => id),
    );
    // Does not name the sender: the sender gets a notice, and admins never see senders.
    await writeAudit(trx, { actor, action: 'drop_mail', ...object, at });
    return rows.length;
  });

/**
 * Deletes messages from the queue. Each sender receives a notice of permanent failure. Drops a
 * limited number of messages per call; `left` is the number of remaining recipients, including
 * those in delivery. Throws malformed, or not_found when nothing is queued.
 */
export async function dropMail(
  deps: Deps,
  actor: AuditActor,
  wish: QueueWish,
): Promise<{ dropped: number; left: number }> {
  const target = targetOf(deps, wish);
  const messageIds = await findDroppable(deps.db, target, deps.clock.now(), DROP_MESSAGES_MAX);
  let dropped = 0;
  for (const messageId of messageIds) dropped += await dropFrom(deps, actor, wish, messageId, target);
  totalsOf(deps).forget();
  for (let count = 0; count < dropped; count++) countBounce('dropped');
  if (dropped === 0) throw new AppError('not_found');
  return { dropped, left: await countMeant(deps.db, target) };
}
