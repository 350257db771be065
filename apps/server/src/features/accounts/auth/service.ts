/**
 * Registration, sign-in, restore, recovery, session check and sign-out (docs/spec-map.md 7.12,
 * 7.13, 7.16, docs/api-conventions.md). Returns the user and the tokens to issue; the HTTP layer
 * sets cookies, and sessions.ts has the session rules.
 */
import { randomUUIDv7 } from 'node:crypto';
import type { api, InputOf, User } from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import type { FactorKind } from '@keyfold/contract/limits';
import { normalizeAddress } from '@keyfold/mail/address-form';
import type { Captcha } from '../../../adapters/captcha.ts';
import { DEVICE_LIFETIME_MS } from '../../../base/limits.ts';
import { counter } from '../../../base/metrics.ts';
import type { Session } from '../../../context/call-context.ts';
import type { Deps } from '../../../context/deps.ts';
import type { Trx } from '../../../db/pool.ts';
import { acceptInvitation, getInvitation } from '../memberships/index.ts';
import { storeNotice } from '../notices/index.ts';
import { findFactors } from '../second-factor/index.ts';
import { requireInvitation, signupDomainsOf } from '../sign-up-codes/index.ts';
import { getUser, lockUser } from '../users/index.ts';
import { isAddressUsed } from './address-store.ts';
import { begin, type LoggedIn, type Visitor, welcome } from './complete-login.ts';
import { hashLogin, hashOfNobody, isLoginHash } from './login-hash.ts';
import { recordRefusal } from './login-history.ts';
import { startMfaPendingSession } from './mfa-pending-session.ts';
import { openKit, recover, storeKit } from './recovery.ts';
import {
  addressOf,
  createAccount,
  requireSignupRoom,
  requireSolved,
  requireUsableKeys,
} from './registration.ts';
import { enterRegistered } from './registration-repeats.ts';
import { allowRepeat, readRepeatKey } from './restore-repeats.ts';
import {
  announceEnd,
  findDevice,
  findLivingSession,
  findOwnerOf,
  startDevice,
  suspendedError,
} from './sessions.ts';
import { deleteFamily, deleteSession, findLogin, isAddressOf } from './store.ts';
import { hashToken } from './tokens.ts';

const signups = counter('keyfold_signups_total', 'Created accounts');

/**
 * The password was correct and the second factor is required: the token of the MFA-pending session
 * and the available factors.
 */
export type HalfDone = { readonly pendingToken: string; readonly factors: FactorKind[] };

/**
 * Returns the address to register: the invitation's, or the user's choice. Throws invite_refused,
 * and what addressOf throws.
 */
async function addressFor(
  { db, config }: Deps,
  { username, domain, invite }: InputOf<typeof api.sign_up.register>,
  now: Date,
): Promise<string> {
  if (invite === undefined) return addressOf(username, domain, signupDomainsOf(config));
  const { address } = await getInvitation(db, invite, now);
  if (normalizeAddress(`${username}@${domain}`) !== address) throw new AppError('invite_refused');
  return address;
}

/**
 * Creates an account and signs it in; with an invitation, also as a member of an organization. A
 * repeat of the same registration gets the same response as the first. Throws username_refused,
 * domain_refused, invite_refused, member_limit_reached, keys_refused, captcha_refused,
 * invitation_needed, invitation_refused, address_taken.
 */
export async function register(
  deps: Deps & NewAccount,
  captcha: Captcha,
  input: InputOf<typeof api.sign_up.register>,
  visitor: Visitor,
): Promise<LoggedIn> {
  const before = await enterRegistered(deps, input, visitor);
  if (before !== null) return before;
  try {
    return await makeAccount(deps, captcha, input, visitor);
  } catch (error) {
    // The first request may have completed meanwhile and used the address, the captcha or the
    // invitation.
    const meanwhile = error instanceof AppError ? await enterRegistered(deps, input, visitor) : null;
    if (meanwhile === null) throw error;
    return meanwhile;
  }
}

/**
 * Returns whether an address is free for sign-up. Requires a solved captcha, and is refused if an
 * invitation is needed: the result is the one that registering would give. The solution remains
 * valid for registering. Throws username_refused, domain_refused, captcha_refused,
 * invitation_needed.
 */
export async function isAddressFree(
  deps: Pick<Deps, 'clock' | 'config' | 'db' | 'masterKey'>,
  captcha: Captcha,
  { username, domain, captcha: payload }: InputOf<typeof api.sign_up.available>,
): Promise<boolean> {
  if (deps.config.isInvitationNeeded) throw new AppError('invitation_needed');
  const address = addressOf(username, domain, signupDomainsOf(deps.config));
  await requireSolved(deps, captcha, payload, 'lookup', deps.clock.now());
  return !(await isAddressUsed(deps.db, address, false));
}

