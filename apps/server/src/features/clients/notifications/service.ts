/**
 * Push devices (docs/spec-map.md 7.71): registered by a session and deleted with it, with
 * preferences and counts. gather.ts and worker.ts decide what is sent and when; see
 * docs/adr/0040-push.md.
 */
import { randomUUIDv7 } from 'node:crypto';
import {
  type api,
  type InputOf,
  type OperatedPush,
  type PushDevice,
  pushPreferences,
} from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import { UNREAD_FLOOR } from '@keyfold/contract/limits';
import { PUSH_KINDS } from '../../../adapters/push.ts';
import { PUSH_DEVICES_MAX, PUSH_GROUPS_MAX } from '../../../base/limits.ts';
import type { Session } from '../../../context/call-context.ts';
import type { Deps } from '../../../context/deps.ts';
import { isUuid } from '../../../db/uuid.ts';

import { countJobs, insertJobs } from './queue-store.ts';
import { signalPush } from './signal.ts';
import {
  countDevices,
  type DeviceRow,
  deleteByToken,
  deleteDevice,
  holdDevice,
  holdSession,
  listDevices,
  saveCount,
  savePreferences,
  trimDevices,
  upsertDevice,
  watchMailbox,
} from './store.ts';
import { digestOf, isToken, KIND_OF, kindsOn, openWords, platformOf, sealDevice } from './tokens.ts';
import { getVapidKeys } from './vapid.ts';

type PushDeps = Pick<Deps, 'clock' | 'config' | 'db' | 'masterKey'>;
type Calls = typeof api.notifications;

const GROUP = 'push group';

/**
 * Registers the device of a session, or renews an existing one; a removal by the user prevails over
 * a renewal. Throws push_off, push_refused, not_logged_in, not_found.
 */
export async function registerDevice(
  deps: PushDeps,
  session: Session,
  { token, platform, device_info, preferences, renews }: InputOf<Calls['register']>,
): Promise<string> {
  const { db, clock } = deps;
  const kind = KIND_OF[platform];
  if (!kindsOn(deps.config).includes(kind)) throw new AppError('push_off');
  if (!isToken(kind, token)) throw new AppError('push_refused');
  const now = clock.now();
  return db.transaction().execute(async trx => {
    // A concurrent end of the session either comes first, and nothing is registered, or later, and
    // deletes the device too.
    if (!(await holdSession(trx, session.tokenHash, now))) throw new AppError('not_logged_in');
    const old = renews === undefined ? null : await holdDevice(trx, session.userId, digestOf(deps, renews));
    if (old === undefined) throw new AppError('not_found');
    const id = await upsertDevice(
      trx,
      {
        user_id: session.userId,
        id: randomUUIDv7(),
        kind,
        ...sealDevice(deps, token, device_info),
        session_id: session.id,
        family_id: session.familyId,
        preferences: preferences === undefined ? null : JSON.stringify(preferences),
        now,
      },
      JSON.stringify(pushPreferences.parse({})),
    );
    if (old !== null && old !== id) await deleteDevice(trx, session.userId, old);
    await trimDevices(trx, session.userId, PUSH_DEVICES_MAX);
    await watchMailbox(trx, session.userId);
    return id;
  });
}

/** Deletes the caller's device with this token, if any. */
export const unregisterDevice = (deps: PushDeps, userId: string, token: string): Promise<void> =>
  deleteByToken(deps.db, userId, digestOf(deps, token));

/** Deletes one of the caller's devices. Throws not_found. */
export async function removeDevice({ db }: PushDeps, userId: string, id: string): Promise<void> {
  if (!isUuid(id) || !(await deleteDevice(db, userId, id))) throw new AppError('not_found');
}

const isCurrent = (row: DeviceRow, session: Session): boolean =>
  row.session_id === session.id || (row.family_id !== null && row.family_id === session.familyId);

