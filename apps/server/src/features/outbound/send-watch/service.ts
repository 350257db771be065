/**
 * Watches external sending for signs of a compromised account and holds such an account's external
 * mail for a while. Mail between users is sealed and not inspected. Of external mail it uses only
 * what the server knows anyway: the recipients, whether their servers refuse them, and, at sending
 * time, the text. External recipients are stored as keyed digests.
 *
 * [Note: Signs] Within a day, and since the last hold ended: more new recipients than usual
 * (strangers); many recipients refused by their servers (refusals); many messages that look like
 * spam (content); readers who complain through the feedback loops of several providers, or very
 * often through those of one, about messages to several domains (complaints). A single message that
 * is certain spam is only refused, since it may quote text by another author; several of them count
 * as many that look like spam. A hold lasts an hour, then six, then a day. Messages already sent
 * wait in the queue, further ones are refused, and the owner and the super admins are notified. The
 * hold ends by itself: a user held by mistake loses an hour, and a spammer does not get beyond the
 * first wave.
 */
import type { MailHold } from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import { normalizeAddress } from '@keyfold/mail/address-form';
import { CERTAIN_SPAM_POINTS, PLAN_LIMITS, PROBABLE_SPAM_POINTS } from '../../../base/limits.ts';
import { counter, gauge } from '../../../base/metrics.ts';
import {
  CERTAIN_SPAM_RECIPIENTS,
  COMPLAINED_AUDIENCES_MIN,
  COMPLAINING_ORGANIZATIONS_MIN,
  COMPLAINTS_OF_ONE_MIN,
  COMPLAINTS_SHARE_MAX,
  FRESH_ACCOUNT_MS,
  FRESH_STRANGERS_PER_DAY,
  SEND_HOLDS_MS,
  SEND_STRIKES_KEPT_MS,
  SEND_WATCHED_MS,
  WATCHED_COMPLAINTS_MIN,
  WATCHED_RECIPIENTS_MIN,
  WATCHED_SHARE_MAX,
} from '../../../base/sending-limits.ts';
import type { Deps } from '../../../context/deps.ts';
import type { Db, Trx } from '../../../db/pool.ts';
import type { HoldReason } from '../../../db/transfer-tables.ts';
import { storeNotice } from '../../accounts/notices/index.ts';
import { findAccountOf } from '../../accounts/users/index.ts';
import { lockMailboxes } from '../../mailbox/messages/index.ts';
import { type Complaints, countComplaints } from '../../reports/received-reports/index.ts';
import { type AuditActor, writeAudit } from '../../support/audit/index.ts';
import {
  addCounts,
  type Counts,
  countHolds,
  countStrangers,
  countWaiting,
  endHold,
  findHold,
  findSender,
  findSupers,
  findUntold,
  insertRecipients,
  lockHold,
  makeDue,
  markTold,
  saveHold,
  sumCounts,
} from './store.ts';

type WatchDeps = Pick<Deps, 'clock' | 'config' | 'masterKey'>;

const HOUR_MS = 60 * 60_000;
const NOTHING: Counts = { tried: 0, refused: 0, suspicious: 0 };

const holds = counter('keyfold_send_holds_total', 'Holds on mail of accounts to other providers', ['reason']);

/** Publishes the number of accounts whose mail is held in the process's metrics. */
export const publishHoldGauge = ({ db, clock }: Pick<Deps, 'clock' | 'db'>): void =>
  gauge('keyfold_senders_held', 'Accounts whose mail to other providers is on hold', () =>
    countHolds(db, clock.now()),
  );

const hourOf = (now: Date): Date => new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS);

/**
 * Returns the time from which signs count: one day back, but not before the end of the last hold.
 */
const sinceOf = (now: Date, lastEnd: Date | undefined): Date =>
  new Date(Math.max(now.getTime() - SEND_WATCHED_MS, lastEnd?.getTime() ?? 0));

/** Only whole hours are counted, starting with the first one that began after the last hold. */
const firstHourOf = (since: Date): Date => new Date(Math.ceil(since.getTime() / HOUR_MS) * HOUR_MS);

const isMany = (some: number, all: number): boolean =>
  some >= WATCHED_RECIPIENTS_MIN && some >= all * WATCHED_SHARE_MAX;

function strangersMax(
  { plan, created_at }: { readonly plan: keyof typeof PLAN_LIMITS; readonly created_at: Date },
  now: Date,
): number {
  const { strangersPerDay } = PLAN_LIMITS[plan];
  const isFresh = plan === 'free' && now.getTime() - created_at.getTime() < FRESH_ACCOUNT_MS;
  return isFresh ? Math.min(FRESH_STRANGERS_PER_DAY, strangersPerDay) : strangersPerDay;
}