/**
 * What features above accounts store with a new account, in its transaction; app.ts provides it.
 */
export type NewAccount = {
  readonly prepareAccount: (deps: Deps, trx: Trx, userId: string) => Promise<unknown>;
};

async function makeAccount(
  deps: Deps & NewAccount,
  captcha: Captcha,
  input: InputOf<typeof api.sign_up.register>,
  visitor: Visitor,
): Promise<LoggedIn> {
  const now = deps.clock.now();
  const address = await addressFor(deps, input, now);
  const solved = await requireSolved(deps, captcha, input.captcha, 'registration', now);
  if (input.invite === undefined) await requireSignupRoom(deps, now);
  // An organization's invitation also counts; features/organization/members decides who may issue
  // one.
  const isInvitationNeeded = deps.config.isInvitationNeeded && input.invite === undefined;
  if (isInvitationNeeded) await requireInvitation(deps.db, input.affiliate_code, now);
  await requireUsableKeys(input.main_key);
  const loginHashStored = await hashLogin(input.password);
  const loggedIn = await deps.db.transaction().execute(async trx => {
    const invitation =
      input.invite === undefined ? null : await acceptInvitation(deps, trx, input.invite, now);
    if (invitation !== null && invitation.address !== address) throw new AppError('invite_refused');
    const userId = await createAccount(trx, {
      id: invitation?.id ?? randomUUIDv7(),
      address,
      name: input.name,
      loginHashStored,
      mainKey: input.main_key,
      code: input.affiliate_code,
      isInvitationNeeded,
      solved,
      now,
    });
    await deps.prepareAccount(deps, trx, userId);
    if (deps.config.isWelcomeSent) await storeNotice(deps, trx, userId, { kind: 'welcome' });
    if (input.recovery !== undefined) await storeKit(trx, userId, input.main_key, input.recovery, now);
    const keepSignedIn = input.keep_signed_in ?? false;
    return welcome(
      deps,
      trx,
      { userId, kdfEmail: address, keepSignedIn, outcome: 'signed_in', now },
      visitor,
    );
  });
  signups.inc();
  return loggedIn;
}

/**
 * Signs in with the registration address and login hash; returns an MFA-pending session if a second
 * factor is on. Unknown addresses cost the same work and give the same response as wrong passwords.
 * Throws login_refused, account_suspended.
 */
export async function login(
  deps: Deps,
  input: InputOf<typeof api.sign_in.login>,
  visitor: Visitor,
): Promise<HalfDone | LoggedIn> {
  const now = deps.clock.now();
  const kdfEmail = normalizeAddress(input.email);
  const account = await findLogin(deps.db, kdfEmail);
  const isRight = await isLoginHash(input.password, account?.login_hash ?? (await hashOfNobody()));
  if (account === undefined || !isRight) {
    recordRefusal(deps, kdfEmail, 'wrong_password', visitor, now);
    throw new AppError('login_refused');
  }
  const { id: userId } = account;
  const keepSignedIn = input.keep_signed_in;
  const entered = await deps.db.transaction().execute(async trx => {
    const held = await lockUser(trx, userId);
    // The password was changed after it was checked: the change ended what the old password had
    // opened, and this session would begin after it.
    if (held?.login_hash !== account.login_hash) throw new AppError('login_refused');
    const factors = await findFactors(trx, userId);
    if (factors.length > 0) {
      const pendingToken = await startMfaPendingSession(trx, userId, 'login', now);
      return { factors, pendingToken };
    }
    // The reason for a suspension is meant for the owner only: with a second factor, it is revealed
    // after that factor.
    if (held.status === 'suspended') throw await suspendedError(trx, userId);
    return welcome(deps, trx, { userId, kdfEmail, keepSignedIn, outcome: 'signed_in', now }, visitor);
  });
  if ('user' in entered) announceEnd(deps.db, userId);
  return entered;
}

/**
 * A kit that was opened; the token is set if a second factor is on, for the challenge of its
 * passkeys and security keys.
 */
type OpenedKit = {
  readonly main_key: User['main_key'];
  readonly factors: FactorKind[];
  readonly pendingToken: string | null;
};

/**
 * Recovery with a kit: the proof alone returns the keys as wrapped by the phrase; with a new
 * password and the same keys rewrapped by it, a session starts. Throws recovery_refused,
 * account_suspended, keys_refused, malformed, and the errors for a wrong second factor.
 */
