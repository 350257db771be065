/**
 * Sessions and devices, the two things that cookies identify. A session ends after one day without
 * use. A device token restores a session for thirty days and is replaced at each use; a second use
 * of a replaced token ends its whole family (docs/interpretations.md#30). Both end ninety days
 * after the login that created them, regardless of use.
 */

import { randomUUIDv7 } from 'node:crypto';
import { AppError } from '@keyfold/contract/errors';
import { networkText } from '../../../adapters/network.ts';
import { levelOf } from '../../../base/admin-level.ts';
import {
  DEVICE_LIFETIME_MS,
  SESSION_IDLE_MS,
  SESSION_MAX_MS,
  SESSION_TOUCH_MS,
} from '../../../base/limits.ts';
import type { Session } from '../../../context/call-context.ts';
import { noteChange } from '../../../db/changes.ts';
import type { Db, Trx } from '../../../db/pool.ts';
import { findSuspensionReason } from '../../support/audit/index.ts';
import { findOutage } from '../../support/health/index.ts';
import { noteActivity } from '../users/index.ts';
import { findEnd, findLivingHashes } from './access-store.ts';
import { type Lost, openRepeat, takeBack } from './restore-repeats.ts';
import {
  deleteFamily,
  findDeviceOwner,
  findSession,
  hasBiometrics,
  insertDevice,
  insertSession,
  lockDevice,
  markDeviceReplaced,
  noteFirstUse,
  stopStaying,
  touchSession,
} from './store.ts';
import { createClientKey, createToken, hashToken, isToken, openClientKey, sealClientKey } from './tokens.ts';

/** Client of a request: its User-Agent and IP address. */
export type Place = { readonly userAgent: string; readonly ip: string };

const USER_AGENT_MAX_CHARACTERS = 200;

export const placeColumns = ({ userAgent, ip }: Place) => ({
  userAgent: userAgent.slice(0, USER_AGENT_MAX_CHARACTERS),
  address: networkText(ip),
});

export const earlier = (one: Date, other: Date): Date => (one < other ? one : other);

/** Returns the latest time at which a session or device from a login now ends. */
export const endOf = (now: Date): Date => new Date(now.getTime() + SESSION_MAX_MS);

/** A database that accepts no writes, or has no space for them, can still be read. */
function passOutage(error: unknown): void {
  if (findOutage(error) === null) throw error;
}

/** Returns the living session of a token, or null. Records its use at most every few minutes. */
export async function findLivingSession(
  db: Db,
  token: string,
  now: Date,
  ip?: string,
): Promise<Session | null> {
  if (!isToken(token)) return null;
  const row = await findSession(db, hashToken('session', token), now);
  if (row === undefined) return null;
  // Must happen before any response is sent: see [Note: Repeated restores].
  if (row.is_used === false) await noteFirstUse(db, row.token_hash).catch(passOutage);
  if (now.getTime() - row.last_used_at.getTime() > SESSION_TOUCH_MS) {
    const expiresAt = new Date(now.getTime() + SESSION_IDLE_MS);
    await touchSession(db, row.token_hash, {
      now,
      expiresAt: earlier(expiresAt, row.ends_at),
      ...(ip === undefined ? {} : { address: networkText(ip) }),
    })
      .then(() => noteActivity(db, row.user_id, now))
      .catch(passOutage);
  }
  return {
    tokenHash: row.token_hash,
    id: row.id,
    userId: row.user_id,
    isSuspended: row.status === 'suspended',
    level: levelOf(row),
    plan: row.plan,
    familyId: row.family_id,
    endsAt: row.ends_at,
    openClientKey: () => openClientKey('session', token, row.client_key_sealed),
  };
}

/**
 * Returns the error for a suspended account, with the admin's reason. Use it only for callers who
 * have proved everything that the account requires: by a session, by a token that restores one, or
 * by the password or recovery kit together with the second factor, if enabled.
 */
export async function suspendedError(db: Db | Trx, userId: string): Promise<AppError> {
  const reason = await findSuspensionReason(db, userId);
  const problems = reason === null ? [] : [{ path: 'reason', message: reason }];
  return new AppError('account_suspended', { problems });
}

/**
 * Returns the error for a token without a living session. It says why the session ended if another
 * session ended it.
 */
export async function noSessionError(db: Db, token: string): Promise<AppError> {
  const found = isToken(token) ? await findEnd(db, hashToken('session', token)) : undefined;
  if (found === undefined || found.ended === null) return new AppError('not_logged_in');
  const reason = found.ended === 'suspended' ? await findSuspensionReason(db, found.user_id) : null;
  return new AppError('not_logged_in', {
    problems: [
      { path: 'why', message: found.ended },
      ...(reason === null ? [] : [{ path: 'reason', message: reason }]),
    ],
  });
}

/**
 * Returns which of these sessions are living, by the hex hash of their token. Does not count as
 * use.
 */
export const findLivingSessions = async (
  db: Db,
  tokenHashes: readonly Buffer[],
  now: Date,
): Promise<ReadonlySet<string>> =>
  new Set((await findLivingHashes(db, tokenHashes, now)).map(hash => hash.toString('hex')));

/**
 * Notifies open connections of a user's ended sessions. Call it after the transaction that ends
 * them has committed.
 */
export const announceEnd = (db: Db, userId: string): void =>
  noteChange(db, { userId, version: 0, kind: 'session' });

export type NewSession = {
  readonly userId: string;
  readonly clientKey: Buffer;
  readonly familyId: string | null;
  readonly place: Place;
  readonly now: Date;
  readonly endsAt: Date;
};

