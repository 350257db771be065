/**
 * Remembers sign-ins, and which browsers made them: the history that a user reads, and the word that a browser is new. A
 * browser is known by a cookie of its own, which opens nothing.
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

/** When a refusal is written down, milliseconds after its answer: at no moment that the next question could meet. */
const REFUSAL_NOTED_MS = { min: 20, max: 250 } as const;

const isRefusal = (outcome: LoginRecord['outcome']): boolean =>
  outcome === 'wrong_password' || outcome === 'wrong_code';

/** Remembers a sign-in at an account, and nothing when no account has this login id. */
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
 * Remembers that a phone was opened by its biometrics, once a day for each device and network: phones are opened often, and
 * all else would fall out of the history.
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
 * Remembers a refused sign-in after the answer, and not right after it: neither the answer nor the next one may take longer for
 * an account than for none. What cannot be written is lost, and logged.
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
      logger.warn({ err: error }, 'a refused sign-in was not remembered');
    });
  setTimeout(() => void write(), randomInt(REFUSAL_NOTED_MS.min, REFUSAL_NOTED_MS.max));
}

/** Notes the browser of a sign-in: the token for its cookie, and whether the user signed in with it before. */
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

/** Whether the account with this login id was signed in to with this browser before. */
export const isKnownBrowser = async (db: Db, kdfEmail: string, token: string): Promise<boolean> =>
  isToken(token) && hasBrowser(db, kdfEmail, hashToken('browser', token));

/** A user's sign-ins, newest first. */
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
