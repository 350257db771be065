/**
 * Records sign-ins and the browsers that made them: the history that a user reads, and the notice
 * of a new browser. A browser is identified by a separate cookie, which opens nothing.
 */
import { randomInt, randomUUIDv7 } from 'node:crypto';
import type { LoginRecord } from '@keyfold/contract';
import { networkText } from '../../../adapters/network.ts';
import { deviceWordsOf } from '../../../base/device-words.ts';
import { BIOMETRIC_LOGIN_EVERY_MS, LOGIN_KEPT_MS, LOGINS_MAX } from '../../../base/limits.ts';
import type { Deps } from '../../../context/deps.ts';
import type { Db, Trx } from '../../../db/pool.ts';
import {
  countBrowsers,
  hasBrowser,
  hasLoginLike,
  insertLogin,
  readLogins,
  touchBrowser,
  trimLogins,
} from './access-store.ts';
import type { Place } from './sessions.ts';
import { createToken, hashToken, isToken } from './tokens.ts';

/**
 * Delay between the response and recording a refusal, in milliseconds; random, so that the next
 * request cannot be timed to coincide with the write.
 */
const REFUSAL_NOTED_MS = { min: 20, max: 250 } as const;

const isRefusal = (outcome: LoginRecord['outcome']): boolean =>
  outcome === 'wrong_password' || outcome === 'wrong_code';

/** Records a sign-in of an account; does nothing if no account has this login ID. */
export async function recordLogin(
  db: Db | Trx,
  kdfEmail: string,
  outcome: LoginRecord['outcome'],
  place: Place,
  now: Date,
): Promise<void> {
  const { browser, system } = deviceWordsOf(place.userAgent);
  const address = networkText(place.ip);
  await insertLogin(db, kdfEmail, { id: randomUUIDv7(), outcome, browser, system, address, now });
  await trimLogins(db, kdfEmail, isRefusal(outcome), LOGINS_MAX);
}

/**
 * Records a biometric sign-in, once a day for each device and network: these sign-ins are frequent
 * and would push all others out of the history.
 */
export async function recordBiometricLogin(
  trx: Trx,
  kdfEmail: string,
  place: Place,
  now: Date,
): Promise<void> {
  const like = {
    outcome: 'signed_in',
    ...deviceWordsOf(place.userAgent),
    address: networkText(place.ip),
  } as const;
  const since = new Date(now.getTime() - BIOMETRIC_LOGIN_EVERY_MS);
  if (!(await hasLoginLike(trx, kdfEmail, like, since)))
    await recordLogin(trx, kdfEmail, 'signed_in', place, now);
}

/**
 * Records a refused sign-in some time after the response: neither this response nor the next one
 * may take longer for an existing account. A failed write is lost, and logged.
 */
export function recordRefusal(
  { db, logger }: Pick<Deps, 'db' | 'logger'>,
  kdfEmail: string,
  outcome: 'wrong_password' | 'wrong_code',
  place: Place,
  now: Date,
): void {
  const write = (): Promise<void> =>
    recordLogin(db, kdfEmail, outcome, place, now).catch(error => {
      logger.warn({ err: error }, 'could not record a refused sign-in');
    });
  setTimeout(() => void write(), randomInt(REFUSAL_NOTED_MS.min, REFUSAL_NOTED_MS.max));
}

/**
 * Records the browser of a sign-in; returns the token for its cookie, and whether the user has
 * signed in with it before.
 */
export async function noteBrowser(
  trx: Trx,
  userId: string,
  token: string | undefined,
  now: Date,
): Promise<{ readonly token: string; readonly isKnown: boolean }> {
  const own = token !== undefined && isToken(token) ? token : createToken();
  const isFirst = (await countBrowsers(trx, userId)) === 0;
  const wasHere = await touchBrowser(trx, userId, hashToken('browser', own), now);
  return { token: own, isKnown: wasHere || isFirst };
}

/**
 * Returns whether the account with this login ID has been signed in to from this browser before.
 */
export const isKnownBrowser = async (db: Db, kdfEmail: string, token: string): Promise<boolean> =>
  isToken(token) && hasBrowser(db, kdfEmail, hashToken('browser', token));

/** Returns a user's sign-ins, newest first. */
export async function listLogins(db: Db, userId: string, now: Date): Promise<LoginRecord[]> {
  const rows = await readLogins(db, userId, new Date(now.getTime() - LOGIN_KEPT_MS));
  return rows.map(({ id, outcome, browser, system, address, created_at }) => ({
    id,
    at: created_at.toISOString(),
    outcome,
    device: { browser, system },
    address,
  }));
}
