/**
 * Sends what waits: claims a job, looks whether it still means something, hands it to the sender of its kind, and does what
 * the answer asks for. Several processes may do so.
 */

import type { PushKind, PushMessage, PushOutcome, PushSender } from '../../adapters/push.ts';
import { createApnsSender } from '../../adapters/push-apns.ts';
import { createFcmSender } from '../../adapters/push-fcm.ts';
import { createWebPushSender } from '../../adapters/push-web.ts';
import type { Deps } from '../../deps.ts';
import {
  PUSH_AT_ONCE_PER_USER,
  PUSH_FAILING_KEPT_MS,
  PUSH_KEPT_MS,
  PUSH_LEASE_MS,
  PUSH_SHOWN_MAX,
  PUSH_TIMEOUT_MS,
  PUSH_WAIT_MAX_MS,
  PUSH_WAITS_MS,
} from '../../limits.ts';
import { ALL_MAILS } from '../mailbox/service.ts';
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

/** The senders that are configured. */
export const createSenders = (deps: Deps): Senders => {
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
};

export type Pusher = {
  /** Sends the job that is due longest; false when there is none for us now. Rejects without the database. */
  readonly pushNext: () => Promise<boolean>;
  readonly nextDueAt: () => Promise<Date | null>;
};

/** Waits between attempts: ours, or what the service asks for, within bounds. */
const waitMs = (attempts: number, asked: number | null): number => {
  const own = PUSH_WAITS_MS[Math.min(attempts, PUSH_WAITS_MS.length) - 1] ?? 0;
  return Math.min(PUSH_WAIT_MAX_MS, Math.max(own, asked ?? 0));
};

export const createPusher = (deps: Deps, senders: Senders): Pusher => {
  const { db, clock } = deps;
  /** Kinds that take nothing at all now, and until when. */
  const resting = new Map<PushKind, Date>();

  const kindsNow = (now: Date): PushKind[] =>
    (Object.keys(senders) as PushKind[]).filter(kind => (resting.get(kind) ?? now) <= now);

  /** What is to be said, or null when there is nothing to say any more. */
  const messageOf = async (job: ClaimedJob): Promise<PushMessage | null> => {
    // A notice is told whatever became of it: who has got in could read or delete it before its owner hears of it.
    const isGone =
      job.type === 'mail' && (job.mail_id === null || !(await isStillNews(db, job.user_id, job.mail_id)));
    if (isGone) return null;
    const badge = await countUnread(db, job.user_id, ALL_MAILS);
    return job.type === 'summary' && badge === 0 ? null : { type: job.type, id: job.mail_id, badge };
  };

  const settle = (job: ClaimedJob, device: DeviceRow, outcome: PushOutcome): Promise<void> =>
    db.transaction().execute(async trx => {
      const now = clock.now();
      const failingMs = device.failing_since === null ? 0 : now.getTime() - device.failing_since.getTime();
      if (outcome.kind === 'dead' || (outcome.kind !== 'sent' && failingMs > PUSH_FAILING_KEPT_MS))
        return removeDevice(trx, device.id);
      if (outcome.kind === 'later') {
        const until = new Date(now.getTime() + waitMs(job.attempts, outcome.retryAfterMs));
        // A whole service that is away says nothing about a device.
        if (outcome.isAll) resting.set(device.kind, until);
        else await noteFailure(trx, device.id, now, until);
        if (until.getTime() - job.created_at.getTime() > PUSH_KEPT_MS) await deleteJob(trx, job);
        else await postponeJob(trx, job, until);
        return;
      }
      const isOurs = await deleteJob(trx, job);
      if (outcome.kind === 'refused') return noteFailure(trx, device.id, now, null);
      await noteSent(trx, device.id, now);
      // What is noted is taken away once it is read: never a notice, for somebody else may be the one who reads it; and browsers
      // may not be told to take something away without showing something else (docs/adr/0040-push.md).
      if (isOurs && job.type === 'mail' && device.kind !== 'webpush')
        await noteShown(trx, job, now, PUSH_SHOWN_MAX);
    });

  const push = async (job: ClaimedJob): Promise<void> => {
    const devices = await listDevices(db, job.user_id, clock.now());
    const device = devices.find(one => one.id === job.device_id);
    const sender = device === undefined ? undefined : senders[device.kind];
    const message = device === undefined ? null : await messageOf(job);
    if (device === undefined || sender === undefined || message === null) {
      await deleteJob(db, job);
      return;
    }
    const outcome = await sender.send(openToken(deps, device), message, AbortSignal.timeout(PUSH_TIMEOUT_MS));
    countAttempt(device.kind, outcome.kind);
    await settle(job, device, outcome);
  };

  return {
    pushNext: async () => {
      const now = clock.now();
      const leasedUntil = new Date(now.getTime() + PUSH_LEASE_MS);
      const job = await claimJob(db, kindsNow(now), {
        now,
        leasedUntil,
        atOncePerUser: PUSH_AT_ONCE_PER_USER,
      });
      if (job === undefined) return false;
      await push(job);
      return true;
    },
    nextDueAt: () => findNextDue(db, kindsNow(clock.now()), clock.now()),
  };
};
