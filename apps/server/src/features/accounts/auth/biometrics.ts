/**
 * Signing in after a phone has asked for its biometrics (docs/spec-map.md 4, 9, docs/interpretations.md#40). The phone keeps a
 * token and a vault that is sealed under the client key; the client key lies here, sealed under the token. Neither opens anything
 * alone, and whatever ends the token closes that vault. The token stays the same: a phone loses answers, and a token that was
 * replaced in one of them would send its owner back to the password.
 *
 * [Note: Biometrics are of a session] A token is of the family of the session that made it, which gets one where it has none:
 * signing out of it, or ending it in the list, ends the token, too.
 */
import { randomUUIDv7 } from 'node:crypto';
import type { api, InputOf } from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import { normalizeAddress } from '@keyfold/mail/address-form';
import { deviceWordsOf } from '../../../base/device-words.ts';
import { BIOMETRIC_LIFETIME_MS, KEPT_BIOMETRIC_LIFETIME_MS } from '../../../base/limits.ts';
import type { Session } from '../../../context/call-context.ts';
import type { Deps } from '../../../context/deps.ts';
import type { Trx } from '../../../db/pool.ts';
import { storeNotice } from '../notices/index.ts';
import { lockUser } from '../users/index.ts';
import { begin, type LoggedIn, type Visitor } from './complete-login.ts';
import { noteBrowser, recordBiometricLogin } from './login-history.ts';
import { earlier, type Place, placeColumns, startDevice, suspendedError } from './sessions.ts';
import {
  deleteDevice,
  deleteFamily,
  findDeviceOwner,
  findSessionFamily,
  hasStayingDevice,
  insertDevice,
  isAddressOf,
  lockDevice,
  putSessionInFamily,
  retireDevices,
} from './store.ts';
import { createToken, hashToken, isToken, openClientKey, sealClientKey } from './tokens.ts';

/** The family of a session, which it gets here if it has none. Throws not_logged_in when the session has ended. */
async function settleFamily(trx: Trx, tokenHash: Buffer): Promise<string> {
  const session = await findSessionFamily(trx, tokenHash);
  if (session === undefined) throw new AppError('not_logged_in');
  if (session.family_id !== null) return session.family_id;
  const familyId = randomUUIDv7();
  await putSessionInFamily(trx, tokenHash, familyId);
  return familyId;
}

/**
 * Makes a token for the phone that this session is on, good until `expiresAt` and never longer than the login it comes from,
 * and tells the owner of it. Throws not_logged_in when the session has ended meanwhile.
 */
export async function turnBiometricsOn(
  deps: Deps,
  own: Session,
  input: InputOf<typeof api.biometrics.turn_on>,
  place: Place,
): Promise<{ readonly token: string; readonly expiresAt: Date }> {
  const now = deps.clock.now();
  const token = createToken();
  return deps.db.transaction().execute(async trx => {
    // Under the account's lock: what ends all sessions comes before, and this session is gone then, or after, and ends it too.
    await lockUser(trx, own.userId);
    const familyId = await settleFamily(trx, own.tokenHash);
    // Whoever has a session for a day alone makes no month of it by saying so.
    const isLong = input.keep_signed_in && (await hasStayingDevice(trx, familyId, now));
    const lifetimeMs = isLong ? KEPT_BIOMETRIC_LIFETIME_MS : BIOMETRIC_LIFETIME_MS;
    const expiresAt = earlier(new Date(now.getTime() + lifetimeMs), own.endsAt);
    await insertDevice(trx, {
      tokenHash: hashToken('biometric', token),
      familyId,
      userId: own.userId,
      clientKeySealed: sealClientKey('biometric', token, own.openClientKey()),
      ...placeColumns(place),
      now,
      startedAt: now,
      expiresAt,
      endsAt: own.endsAt,
      isBiometric: true,
    });
    await storeNotice(deps, trx, own.userId, {
      kind: 'biometrics_on',
      device: deviceWordsOf(place.userAgent),
      ip: place.ip,
    });
    return { token, expiresAt };
  });
}

