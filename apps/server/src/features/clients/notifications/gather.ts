/**
 * Turns mailbox changes into push jobs for devices: wanted new messages, one by one up to a limit
 * and as a summary beyond it, and removal of notifications whose message was read. Stores the
 * mailbox version up to which it has processed changes, so that nothing is pushed twice and a lost
 * announcement only causes a delay.
 */
import { pushPreferences } from '@keyfold/contract';
import type { PushKind } from '../../../adapters/push.ts';
import {
  PUSH_BURST_MAX,
  PUSH_BURST_MS,
  PUSH_LOOK_MAILS_MAX,
  PUSH_LOOK_NOTICES_MAX,
  PUSH_SUMMARY_WAIT_MS,
} from '../../../base/limits.ts';
import type { Deps } from '../../../context/deps.ts';
import type { Trx } from '../../../db/pool.ts';
import { addressesOf } from '../../accounts/users/index.ts';
import {
  findChanged,
  findNews,
  forgetWatched,
  insertJobs,
  insertReads,
  lockWatched,
  type NewJob,
  type News,
  saveBurst,
  saveWatched,
} from './queue-store.ts';
import { signalPush } from './signal.ts';
import { type DeviceRow, holdDevices, listDevices } from './store.ts';
import { isQuiet, isWanted } from './wanted.ts';

/** Maximum number of mailboxes per poll; the rest waits for the next. */
const USERS_MAX = 500;

export type Gatherer = {
  /**
   * Processes the changed mailboxes of these users, or of all users with devices; returns how many
   * had changed.
   */
  readonly look: (userIds: readonly string[] | null) => Promise<number>;
};

/** Returns the jobs of one device, and the new count of messages pushed to it one by one. */
function jobsFor(
  device: DeviceRow,
  news: readonly News[],
  now: Date,
): { readonly jobs: readonly NewJob[]; readonly since: Date; readonly size: number } {
  const isOver = now.getTime() - device.burst_since.getTime() >= PUSH_BURST_MS;
  const since = isOver ? now : device.burst_since;
  const size = isOver ? 0 : device.burst_size;
  // Notices about the account are few, so each is pushed.
  const told = news.filter(({ is_alert }) => is_alert);
  // One more than the limit for single pushes: that triggers a summary.
  const mails = news.filter(({ is_alert }) => !is_alert).slice(-(PUSH_BURST_MAX + 1));
  const room = Math.max(0, PUSH_BURST_MAX - size);
  told.push(...mails.slice(0, room));
  const jobs = told.map(
    ({ id, is_alert }): NewJob => ({
      userId: device.user_id,
      deviceId: device.id,
      type: is_alert ? 'security' : 'mail',
      mailId: id,
      dueAt: now,
    }),
  );
  if (mails.length > room)
    jobs.push({
      userId: device.user_id,
      deviceId: device.id,
      type: 'summary',
      mailId: null,
      dueAt: new Date(now.getTime() + PUSH_SUMMARY_WAIT_MS),
    });
  return { jobs, since, size: size + Math.min(mails.length, room) };
}

/** Returns whether a device gets only some messages, which must then be selected. */
function isChoosy(device: DeviceRow): boolean {
  const { newEmails, mentions } = pushPreferences.parse(device.preferences);
  return mentions && !newEmails;
}

export function createGatherer(
  { db, clock, logger }: Pick<Deps, 'clock' | 'db' | 'logger'>,
  kinds: readonly PushKind[],
): Gatherer {
  const tell = async (
    trx: Trx,
    userId: string,
    devices: readonly DeviceRow[],
    news: readonly News[],
    now: Date,
  ) => {
    const own = new Set((await addressesOf(trx, userId)).map(address => address.toLowerCase()));
    for (const device of devices) {
      const preferences = pushPreferences.parse(device.preferences);
      if (isQuiet(preferences, now)) continue;
      const wanted = news.filter(({ is_alert, headers }) =>
        isWanted(preferences, { isNotice: is_alert, headers }, own),
      );
      if (wanted.length === 0) continue;
      const { jobs, since, size } = jobsFor(device, wanted, now);
      await insertJobs(trx, jobs, now);
      await saveBurst(trx, device.id, since, size);
    }
  };

  const lookThrough = (userId: string): Promise<void> =>
    db.transaction().execute(async trx => {
      const watched = await lockWatched(trx, userId);
      if (watched === null) return;
      const now = clock.now();
      const devices = await listDevices(trx, userId, now);
      if (devices.length === 0) return forgetWatched(trx, userId);
      const held = await holdDevices(trx, userId);
      const reached = devices.filter(({ id, kind }) => held.has(id) && kinds.includes(kind));
      const news = await findNews(trx, userId, watched, {
        notices: PUSH_LOOK_NOTICES_MAX,
        mails: reached.some(isChoosy) ? PUSH_LOOK_MAILS_MAX : PUSH_BURST_MAX + 1,
      });
      if (news.length > 0) await tell(trx, userId, reached, news, now);
      await insertReads(trx, userId, held, now);
      await saveWatched(trx, userId, watched);
    });

  return {
    look: async userIds => {
      const changed = await findChanged(db, userIds, USERS_MAX);
      for (const userId of changed) {
        try {
          await lookThrough(userId);
        } catch (error) {
          // The mailbox still counts as changed, so the next poll retries.
          logger.warn({ err: error }, 'could not collect notifications');
        }
      }
      if (changed.length > 0) signalPush(db);
      return changed.length;
    },
  };
}