const toWire = (deps: PushDeps, row: DeviceRow, session: Session): PushDevice => ({
  id: row.id,
  platform: platformOf(row.kind),
  device_info: openWords(deps, row),
  preferences: pushPreferences.parse(row.preferences),
  current: isCurrent(row, session),
  created_at: row.created_at.toISOString(),
  seen_at: row.seen_at.toISOString(),
  sent_at: row.sent_at?.toISOString() ?? null,
  failing_since: row.failing_since?.toISOString() ?? null,
});

/** Returns the available push kinds and the caller's devices. */
export async function viewPush(deps: PushDeps, session: Session) {
  const rows = await listDevices(deps.db, session.userId, deps.clock.now());
  return {
    platforms: kindsOn(deps.config).map(platformOf),
    vapid_public_key: (await getVapidKeys(deps)).publicKey,
    devices: rows.map(row => toWire(deps, row, session)),
  };
}

/** Returns the caller's device with this token or, without a token, the devices of this session. */
async function findMeant(deps: PushDeps, session: Session, token: string | undefined): Promise<DeviceRow[]> {
  const rows = await listDevices(deps.db, session.userId, deps.clock.now());
  if (token === undefined) return rows.filter(row => isCurrent(row, session));
  const hash = digestOf(deps, token);
  return rows.filter(row => row.token_hash.equals(hash));
}

/** Sets what devices are notified about; returns the number of devices. */
export async function setPreferences(
  deps: PushDeps,
  session: Session,
  { token, ...preferences }: InputOf<Calls['preferences']>,
): Promise<number> {
  const ids = (await findMeant(deps, session, token)).map(row => row.id);
  return savePreferences(deps.db, session.userId, ids, JSON.stringify(preferences));
}

/** Queues a test push for devices; returns the number of devices. */
export async function sendTest(deps: PushDeps, session: Session, token: string | undefined): Promise<number> {
  const now = deps.clock.now();
  const rows = await findMeant(deps, session, token);
  await insertJobs(
    deps.db,
    rows.map(row => ({ userId: row.user_id, deviceId: row.id, type: 'test', mailId: null, dueAt: now })),
    now,
  );
  signalPush(deps.db);
  return rows.length;
}

const COUNT_MAX = 2_000_000_000;

/** Returns the number as stored: an integer, never below the floor (docs/spec-map.md 9). */
const floored = (count: number): number =>
  Number.isFinite(count) ? Math.min(COUNT_MAX, Math.max(UNREAD_FLOOR, Math.trunc(count))) : UNREAD_FLOOR;

/** Stores the number that a client shows as its badge; returns the stored value. */
export async function setBadge(
  { db, clock }: PushDeps,
  userId: string,
  { count, platform }: InputOf<Calls['update_badge']>,
): Promise<number> {
  const kept = floored(count);
  const groupHash = Buffer.alloc(0);
  await saveCount(db, { userId, platform, groupHash, count: kept, now: clock.now() }, PUSH_GROUPS_MAX);
  return kept;
}

/**
 * Stores the number that a client shows for a group of notifications, without the group's name;
 * returns the stored value.
 */
export async function setGroupSummary(
  { db, clock, masterKey }: PushDeps,
  userId: string,
  { groupKey, unreadCount, platform }: InputOf<Calls['update_group_summary']>,
): Promise<number> {
  const kept = floored(unreadCount);
  const groupHash = masterKey.digest(GROUP, userId, groupKey);
  await saveCount(db, { userId, platform, groupHash, count: kept, now: clock.now() }, PUSH_GROUPS_MAX);
  return kept;
}

/** Returns the operator's view of push, without user data. */
export async function viewOperatedPush({
  db,
  config,
}: Pick<PushDeps, 'config' | 'db'>): Promise<OperatedPush[]> {
  const [devices, jobs] = await Promise.all([countDevices(db), countJobs(db)]);
  const on = kindsOn(config);
  return PUSH_KINDS.map(kind => {
    const known = devices.find(row => row.kind === kind);
    return {
      platform: platformOf(kind),
      on: on.includes(kind),
      devices: known?.total ?? 0,
      failing: known?.failing ?? 0,
      waiting: jobs.find(row => row.kind === kind)?.total ?? 0,
    };
  });
}
