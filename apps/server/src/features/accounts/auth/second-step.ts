/**
 * The second step of signing in: an MFA-pending session becomes a full session with a code, a
 * recovery code, a passkey or a security key (docs/spec-map.md 4.12, docs/interpretations.md#29).
 * Attempts for one account are checked one after the other, and each wrong one counts before the
 * next is checked.
 */
import type { api, InputOf } from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import { normalizeAddress } from '@keyfold/mail/address-form';
import { deviceWordsOf } from '../../../base/device-words.ts';
import type { Deps } from '../../../context/deps.ts';
import { askPasskey, findFactors, judgeProof, type Proof, type Verdict } from '../second-factor/index.ts';
import { lockUser } from '../users/index.ts';
import { type LoggedIn, type Visitor, welcome } from './complete-login.ts';
import { recordRefusal } from './login-history.ts';
import {
  countWrong,
  endMfaPendingSession,
  findMfaPendingSession,
  holdMfaPendingSession,
  type MfaPendingSession,
} from './mfa-pending-session.ts';
import { announceEnd, suspendedError } from './sessions.ts';

/** Returns the MFA-pending session of a visitor. Throws mfa_expired. */
async function getMfaPendingSession(deps: Deps, email: string, visitor: Visitor): Promise<MfaPendingSession> {
  const now = deps.clock.now();
  const half = await findMfaPendingSession(deps.db, visitor.pendingToken, normalizeAddress(email), now);
  if (half === null) throw new AppError('mfa_expired');
  return half;
}

function refuse(verdict: Verdict & { isRight: false }): never {
  if (verdict.waitSeconds !== undefined)
    throw new AppError('rate_limited', { retryAfterSeconds: verdict.waitSeconds });
  throw new AppError(verdict.by === 'passkey' ? 'passkey_refused' : 'code_refused');
}

async function finish(
  deps: Deps,
  { email, keep_signed_in: keepSignedIn }: { readonly email: string; readonly keep_signed_in: boolean },
  proof: Proof,
  visitor: Visitor,
): Promise<LoggedIn> {
  const now = deps.clock.now();
  const half = await getMfaPendingSession(deps, email, visitor);
  if (half.purpose !== 'login') throw new AppError('mfa_expired');
  const { userId, kdfEmail, tokenHash } = half;
  const device = deviceWordsOf(visitor.userAgent);
  // A refusal is returned rather than thrown, so that the transaction commits what it counted.
  const outcome = await deps.db.transaction().execute(async trx => {
    const account = await lockUser(trx, userId);
    if (account === undefined || !(await holdMfaPendingSession(trx, half))) return 'gone';
    // The second factor was turned off after the password was accepted: no code can be correct
    // anymore, and the password is sufficient.
    if ((await findFactors(trx, userId)).length === 0) {
      await endMfaPendingSession(trx, half);
      return 'gone';
    }
    const verdict = await judgeProof(deps, trx, { userId, tokenHash, device, ip: visitor.ip }, proof);
    if (verdict === null) return 'gone';
    if (!verdict.isRight) {
      await countWrong(trx, half);
      return verdict;
    }
    await endMfaPendingSession(trx, half);
    if (account.status === 'suspended') return 'suspended';
    return welcome(deps, trx, { userId, kdfEmail, keepSignedIn, outcome: 'signed_in', now }, visitor);
  });
  if (outcome === 'gone') throw new AppError('mfa_expired');
  if (outcome === 'suspended') throw await suspendedError(deps.db, userId);
  if (!('isRight' in outcome)) {
    announceEnd(deps.db, userId);
    return outcome;
  }
  recordRefusal(deps, kdfEmail, 'wrong_code', visitor, now);
  return refuse(outcome);
}

/**
 * Completes the sign-in with a code. Throws mfa_expired, code_refused, rate_limited,
 * account_suspended.
 */
export const enterByCode = (
  deps: Deps,
  input: InputOf<typeof api.mfa.code>,
  visitor: Visitor,
): Promise<LoggedIn> => finish(deps, input, { code: input.code }, visitor);

/**
 * Completes the sign-in with the response of a passkey or security key. Throws mfa_expired,
 * passkey_refused, account_suspended.
 */
export const enterByPasskey = (
  deps: Deps,
  input: InputOf<typeof api.mfa.passkey>,
  visitor: Visitor,
): Promise<LoggedIn> => finish(deps, input, { passkey: input.passkey }, visitor);

/**
 * Returns the challenge for the account's passkeys and security keys. Throws mfa_expired,
 * second_factor_off, passkeys_refused.
 */
export const askVisitorsPasskey = async (
  deps: Deps,
  { email }: InputOf<typeof api.mfa.challenge>,
  visitor: Visitor,
) => askPasskey(deps, await getMfaPendingSession(deps, email, visitor));
