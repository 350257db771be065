/**
 * Sessions and devices: what a cookie stands for. A session ends when it is not used for a day; a device restores one for
 * thirty days, its token is replaced at each use, and a second use of an old one ends all of its family
 * (docs/interpretations.md#30). Both end for good ninety days after the login that they came from.
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

/** Where somebody is: the User-Agent and the address of the request. */
export type Place = { readonly userAgent: string; readonly ip: string };

const USER_AGENT_MAX_CHARACTERS = 200;

export const placeColumns = ({ userAgent, ip }: Place) => ({
  userAgent: userAgent.slice(0, USER_AGENT_MAX_CHARACTERS),
  address: networkText(ip),
});

export const earlier = (one: Date, other: Date): Date => (one < other ? one : other);

/** When what begins with a login now ends at the latest. */
export const endOf = (now: Date): Date => new Date(now.getTime() + SESSION_MAX_MS);

/** A database that takes no changes, or has no room for one, is still there to be read. */
function passOutage(error: unknown): void {
  if (findOutage(error) === null) throw error;
}

/** The living session of a token, noted as used at most every few minutes; null when there is none. */
export async function findLivingSession(
  db: Db,
  token: string,
  now: Date,
  ip?: string,
): Promise<Session | null> {
  if (!isToken(token)) return null;
  const row = await findSession(db, hashToken('session', token), now);
  if (row === undefined) return null;
  // Before anything is answered: see [Note: Repeated restores].
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
 * The error of a suspended account, with the admin's reason: only for callers who proved all that the account asks for, by a
 * session, or what restores one, or the password with the second factor where there is one, or the recovery kit with the same.
 */
export async function suspendedError(db: Db | Trx, userId: string): Promise<AppError> {
  const reason = await findSuspensionReason(db, userId);
  const problems = reason === null ? [] : [{ path: 'reason', message: reason }];
  return new AppError('account_suspended', { problems });
}

/** The error of a token without a living session: it says why the session ended, where that was done from elsewhere. */
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

/** Which of these sessions live, by their token's hash in hex; asking does not count as use. */
export const findLivingSessions = async (
  db: Db,
  tokenHashes: readonly Buffer[],
  now: Date,
): Promise<ReadonlySet<string>> =>
  new Set((await findLivingHashes(db, tokenHashes, now)).map(hash => hash.toString('hex')));

/** Lets open connections of a user's sessions that have ended know of it. To be called once the end is committed. */
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

/** Starts a session; answers its token. */
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

/** A device token that may be used now. */
export type Device = {
  readonly tokenHash: Buffer;
  readonly userId: string;
  readonly familyId: string;
  readonly clientKey: Buffer;
  readonly startedAt: Date;
  readonly endsAt: Date;
  /** What an earlier use of the same restore gave; null when this is the first. */
  readonly lost: Lost | null;
};

/** Whose device a token is; null when it is nobody's. */
export const findOwnerOf = async (trx: Trx, token: string | undefined): Promise<string | null> =>
  token === undefined || !isToken(token)
    ? null
    : ((await findDeviceOwner(trx, hashToken('device', token)))?.user_id ?? null);

/**
 * The device of a token, locked until the transaction ends; null when there is none or it is too old. A token that was
 * replaced already ends its family, unless `repeatKey` says that this is the same use: the caller must commit.
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

/** Gives out a device token, in a new family or in place of an older token of one; answers token and family. */
export async function startDevice(
  trx: Trx,
  device: {
    readonly userId: string;
    readonly clientKey: Buffer;
    readonly replaced: Device | null;
    /** The family of a new token, where there is one already. */
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
 * Ends what stayed signed in on a device. Its family goes on where the device opens by biometrics, which its owner turns off
 * apart, and ends otherwise; answers the family that goes on, or null.
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
 * What a fresh login does about the browser's device: the same user keeps the client key, so that what was stored stays
 * readable; keepSignedIn gives a new token, its absence ends the family but for biometrics, and somebody else's family ends too.
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
