/**
 * Sign-in after a phone has checked its owner's biometrics (docs/spec-map.md 4, 9,
 * docs/interpretations.md#40). The phone stores a token and a vault sealed under the client key;
 * the server stores the client key, sealed under the token. Neither opens anything alone, and
 * anything that ends the token closes that vault. The token is never replaced: phones lose
 * responses, and losing one with a new token would force the owner to use the password.
 *
 * [Note: Biometrics are of a session] A token belongs to the family of the session that created it;
 * a session without a family gets one. Signing out of the session, or ending it in the list,
 * therefore ends the token, too.
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

/**
 * Returns the family of a session, creating it if needed. Throws not_logged_in if the session has
 * ended.
 */
async function settleFamily(trx: Trx, tokenHash: Buffer): Promise<string> {
  const session = await findSessionFamily(trx, tokenHash);
  if (session === undefined) throw new AppError('not_logged_in');
  if (session.family_id !== null) return session.family_id;
  const familyId = randomUUIDv7();
  await putSessionInFamily(trx, tokenHash, familyId);
  return familyId;
}

/**
 * Creates a token for the phone of this session and notifies the owner. The token is valid until
 * `expiresAt`, and never longer than the sign-in it comes from. Throws not_logged_in if the session
 * has ended meanwhile.
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
    // Under the account's lock, an operation that ends all sessions runs either before, so that
    // this session is gone, or after, and ends the token too.
    await lockUser(trx, own.userId);
    const familyId = await settleFamily(trx, own.tokenHash);
    // A session that lasts one day cannot be extended to a month just by setting `keep_signed_in`.
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

/**
 * Returns the row of a token, under its account's lock and its own, or null if no valid token
 * exists.
 */
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
 * Ends what stayed signed in on the phone before: with its family if that is a different one, which
 * has another client key; otherwise alone. A replaced device token is no sign of a copy here,
 * because the phone may have lost a response and has just been authenticated.
 */
async function leaveEarlier(trx: Trx, deviceToken: string | undefined, familyId: string, now: Date) {
  if (deviceToken === undefined || !isToken(deviceToken)) return;
  const earlierOne = await lockDevice(trx, hashToken('device', deviceToken));
  if (earlierOne === undefined) return;
  if (earlierOne.family_id === familyId) await retireDevices(trx, familyId, now);
  else await deleteFamily(trx, earlierOne.family_id, earlierOne.user_id);
}

/**
 * Returns whether a token was created on a device that stays signed in, which gives it a longer
 * lifetime.
 */
const isLongToken = ({ created_at, expires_at }: { readonly created_at: Date; readonly expires_at: Date }) =>
  expires_at.getTime() - created_at.getTime() > BIOMETRIC_LIFETIME_MS;

/**
 * Records a use of biometrics in the history, and notifies the owner if the app or browser has
 * never signed in before.
 */
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
 * Starts a session with a token, replacing the phone's earlier session. With keep_signed_in the
 * phone can restore the session as a browser can, if the token was created on a device that stays
 * signed in. Throws restore_refused, account_suspended.
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

/** Deletes a token but ends no session; does nothing if there is none. */
export const turnBiometricsOff = ({ db, clock }: Deps, token: string): Promise<void> =>
  db.transaction().execute(async trx => {
    const taken = await findTaken(trx, token, clock.now());
    if (taken !== null) await deleteDevice(trx, taken.row.token_hash);
  });
