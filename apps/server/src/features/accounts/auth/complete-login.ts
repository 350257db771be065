/**
 * The last step of every way into an account: the session in place of the one the browser had, the device that stays signed
 * in, the history, and the notice of a new browser. Whoever comes here is proved already.
 */
import type { User } from '@keyfold/contract';
import { deviceWordsOf } from '../../../base/device-words.ts';
import type { Deps } from '../../../context/deps.ts';
import type { Trx } from '../../../db/pool.ts';
import { storeNotice } from '../notices/index.ts';
import { getUser, noteActivity } from '../users/index.ts';
import { noteBrowser, recordLogin } from './login-history.ts';
import { makeDeviceRoom, makeRoom } from './session-list.ts';
import { endOf, type Place, settleDevice, startSession } from './sessions.ts';
import { deleteSession } from './store.ts';
import { hashToken } from './tokens.ts';

/** What the caller's browser brought along. */
export type Visitor = Place & {
  readonly sessionToken: string | undefined;
  readonly deviceToken: string | undefined;
  /** By which a browser is known again that signed in before. */
  readonly browserToken: string | undefined;
  /** Of a half-done sign-in or recovery. */
  readonly pendingToken: string | undefined;
};

/**
 * A session begun: the user to show and the tokens to hand out. deviceToken null takes the device cookie away, browserToken
 * null leaves the browser's as it is.
 */
export type LoggedIn = {
  readonly user: User;
  readonly sessionToken: string;
  readonly deviceToken: string | null;
  readonly browserToken: string | null;
};

/** Starts a session in place of the one the browser had. */
export async function begin(
  trx: Trx,
  visitor: Visitor,
  login: {
    readonly userId: string;
    readonly clientKey: Buffer;
    readonly familyId: string | null;
    readonly deviceToken: string | null;
    readonly browserToken: string | null;
    readonly now: Date;
    readonly endsAt: Date;
  },
): Promise<LoggedIn> {
  const { userId, clientKey, familyId, deviceToken, browserToken, now, endsAt } = login;
  if (visitor.sessionToken !== undefined) {
    await deleteSession(trx, hashToken('session', visitor.sessionToken));
  }
  const sessionToken = await startSession(trx, { userId, clientKey, familyId, place: visitor, now, endsAt });
  if (familyId !== null) await makeDeviceRoom(trx, { userId, familyId, sessionToken }, now);
  await noteActivity(trx, userId, now);
  return { user: await getUser(trx, userId, clientKey), sessionToken, deviceToken, browserToken };
}

type Arrival = {
  readonly userId: string;
  readonly kdfEmail: string;
  readonly keepSignedIn: boolean;
  readonly outcome: 'signed_in' | 'recovered';
  readonly now: Date;
};

/** Logs in a user whose identity is proved, remembers it, and tells the user when the browser is a new one. */
export async function welcome(deps: Deps, trx: Trx, arrival: Arrival, visitor: Visitor): Promise<LoggedIn> {
  const { userId, kdfEmail, keepSignedIn, outcome, now } = arrival;
  const { deviceToken } = visitor;
  const { isOwn, ...settled } = await settleDevice(trx, {
    userId,
    deviceToken,
    keepSignedIn,
    place: visitor,
    now,
  });
  const browser = await noteBrowser(trx, userId, visitor.browserToken, now);
  await recordLogin(trx, kdfEmail, outcome, visitor, now);
  // A use of the recovery kit has a notice of its own.
  if (!browser.isKnown && !isOwn && outcome === 'signed_in')
    await storeNotice(deps, trx, userId, {
      kind: 'new_login',
      device: deviceWordsOf(visitor.userAgent),
      ip: visitor.ip,
    });
  const browserToken = browser.token;
  const login = { userId, now, endsAt: endOf(now), browserToken, ...settled };
  const loggedIn = await begin(trx, visitor, login);
  await makeRoom(trx, userId, loggedIn.sessionToken, now);
  return loggedIn;
}