/** Starts a session and returns its token. */
export async function startSession(trx: Trx, session: NewSession): Promise<string> {
  const token = createToken();
  await insertSession(trx, {
    tokenHash: hashToken('session', token),
    userId: session.userId,
    clientKeySealed: sealClientKey('session', token, session.clientKey),
    familyId: session.familyId,
    ...placeColumns(session.place),
    now: session.now,
    expiresAt: earlier(new Date(session.now.getTime() + SESSION_IDLE_MS), session.endsAt),
    endsAt: session.endsAt,
  });
  return token;
}

/** Device token that may be used now. */
export type Device = {
  readonly tokenHash: Buffer;
  readonly userId: string;
  readonly familyId: string;
  readonly clientKey: Buffer;
  readonly startedAt: Date;
  readonly endsAt: Date;
  /** Result of an earlier use of the same restore; null when this is the first use. */
  readonly lost: Lost | null;
};

/** Returns the owner of a device token, or null. */
export const findOwnerOf = async (trx: Trx, token: string | undefined): Promise<string | null> =>
  token === undefined || !isToken(token)
    ? null
    : ((await findDeviceOwner(trx, hashToken('device', token)))?.user_id ?? null);

/**
 * Returns the device of a token, locked until the transaction ends, or null when there is none or
 * it is too old. A replaced token ends its family, unless `repeatKey` shows that this is a retry of
 * the same use. The caller must commit.
 */
export async function findDevice(
  trx: Trx,
  token: string | undefined,
  now: Date,
  repeatKey?: string,
): Promise<Device | null> {
  if (token === undefined || !isToken(token)) return null;
  const row = await lockDevice(trx, hashToken('device', token));
  if (row === undefined) return null;
  const repeat = row.replaced_at === null ? null : await openRepeat(trx, row, { token, key: repeatKey, now });
  if (row.replaced_at !== null && repeat === null) {
    await deleteFamily(trx, row.family_id, row.user_id);
    return null;
  }
  if (row.expires_at <= now) return null;
  return {
    tokenHash: row.token_hash,
    userId: row.user_id,
    familyId: row.family_id,
    clientKey: repeat?.clientKey ?? openClientKey('device', token, row.client_key_sealed),
    lost: repeat?.lost ?? null,
    startedAt: row.started_at,
    endsAt: row.ends_at,
  };
}

/**
 * Issues a device token, in a new family or as the replacement of an older token. Returns token and
 * family.
 */
export async function startDevice(
  trx: Trx,
  device: {
    readonly userId: string;
    readonly clientKey: Buffer;
    readonly replaced: Device | null;
    /** Existing family for the new token, if any. */
    readonly familyId?: string;
    readonly place: Place;
    readonly now: Date;
    readonly startedAt: Date;
    readonly endsAt: Date;
  },
): Promise<{ readonly token: string; readonly familyId: string }> {
  const { userId, clientKey, replaced, place, now, startedAt, endsAt } = device;
  if (replaced !== null && replaced.lost !== null) await takeBack(trx, replaced.lost, now);
  else if (replaced !== null) await markDeviceReplaced(trx, replaced.tokenHash, now);
  const token = createToken();
  const familyId = replaced?.familyId ?? device.familyId ?? randomUUIDv7();
  await insertDevice(trx, {
    tokenHash: hashToken('device', token),
    familyId,
    userId,
    clientKeySealed: sealClientKey('device', token, clientKey),
    expiresAt: earlier(new Date(now.getTime() + DEVICE_LIFETIME_MS), endsAt),
    ...placeColumns(place),
    now,
    startedAt,
    endsAt,
  });
  return { token, familyId };
}

/**
 * Ends the stay-signed-in state of a device. Its family survives if the device unlocks with
 * biometrics, which the owner turns off separately. Returns the surviving family, or null.
 */
async function leaveStaying(trx: Trx, { familyId, userId }: Device, now: Date): Promise<string | null> {
  if (await hasBiometrics(trx, familyId, now)) {
    await stopStaying(trx, familyId, userId, now);
    return familyId;
  }
  await deleteFamily(trx, familyId, userId);
  return null;
}

/**
 * Applies a fresh login to the browser's existing device. The same user keeps the client key, so
 * that stored data stays readable. keepSignedIn issues a new token; without it the family ends,
 * except for biometrics. A family of another user ends too.
 */
export async function settleDevice(
  trx: Trx,
  login: {
    readonly userId: string;
    readonly deviceToken: string | undefined;
    readonly keepSignedIn: boolean;
    readonly place: Place;
    readonly now: Date;
  },
): Promise<{ clientKey: Buffer; familyId: string | null; deviceToken: string | null; isOwn: boolean }> {
  const found = await findDevice(trx, login.deviceToken, login.now);
  const own = found !== null && found.userId === login.userId ? found : null;
  const clientKey = own?.clientKey ?? createClientKey();
  if (found !== null && own === null) await deleteFamily(trx, found.familyId, found.userId);
  const isOwn = own !== null;
  if (!login.keepSignedIn) {
    const familyId = own === null ? null : await leaveStaying(trx, own, login.now);
    return { clientKey, familyId, deviceToken: null, isOwn };
  }
  const { userId, place, now } = login;
  const device = await startDevice(trx, {
    userId,
    clientKey,
    replaced: own,
    place,
    now,
    startedAt: now,
    endsAt: endOf(now),
  });
  return { clientKey, familyId: device.familyId, deviceToken: device.token, isOwn };
}
