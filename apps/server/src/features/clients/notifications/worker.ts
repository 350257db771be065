/**
 * Push worker: claims a job, checks that it is still relevant, passes it to the sender of its kind,
 * and applies the outcome. Several processes may run it.
 */

import type { PushKind, PushMessage, PushOutcome, PushSender } from '../../../adapters/push.ts';
import { createApnsSender } from '../../../adapters/push-apns.ts';
import { createFcmSender } from '../../../adapters/push-fcm.ts';
import { createWebPushSender } from '../../../adapters/push-web.ts';
import {
  PUSH_ADDRESSES,
  PUSH_FAILING_KEPT_MS,
  PUSH_KEPT_MS,
  PUSH_LEASE_MS,
  PUSH_REST_MS,
  PUSH_SERVICES,
  PUSH_SHOWN_MAX,
  PUSH_WAIT_MAX_MS,
  PUSH_WAITS_MS,
} from '../../../base/limits.ts';
import type { Deps } from '../../../context/deps.ts';
import { ALL_MAILS } from '../../mailbox/messages/index.ts';
import { createFairQueue } from './fair-queue.ts';
import { countAttempt } from './gauges.ts';
import {
  type ClaimedJob,
  claimJob,
  countUnread,
  deleteJob,
  findNextDue,
  isStillNews,
  noteFailure,
  noteSent,
  noteShown,
  postponeJob,
  removeDevice,
} from './queue-store.ts';
import { type DeviceRow, listDevices } from './store.ts';
import { openToken } from './tokens.ts';
import { getVapidKeys } from './vapid.ts';

export type Senders = { readonly [K in PushKind]?: PushSender };

/** Returns the configured senders. */
export function createSenders(deps: Deps): Senders {
  const { fcm, apns, isWebOn } = deps.config.push;
  let keys: ReturnType<typeof getVapidKeys> | null = null;
  const findKeys = () => {
    keys ??= getVapidKeys(deps).catch(error => {
      keys = null;
      throw error;
    });
    return keys;
  };
  const web = isWebOn ? createWebPushSender(deps, findKeys) : undefined;
  return {
    ...(fcm === undefined ? {} : { fcm: createFcmSender(fcm) }),
    ...(apns === undefined ? {} : { apns: createApnsSender(apns) }),
    ...(web === undefined ? {} : { webpush: web, unifiedpush: web }),
  };
}

/** Queue for some kinds of devices. */
export type PushQueue = {
  /** Maximum concurrent sends. */
  readonly atOnce: number;
  /**
   * Sends a job of the next user in turn; returns false when none is available. Rejects without the
   * database.
   */
  readonly pushNext: () => Promise<boolean>;
  readonly nextDueAt: () => Promise<Date | null>;
};

/**
 * Kinds whose endpoints users choose have a separate queue, so that slow endpoints do not delay the
 * others.
 */
const QUEUES: readonly {
  readonly kinds: readonly PushKind[];
  readonly bounds: typeof PUSH_SERVICES | typeof PUSH_ADDRESSES;
}[] = [
  { kinds: ['fcm', 'apns'], bounds: PUSH_SERVICES },
  { kinds: ['webpush', 'unifiedpush'], bounds: PUSH_ADDRESSES },
];

const OWN_WAIT_MAX_MS = Math.max(...PUSH_WAITS_MS);

/**
 * Returns the delay before the next attempt: a back-off that grows with the job's attempts and with
 * the time that its device has been failing, or the delay that the service requests, within bounds.
 */
function waitMs(attempts: number, failingMs: number, asked: number | null): number {
  const own = PUSH_WAITS_MS[Math.min(attempts, PUSH_WAITS_MS.length) - 1] ?? 0;
  return Math.min(PUSH_WAIT_MAX_MS, Math.max(own, Math.min(failingMs, OWN_WAIT_MAX_MS), asked ?? 0));
}