function isComplainedOf({ total, audiences, reporters }: Complaints, tried: number): boolean {
  const least = reporters >= COMPLAINING_ORGANIZATIONS_MIN ? WATCHED_COMPLAINTS_MIN : COMPLAINTS_OF_ONE_MIN;
  return audiences >= COMPLAINED_AUDIENCES_MIN && total >= Math.max(least, tried * COMPLAINTS_SHARE_MAX);
}

/** Returns the sign that a user shows, or null. */
async function findSign(trx: Trx, userId: string, now: Date): Promise<HoldReason | null> {
  const sender = await findSender(trx, userId);
  if (sender === undefined) return null;
  const since = sinceOf(now, (await findHold(trx, userId))?.held_until);
  if ((await countStrangers(trx, userId, since)) > strangersMax(sender, now)) return 'strangers';
  const { tried, refused, suspicious } = await sumCounts(trx, userId, firstHourOf(since));
  if (isMany(refused, tried)) return 'refusals';
  if (isMany(suspicious, tried)) return 'content';
  return isComplainedOf(await countComplaints({ db: trx }, userId, since), tried) ? 'complaints' : null;
}

/** Returns the duration of a hold, by the number of holds in a row. */
const lastsMs = (strikes: number): number => SEND_HOLDS_MS[Math.min(strikes, SEND_HOLDS_MS.length) - 1] ?? 0;

async function hold(trx: Trx, userId: string, reason: HoldReason, now: Date): Promise<void> {
  const last = await findHold(trx, userId);
  const isForgotten = last === undefined || now.getTime() - last.held_until.getTime() > SEND_STRIKES_KEPT_MS;
  const strikes = (isForgotten ? 0 : last.strikes) + 1;
  await saveHold(trx, userId, { reason, strikes, heldUntil: new Date(now.getTime() + lastsMs(strikes)) });
  await writeAudit(trx, {
    actor: { kind: 'service' },
    action: 'hold_mail',
    subjectId: userId,
    object: reason,
    at: now,
  });
  holds.inc({ reason });
}

export type WatchedSend = {
  readonly userId: string;
  /** External recipients, normalized. */
  readonly recipients: readonly string[];
  /** Spam score of the message, on the scale of limits.ts. */
  readonly points: number;
};

/** Throws rate_limited while a user's mail is held. */
async function refuseWhileHeld(trx: Trx, userId: string, now: Date): Promise<void> {
  const held = await findHold(trx, userId);
  if (held !== undefined && held.held_until > now)
    throw new AppError('rate_limited', {
      retryAfterSeconds: Math.ceil((held.held_until.getTime() - now.getTime()) / 1000),
    });
}

/**
 * Refuses a message that is certain spam before any of it is stored, and counts it. Call outside a
 * transaction. Throws spam_refused for such a message, and rate_limited while the sender's mail is
 * held.
 */
export async function refuseCertainSpam(
  deps: Deps,
  { userId, recipients, points }: WatchedSend,
): Promise<void> {
  const { clock, config, db } = deps;
  if (!config.isSendingWatched || recipients.length === 0 || points < CERTAIN_SPAM_POINTS) return;
  const now = clock.now();
  await db.transaction().execute(async trx => {
    await lockMailboxes(trx, [userId]);
    await refuseWhileHeld(trx, userId, now);
    const suspicious = Math.max(recipients.length, CERTAIN_SPAM_RECIPIENTS);
    await addCounts(trx, userId, hourOf(now), { ...NOTHING, tried: recipients.length, suspicious });
    const sign = await findSign(trx, userId, now);
    if (sign !== null) await hold(trx, userId, sign, now);
  });
  tellHoldsSoon(deps);
  throw new AppError('spam_refused');
}

/**
 * Records an external message in the transaction that queues it, under the sender's mailbox lock.
 * If the user shows a sign, holds this message and all that follow: call tellHolds after the
 * commit. Throws rate_limited while the sender's mail is held.
 */
export async function noteSend(
  { clock, config, masterKey }: WatchDeps,
  trx: Trx,
  { userId, recipients, points }: WatchedSend,
): Promise<void> {
  if (!config.isSendingWatched || recipients.length === 0) return;
  const now = clock.now();
  await refuseWhileHeld(trx, userId, now);
  await insertRecipients(
    trx,
    userId,
    recipients.map(address => masterKey.digest('outside recipient', userId, address)),
    now,
  );
  const tried = recipients.length;
  const suspicious = points >= PROBABLE_SPAM_POINTS ? tried : 0;
  await addCounts(trx, userId, hourOf(now), { ...NOTHING, tried, suspicious });
  const sign = await findSign(trx, userId, now);
  if (sign !== null) await hold(trx, userId, sign, now);
}

/**
 * Records recipients that their servers permanently refused, in the transaction that gives them up.
 */