/** The row of a token, under its account's lock and its own; null when there is none that counts now. */
async function findTaken(trx: Trx, token: string, now: Date) {
  if (!isToken(token)) return null;
  const tokenHash = hashToken('biometric', token);
  const owner = await findDeviceOwner(trx, tokenHash);
  if (owner === undefined) return null;
  const account = await lockUser(trx, owner.user_id);
  const row = await lockDevice(trx, tokenHash);
  return account === undefined || row === undefined || row.expires_at <= now ? null : { account, row };
}

/**
 * Ends what stayed signed in on the phone before: with its family, where that is another and its client key, too; else alone.
 * A device token that was replaced already says nothing of a copy here: the phone lost an answer, and has just been proved.
 */
async function leaveEarlier(trx: Trx, deviceToken: string | undefined, familyId: string, now: Date) {
  if (deviceToken === undefined || !isToken(deviceToken)) return;
  const earlierOne = await lockDevice(trx, hashToken('device', deviceToken));
  if (earlierOne === undefined) return;
  if (earlierOne.family_id === familyId) await retireDevices(trx, familyId, now);
  else await deleteFamily(trx, earlierOne.family_id, earlierOne.user_id);
}

/** Whether a token was made on a device that stays signed in: for longer than others are. */
const isLongToken = ({ created_at, expires_at }: { readonly created_at: Date; readonly expires_at: Date }) =>
  expires_at.getTime() - created_at.getTime() > BIOMETRIC_LIFETIME_MS;

/** Writes a use of biometrics into the history, and tells the owner of one in a program that never signed in before. */
async function noteUse(
  deps: Deps,
  trx: Trx,
  { id, kdfEmail }: { readonly id: string; readonly kdfEmail: string },
  visitor: Visitor,
): Promise<{ readonly browserToken: string }> {
  const now = deps.clock.now();
  const browser = await noteBrowser(trx, id, visitor.browserToken, now);
  await recordBiometricLogin(trx, kdfEmail, visitor, now);
  if (!browser.isKnown)
    await storeNotice(deps, trx, id, {
      kind: 'biometrics_moved',
      device: deviceWordsOf(visitor.userAgent),
      ip: visitor.ip,
    });
  return { browserToken: browser.token };
}

/**
 * Starts a session by a token, in place of the one the phone had; with keep_signed_in the phone can restore it as a browser
 * can, where the token was made on one that stays signed in. Throws restore_refused, account_suspended.
 */
export async function enterByBiometrics(
  deps: Deps,
  input: InputOf<typeof api.biometrics.enter>,
  visitor: Visitor,
): Promise<LoggedIn> {
  const now = deps.clock.now();
  return deps.db.transaction().execute(async trx => {
    const taken = await findTaken(trx, input.token, now);
    if (taken === null || !(await isAddressOf(trx, taken.row.user_id, normalizeAddress(input.email))))
      throw new AppError('restore_refused');
    if (taken.account.status !== 'active') throw await suspendedError(trx, taken.row.user_id);
    const { user_id: userId, family_id: familyId, ends_at: endsAt } = taken.row;
    const clientKey = openClientKey('biometric', input.token, taken.row.client_key_sealed);
    await leaveEarlier(trx, visitor.deviceToken, familyId, now);
    const place = visitor;
    const device = { userId, clientKey, replaced: null, place, now, startedAt: now, endsAt, familyId };
    const isStaying = input.keep_signed_in && isLongToken(taken.row);
    const deviceToken = isStaying ? (await startDevice(trx, device)).token : null;
    const loggedIn = await begin(trx, visitor, {
      userId,
      clientKey,
      familyId,
      deviceToken,
      browserToken: null,
      now,
      endsAt,
    });
    const used = await noteUse(deps, trx, { id: userId, kdfEmail: loggedIn.user.kdf_email }, visitor);
    return { ...loggedIn, ...used };
  });
}

/** Ends a token, and no session; harmless when there is none. */
export const turnBiometricsOff = ({ db, clock }: Deps, token: string): Promise<void> =>
  db.transaction().execute(async trx => {
    const taken = await findTaken(trx, token, clock.now());
    if (taken !== null) await deleteDevice(trx, taken.row.token_hash);
  });