/** Creates one queue for each group of kinds that has a sender. */
export function createQueues(deps: Deps, senders: Senders): readonly PushQueue[] {
  const { db, clock } = deps;
  /** Kinds whose whole service is failing, and until when they are paused. */
  const resting = new Map<PushKind, Date>();

  const notResting = (kinds: readonly PushKind[], now: Date): PushKind[] =>
    kinds.filter(kind => (resting.get(kind) ?? now) <= now);

  /**
   * Pauses a kind for a limited time. The pause is capped, because how long one job has been
   * waiting says little about the others.
   */
  const rest = (kind: PushKind, now: Date, attempts: number, askedMs: number | null): void => {
    const restMs = askedMs === null ? Math.min(PUSH_REST_MS, waitMs(attempts, 0, null)) : askedMs;
    resting.set(kind, new Date(now.getTime() + Math.min(PUSH_WAIT_MAX_MS, restMs)));
  };

  /** Returns the message to push, or null when the job is obsolete. */
  const messageOf = async (job: ClaimedJob): Promise<PushMessage | null> => {
    // A notice is pushed whatever became of its message: an intruder could read or delete it before
    // the owner notices.
    const isGone =
      job.type === 'mail' && (job.mail_id === null || !(await isStillNews(db, job.user_id, job.mail_id)));
    if (isGone) return null;
    const badge = await countUnread(db, job.user_id, ALL_MAILS);
    return job.type === 'summary' && badge === 0 ? null : { type: job.type, id: job.mail_id, badge };
  };

  const settle = (job: ClaimedJob, device: DeviceRow, outcome: PushOutcome): Promise<void> =>
    db.transaction().execute(async trx => {
      const now = clock.now();
      if (outcome.kind === 'sent') resting.delete(device.kind);
      const failingMs = device.failing_since === null ? 0 : now.getTime() - device.failing_since.getTime();
      if (outcome.kind === 'dead' || (outcome.kind !== 'sent' && failingMs > PUSH_FAILING_KEPT_MS))
        return removeDevice(trx, device.id);
      if (outcome.kind === 'later') {
        const until = new Date(now.getTime() + waitMs(job.attempts, failingMs, outcome.retryAfterMs));
        // An outage of a whole service says nothing about a device.
        if (outcome.isAll) rest(device.kind, now, job.attempts, outcome.retryAfterMs);
        else await noteFailure(trx, device.id, now, until);
        if (until.getTime() - job.created_at.getTime() > PUSH_KEPT_MS) await deleteJob(trx, job);
        else await postponeJob(trx, job, until);
        return;
      }
      // Locks the device before its job, the order in which deleting a device cascades to its jobs.
      if (outcome.kind === 'refused') await noteFailure(trx, device.id, now, null);
      else await noteSent(trx, device.id, now);
      const isOurs = await deleteJob(trx, job);
      // Records shown notifications, to remove them once the message is read. Never for a notice,
      // since an intruder may be the one who reads it. Not for browsers, which cannot remove a
      // notification without showing another (docs/adr/0040-push.md).
      if (isOurs && outcome.kind === 'sent' && job.type === 'mail' && device.kind !== 'webpush')
        await noteShown(trx, job, now, PUSH_SHOWN_MAX);
    });

  const push = async (job: ClaimedJob, timeoutMs: number): Promise<void> => {
    const devices = await listDevices(db, job.user_id, clock.now());
    const device = devices.find(one => one.id === job.device_id);
    const sender = device === undefined ? undefined : senders[device.kind];
    const message = device === undefined ? null : await messageOf(job);
    if (device === undefined || sender === undefined || message === null) {
      await deleteJob(db, job);
      return;
    }
    const outcome = await sender.send(openToken(deps, device), message, AbortSignal.timeout(timeoutMs));
    countAttempt(device.kind, outcome.kind);
    await settle(job, device, outcome);
  };

  const createQueue = (
    kinds: readonly PushKind[],
    { atOnce, atOncePerUser, timeoutMs }: (typeof QUEUES)[number]['bounds'],
  ): PushQueue => {
    const claimNext = createFairQueue(async served => {
      await clock.whenSure?.();
      const now = clock.now();
      const leasedUntil = new Date(now.getTime() + PUSH_LEASE_MS);
      return claimJob(db, { kinds: notResting(kinds, now), served, now, leasedUntil, atOncePerUser });
    });
    return {
      atOnce,
      pushNext: async () => {
        const job = await claimNext();
        if (job === undefined) return false;
        await push(job, timeoutMs);
        return true;
      },
      nextDueAt: () => findNextDue(db, notResting(kinds, clock.now()), clock.now()),
    };
  };

  return QUEUES.flatMap(({ kinds, bounds }) => {
    const here = kinds.filter(kind => senders[kind] !== undefined);
    return here.length === 0 ? [] : [createQueue(here, bounds)];
  });
}
