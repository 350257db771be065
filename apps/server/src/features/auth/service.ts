/**
 * Registering, logging in, restoring, checking and logging out (Spec §7, api.md). It answers with the user and the tokens
 * to hand out; cookies are the HTTP room's, session rules are in sessions.ts.
 */
import type { api, InputOf, User } from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import { normaliseAddress } from '@keyfold/mail/addresses';
import type { Captcha } from '../../adapters/captcha.ts';
import type { Trx } from '../../db/pool.ts';
import type { Deps } from '../../deps.ts';
import { DEVICE_LIFETIME_MS } from '../../limits.ts';
import { getUser } from '../accounts/service.ts';
import { createCsrfToken, isCsrfToken } from './csrf.ts';
import { hashLogin, hashOfNobody, isLoginHash } from './login-hash.ts';
import { addressOf, createAccount, requireSolved, requireUsableKeys } from './registration.ts';
import {
  findDevice,
  findLivingSession,
  type Session,
  settleDevice,
  startDevice,
  startSession,
} from './sessions.ts';
import { deleteFamily, deleteSession, findLogin, findStatus, isAddressOf, noteActivity } from './store.ts';
import { hashToken } from './tokens.ts';

export { createCsrfToken, findLivingSession, isCsrfToken, type Session };

/** What the caller's browser brought along. */
export type Visitor = {
  readonly userAgent: string;
  readonly sessionToken: string | undefined;
  readonly deviceToken: string | undefined;
};

/** A session begun: the user to show and the tokens to hand out. deviceToken null takes the device cookie away. */
export type LoggedIn = {
  readonly user: User;
  readonly sessionToken: string;
  readonly deviceToken: string | null;
};

const USER_AGENT_MAX_CHARACTERS = 200;

/** Starts a session in place of the one the browser had. */
const begin = async (
  trx: Trx,
  visitor: Visitor,
  login: {
    readonly userId: string;
    readonly clientKey: Buffer;
    readonly familyId: string | null;
    readonly deviceToken: string | null;
    readonly now: Date;
  },
): Promise<LoggedIn> => {
  const { userId, clientKey, familyId, deviceToken, now } = login;
  if (visitor.sessionToken !== undefined) {
    await deleteSession(trx, hashToken('session', visitor.sessionToken));
  }
  const userAgent = visitor.userAgent.slice(0, USER_AGENT_MAX_CHARACTERS);
  const sessionToken = await startSession(trx, { userId, clientKey, familyId, userAgent, now });
  await noteActivity(trx, userId, now);
  return { user: await getUser(trx, userId, clientKey), sessionToken, deviceToken };
};

/** Logs in a user whose identity is proved. */
const welcome = async (
  trx: Trx,
  userId: string,
  keepSignedIn: boolean,
  visitor: Visitor,
  now: Date,
): Promise<LoggedIn> => {
  const { deviceToken } = visitor;
  const settled = await settleDevice(trx, { userId, deviceToken, keepSignedIn, now });
  return begin(trx, visitor, { userId, now, ...settled });
};

/** Makes an account and logs it in. Throws username_refused, domain_refused, keys_refused, captcha_refused, address_taken. */
export const register = async (
  deps: Deps,
  captcha: Captcha,
  input: InputOf<typeof api.auth.register>,
  visitor: Visitor,
): Promise<LoggedIn> => {
  const now = deps.clock.now();
  const address = addressOf(input.username, input.domain, deps.config.domains);
  const solved = await requireSolved(captcha, input.captcha, now);
  await requireUsableKeys(input.main_key);
  const loginHashStored = await hashLogin(input.password);
  return deps.db.transaction().execute(async trx => {
    const userId = await createAccount(trx, {
      address,
      name: input.name,
      loginHashStored,
      mainKey: input.main_key,
      affiliateCode: input.affiliate_code,
      solved,
      now,
    });
    return welcome(trx, userId, input.keep_signed_in ?? false, visitor, now);
  });
};

/**
 * Logs in by registration address and login hash. Unknown addresses cost the same work and give the same answer as wrong
 * passwords. Throws login_refused, account_suspended.
 */
export const login = async (
  deps: Deps,
  input: InputOf<typeof api.auth.login>,
  visitor: Visitor,
): Promise<LoggedIn> => {
  const account = await findLogin(deps.db, normaliseAddress(input.email));
  const isRight = await isLoginHash(input.password, account?.login_hash ?? (await hashOfNobody()));
  if (account === undefined || !isRight) throw new AppError('login_refused');
  if (account.status === 'suspended') throw new AppError('account_suspended');
  return deps.db
    .transaction()
    .execute(trx => welcome(trx, account.id, input.keep_signed_in, visitor, deps.clock.now()));
};

/** Whether the client's own note of when it stored its backup is too old; one that cannot be read is ignored. */
const isTooOld = (timestamp: number | string, now: Date): boolean => {
  const text = String(timestamp);
  const number = /^\d+$/.test(text) ? Number(text) : Date.parse(text);
  // Ten digits are seconds, thirteen are milliseconds.
  const storedAtMs = number < 100_000_000_000 ? number * 1000 : number;
  return now.getTime() - storedAtMs > DEVICE_LIFETIME_MS;
};

/** Starts a session from the device token, which is replaced. Throws restore_refused, account_suspended. */
export const restore = async (
  deps: Deps,
  input: InputOf<typeof api.auth.restore>,
  visitor: Visitor,
): Promise<LoggedIn> => {
  const now = deps.clock.now();
  // A refusal is an answer of the transaction, not its failure: the end of a family must be committed.
  const outcome = await deps.db.transaction().execute(async (trx): Promise<LoggedIn | 'no' | 'suspended'> => {
    const device = await findDevice(trx, visitor.deviceToken, now);
    if (device === null || isTooOld(input.timestamp, now)) return 'no';
    if (!(await isAddressOf(trx, device.userId, normaliseAddress(input.email)))) return 'no';
    const account = await findStatus(trx, device.userId);
    if (account?.status !== 'active') return 'suspended';
    const { userId, clientKey } = device;
    const next = await startDevice(trx, userId, clientKey, device, now);
    return begin(trx, visitor, {
      userId,
      clientKey,
      familyId: next.familyId,
      deviceToken: next.token,
      now,
    });
  });
  if (outcome === 'no') throw new AppError('restore_refused');
  if (outcome === 'suspended') throw new AppError('account_suspended');
  return outcome;
};

/** The user of a living session. Throws not_logged_in. */
export const check = (deps: Deps, session: Session): Promise<User> =>
  getUser(deps.db, session.userId, session.openClientKey());

/** Ends the session and the device family of the browser; harmless when there is neither. */
export const logout = async (deps: Deps, visitor: Visitor): Promise<void> => {
  const now = deps.clock.now();
  const session =
    visitor.sessionToken === undefined ? null : await findLivingSession(deps.db, visitor.sessionToken, now);
  await deps.db.transaction().execute(async trx => {
    if (session !== null) {
      await deleteSession(trx, session.tokenHash);
      if (session.familyId !== null) await deleteFamily(trx, session.familyId, session.userId);
    }
    const device = await findDevice(trx, visitor.deviceToken, now);
    if (device !== null) await deleteFamily(trx, device.familyId, device.userId);
  });
};
