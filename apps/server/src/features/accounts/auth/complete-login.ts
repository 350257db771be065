/**
 * The last step of every sign-in: replaces the browser's session, registers the device that stays
 * signed in, and records the history and the notice of a new browser. The caller must have
 * authenticated the user already.
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

/** What the client sent along: its place and its tokens. */
export type Visitor = Place & {
  readonly sessionToken: string | undefined;
  readonly deviceToken: string | undefined;
  /** Identifies a browser that has signed in before. */
  readonly browserToken: string | undefined;
  /** Token of an MFA-pending session. */
  readonly pendingToken: string | undefined;
};

/**
 * A started session: the user to show and the tokens to issue. A null deviceToken deletes the
 * device cookie; a null browserToken leaves the browser's cookie unchanged.
 */
export type LoggedIn = {
  readonly user: User;
  readonly sessionToken: string;
  readonly deviceToken: string | null;
  readonly browserToken: string | null;
};

/** Starts a session, replacing the browser's earlier one. */
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

/**
 * Signs in an authenticated user, records the sign-in, and notifies the user if the browser is new.
 */
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
  // Using a recovery kit sends its own notice.
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