export async function noteRefusals(
  { clock, config }: WatchDeps,
  trx: Trx,
  userId: string,
  refused: number,
): Promise<void> {
  if (!config.isSendingWatched || refused === 0) return;
  const now = clock.now();
  await addCounts(trx, userId, hourOf(now), { ...NOTHING, refused });
  const held = await findHold(trx, userId);
  if (held !== undefined && held.held_until > now) return;
  const sign = await findSign(trx, userId, now);
  if (sign !== null) await hold(trx, userId, sign, now);
}

/** Returns until when a user's external mail is held, or null when it is not. */
export async function findHeldUntil(
  { db, clock }: Pick<Deps, 'clock' | 'db'>,
  userId: string,
): Promise<Date | null> {
  const held = await findHold(db, userId);
  return held !== undefined && held.held_until > clock.now() ? held.held_until : null;
}

const tell = (deps: Deps, userId: string): Promise<void> =>
  deps.db.transaction().execute(async trx => {
    const supers = (await findSupers(trx)).filter(id => id !== userId);
    await lockMailboxes(trx, [userId, ...supers]);
    if (!(await markTold(trx, userId, deps.clock.now()))) return;
    await storeNotice(deps, trx, userId, { kind: 'mail_held' });
    for (const id of supers) await storeNotice(deps, trx, id, { kind: 'mail_of_account_held' });
  });

/**
 * Notifies owners and super admins of holds they have not been notified of. Returns the number of
 * holds.
 */
export async function tellHolds(deps: Deps): Promise<number> {
  const untold = await findUntold(deps.db);
  for (const userId of untold) await tell(deps, userId);
  return untold.length;
}

/** Runs tellHolds in the background. The job retries failures. */
export function tellHoldsSoon(deps: Deps): void {
  tellHolds(deps).catch(error =>
    deps.logger.warn({ err: error }, 'could not send the notice of a hold, will retry'),
  );
}

/**
 * Returns what an operator needs to judge a hold: its start, its reason, and counts for the day
 * before it. Returns null when there is no hold. Only whole hours that began within that day are
 * counted.
 */
export async function describeHold(
  { db, clock }: Pick<Deps, 'clock' | 'db'>,
  userId: string,
): Promise<MailHold | null> {
  const held = await findHold(db, userId);
  if (held === undefined || held.held_until <= clock.now()) return null;
  const since = new Date(held.held_until.getTime() - lastsMs(held.strikes));
  const dayBefore = new Date(since.getTime() - SEND_WATCHED_MS);
  const [strangers, counts, complaints, waiting] = await Promise.all([
    countStrangers(db, userId, dayBefore),
    sumCounts(db, userId, firstHourOf(dayBefore)),
    countComplaints({ db }, userId, dayBefore),
    countWaiting(db, userId),
  ]);
  return {
    reason: held.reason,
    since: since.toISOString(),
    until: held.held_until.toISOString(),
    waiting,
    before: { strangers, ...counts, complaints: complaints.total },
  };
}

/**
 * Ends a hold, makes its waiting mail due and writes an audit log entry. Returns whether there was
 * a hold. Call signalDelivery after the commit.
 */
export async function releaseHold(
  { clock }: Pick<Deps, 'clock'>,
  trx: Trx,
  actor: AuditActor,
  userId: string,
): Promise<boolean> {
  const now = clock.now();
  if (!(await endHold(trx, userId, now))) return false;
  await makeDue(trx, userId, now);
  await writeAudit(trx, { actor, action: 'release_mail', subjectId: userId, at: now });
  return true;
}

/**
 * Makes mail that waits for a hold due if the hold has ended. Needed after postponing mail for a
 * hold that was being released at the same time: the release found that mail claimed and left it
 * alone.
 */
export const goOnWhenReleased = ({ db, clock }: Pick<Deps, 'clock' | 'db'>, userId: string): Promise<void> =>
  db.transaction().execute(async trx => {
    const now = clock.now();
    const hold = await lockHold(trx, userId);
    if (hold === undefined || hold.held_until <= now) await makeDue(trx, userId, now);
  });

/**
 * Releases the mail of an address's owner, with the operator of the machine as the actor. Returns
 * whether it was held. Throws not_found.
 */
export async function releaseSender(deps: Deps, address: string): Promise<boolean> {
  const userId = await findAccountOf(deps.db, normalizeAddress(address));
  if (userId === null) throw new AppError('not_found');
  return deps.db.transaction().execute(trx => releaseHold(deps, trx, { kind: 'operator' }, userId));
}

/** Deletes recipients and counts that are no longer relevant. Returns the numbers of rows. */
export async function forgetWatched(db: Db, recipientsBefore: Date, countsBefore: Date) {
  const recipients = await db
    .deleteFrom('outside_recipients')
    .where('first_at', '<=', recipientsBefore)
    .executeTakeFirst();
  const counts = await db.deleteFrom('outside_counts').where('hour', '<=', countsBefore).executeTakeFirst();
  return {
    outside_recipients: Number(recipients.numDeletedRows),
    outside_counts: Number(counts.numDeletedRows),
  };
}