export async function enterByKit(
  deps: Deps,
  input: InputOf<typeof api.recovery.recover>,
  visitor: Visitor,
): Promise<OpenedKit | LoggedIn> {
  const { email, proof, password, main_key: mainKey } = input;
  const now = deps.clock.now();
  if (password === undefined && mainKey === undefined) {
    const { userId, mainKey: kitKey, factors } = await openKit(deps, email, proof);
    const pendingToken =
      factors.length === 0 ? null : await startMfaPendingSession(deps.db, userId, 'recovery', now);
    return { main_key: kitKey, factors, pendingToken };
  }
  if (password === undefined || mainKey === undefined) throw new AppError('malformed');
  const kdfEmail = normalizeAddress(email);
  const factor = {
    proof: { code: input.totp_code, passkey: input.passkey },
    isLost: input.second_factor_lost ?? false,
    tokenHash: hashToken('pending', visitor.pendingToken ?? ''),
  };
  const secrets = { loginHash: password, mainKey };
  const { userId, entered } = await recover(deps, input, secrets, factor, visitor, (trx, id) =>
    welcome(deps, trx, { userId: id, kdfEmail, keepSignedIn: false, outcome: 'recovered', now }, visitor),
  );
  announceEnd(deps.db, userId);
  return entered;
}

/**
 * Returns whether the client's timestamp of its stored backup is too old; an unreadable timestamp
 * is ignored.
 */
function isTooOld(timestamp: number | string, now: Date): boolean {
  const text = String(timestamp);
  const number = /^\d+$/.test(text) ? Number(text) : Date.parse(text);
  // Ten digits are seconds, thirteen are milliseconds.
  const storedAtMs = number < 100_000_000_000 ? number * 1000 : number;
  return now.getTime() - storedAtMs > DEVICE_LIFETIME_MS;
}

/**
 * Starts a session from the device token and replaces the token; also handles a repeat with the
 * same key, see [Note: Repeated restores]. Throws restore_refused, account_suspended, malformed for
 * an invalid key.
 */
export async function restore(
  deps: Deps,
  input: InputOf<typeof api.auth.restore>,
  visitor: Visitor,
  givenKey: string | undefined,
): Promise<LoggedIn> {
  const now = deps.clock.now();
  const repeatKey = readRepeatKey(givenKey);
  const { deviceToken: token } = visitor;
  let owner: string | null = null;
  // A refusal is returned rather than thrown, so that the transaction commits the end of a family.
  const outcome = await deps.db.transaction().execute(async (trx): Promise<LoggedIn | 'no'> => {
    // Locks the account before its device, in the same order as everything that ends sessions and
    // devices, so that none that has just begun is missed.
    owner = await findOwnerOf(trx, token);
    const account = owner === null ? undefined : await lockUser(trx, owner);
    const device = await findDevice(trx, token, now, repeatKey);
    if (account === undefined || device === null || isTooOld(input.timestamp, now)) return 'no';
    if (!(await isAddressOf(trx, device.userId, normalizeAddress(input.email)))) return 'no';
    if (account.status !== 'active') throw await suspendedError(trx, device.userId);
    const { userId, clientKey } = device;
    const { startedAt, endsAt } = device;
    const place = visitor;
    const next = await startDevice(trx, {
      userId,
      clientKey,
      replaced: device,
      place,
      now,
      startedAt,
      endsAt,
    });
    const entered = await begin(trx, visitor, {
      userId,
      clientKey,
      familyId: next.familyId,
      deviceToken: next.token,
      browserToken: null,
      now,
      endsAt,
    });
    if (repeatKey !== undefined && token !== undefined)
      await allowRepeat(trx, {
        token,
        key: repeatKey,
        clientKey,
        next: { deviceToken: next.token, sessionToken: entered.sessionToken },
      });
    return entered;
  });
  if (outcome === 'no' && owner !== null) announceEnd(deps.db, owner);
  if (outcome === 'no') throw new AppError('restore_refused');
  return outcome;
}

/** Returns the user of a living session. Throws not_logged_in. */
export const check = (deps: Deps, session: Session): Promise<User> =>
  getUser(deps.db, session.userId, session.openClientKey());

/** Ends the browser's session and device family; does nothing if there is neither. */
export async function logout(deps: Deps, visitor: Visitor): Promise<void> {
  const now = deps.clock.now();
  const session =
    visitor.sessionToken === undefined ? null : await findLivingSession(deps.db, visitor.sessionToken, now);
  await deps.db.transaction().execute(async trx => {
    const owner = session?.userId ?? (await findOwnerOf(trx, visitor.deviceToken));
    if (owner !== null) await lockUser(trx, owner);
    if (session !== null) {
      await deleteSession(trx, session.tokenHash);
      if (session.familyId !== null) await deleteFamily(trx, session.familyId, session.userId);
    }
    const device = await findDevice(trx, visitor.deviceToken, now);
    if (device !== null) await deleteFamily(trx, device.familyId, device.userId);
  });
  if (session !== null) announceEnd(deps.db, session.userId);
}
