/**
 * The second factor for other features: which factors are enabled, whether a proof is valid, and
 * removal of all factors when the recovery kit's owner reports them lost. Setup is in
 * own-factors.ts.
 */

import type { PasskeyAnswer } from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import type { FactorKind } from '@keyfold/contract/limits';
import { deviceWordsOf } from '../../../base/device-words.ts';
import { PASSKEY_CHALLENGE_LIFETIME_MS } from '../../../base/limits.ts';
import type { Session } from '../../../context/call-context.ts';
import type { Deps } from '../../../context/deps.ts';
import type { Db, Trx } from '../../../db/pool.ts';
import { storeNotice } from '../notices/index.ts';
import { lockUser } from '../users/index.ts';
import { deleteRecoveryCodes } from './code-store.ts';
import { judgeCode, type Verdict } from './codes.ts';
import {
  deletePasskeys,
  deleteTotp,
  findState,
  listPasskeys,
  lockPasskey,
  notePasskeyUse,
  saveChallenge,
  takeChallenge,
} from './store.ts';
import { askForAnswer, readAnswer } from './webauthn.ts';

/** Proof of the second factor, as sent by the caller. */
export type Proof = { readonly code?: string | undefined; readonly passkey?: PasskeyAnswer | undefined };

/**
 * Party that proves the factor: the token of a session or MFA-pending session, to which challenges
 * are bound, and the client's User-Agent and IP address.
 */
export type Prover = {
  readonly userId: string;
  readonly tokenHash: Buffer;
  readonly device: { readonly browser: string | null; readonly system: string | null };
  readonly ip: string;
};

/** Returns the prover of a session. */
export const proverOf = (
  { userId, tokenHash }: Session,
  { userAgent, ip }: { readonly userAgent: string; readonly ip: string },
): Prover => ({ userId, tokenHash, device: deviceWordsOf(userAgent), ip });

/** The password again, and the second factor if enabled. */
export type OwnerProof = {
  readonly password: string;
  readonly totp_code?: string | undefined;
  readonly passkey?: PasskeyAnswer | undefined;
};

/**
 * Requires proof by the owner before a factor changes. Sign-in depends on this feature, so app.ts
 * injects the password check instead of an import. Throws the errors of `requireOwner` of
 * features/accounts/auth.
 */
export type OwnerCheck = {
  readonly requireOwner: (deps: Deps, prover: Prover, proof: OwnerProof) => Promise<unknown>;
};

/** Returns the kinds of second factor that a user can prove; empty when it is off. */
export async function findFactors(db: Db | Trx, userId: string): Promise<FactorKind[]> {
  const { totp_since, passkeys, codes_left } = await findState(db, userId);
  if (totp_since === null && passkeys === 0) return [];
  return [
    ...(totp_since === null ? [] : (['totp'] as const)),
    ...(passkeys === 0 ? [] : (['passkey'] as const)),
    ...(codes_left === 0 ? [] : (['recovery_code'] as const)),
  ];
}

/**
 * Returns the challenge for a user's keys, valid only for this session or MFA-pending session.
 * Throws second_factor_off, passkeys_refused.
 */
export async function askPasskey(
  { clock, config, db }: Pick<Deps, 'clock' | 'config' | 'db'>,
  { userId, tokenHash }: Pick<Prover, 'tokenHash' | 'userId'>,
) {
  const { relyingParty } = config;
  if (relyingParty === null) throw new AppError('passkeys_refused');
  const keys = await listPasskeys(db, userId);
  if (keys.length === 0) throw new AppError('second_factor_off');
  const options = await askForAnswer(relyingParty, keys);
  const expiresAt = new Date(clock.now().getTime() + PASSKEY_CHALLENGE_LIFETIME_MS);
  const key = { user_id: userId, token_hash: tokenHash, purpose: 'prove' } as const;
  await saveChallenge(db, key, options.challenge, expiresAt);
  return options;
}

async function judgePasskey(
  { clock, config }: Pick<Deps, 'clock' | 'config'>,
  trx: Trx,
  { userId, tokenHash }: Prover,
  answer: PasskeyAnswer,
): Promise<Verdict> {
  const wrong: Verdict = { isRight: false, by: 'passkey' };
  const { relyingParty } = config;
  const now = clock.now();
  const asked = { user_id: userId, token_hash: tokenHash, purpose: 'prove' } as const;
  const challenge = await takeChallenge(trx, asked, now);
  if (relyingParty === null || challenge === null) return wrong;
  const key = await lockPasskey(trx, userId, Buffer.from(answer.id, 'base64url'));
  if (key === undefined) return wrong;
  const counter = await readAnswer(relyingParty, challenge, answer, key);
  if (counter === null) return wrong;
  await notePasskeyUse(trx, userId, key.id, counter, now);
  return { isRight: true, by: 'passkey' };
}

/** Returns the kind of notice that the owner gets for a code's verdict, or null. */
function noticeOf(verdict: Verdict): 'recovery_code_used' | 'wrong_codes' | null {
  if (verdict.isRight) return verdict.by === 'recovery_code' ? 'recovery_code_used' : null;
  return verdict.beginsWait === true ? 'wrong_codes' : null;
}

/**
 * Checks a proof and consumes it; returns null when the proof is empty. Notifies the owner of a
 * used recovery code, and of wrong codes once per wait that they cause. The caller must hold the
 * account's lock, because a notice takes the mailbox's lock, and must commit whatever the verdict
 * is: wrong codes are counted and challenges are single-use.
 */
export async function judgeProof(
  deps: Deps,
  trx: Trx,
  prover: Prover,
  { code, passkey }: Proof,
): Promise<Verdict | null> {
  if (passkey !== undefined) return judgePasskey(deps, trx, prover, passkey);
  if (code === undefined) return null;
  const { userId, device, ip } = prover;
  const verdict = await judgeCode(deps, trx, userId, code);
  const kind = noticeOf(verdict);
  if (kind !== null) {
    const facts =
      kind === 'recovery_code_used' ? { codes_left: (await findState(trx, userId)).codes_left } : {};
    await storeNotice(deps, trx, userId, { kind, device, ip, facts });
  }
  return verdict;
}

/**
 * Throws the error of a verdict within a session: second_factor_needed, code_wrong, passkey_wrong,
 * rate_limited.
 */
export function requireRight(verdict: Verdict | null): void {
  if (verdict === null) throw new AppError('second_factor_needed');
  if (verdict.isRight) return;
  if (verdict.waitSeconds !== undefined)
    throw new AppError('rate_limited', { retryAfterSeconds: verdict.waitSeconds });
  throw new AppError(verdict.by === 'passkey' ? 'passkey_wrong' : 'code_wrong');
}

/**
 * Requires the second factor again from a user who has one, within a session or a recovery. Throws
 * second_factor_needed, code_wrong, passkey_wrong, rate_limited, and not_logged_in when the account
 * was just deleted.
 */
export async function requireSecondFactor(deps: Deps, prover: Prover, proof: Proof): Promise<void> {
  if ((await findFactors(deps.db, prover.userId)).length === 0) return;
  const verdict = await deps.db.transaction().execute(async trx => {
    if ((await lockUser(trx, prover.userId)) === undefined) throw new AppError('not_logged_in');
    return judgeProof(deps, trx, prover, proof);
  });
  requireRight(verdict);
}

/**
 * Removes every second factor of an account without a notice; returns whether there was one. The
 * caller holds the account's lock.
 */
export async function forgetFactors(trx: Trx, userId: string): Promise<boolean> {
  if ((await findFactors(trx, userId)).length === 0) return false;
  await deleteTotp(trx, userId);
  await deletePasskeys(trx, userId);
  await deleteRecoveryCodes(trx, userId);
  return true;
}

/**
 * Removes every second factor of an account whose owner has lost them, and notifies the owner.
 * Returns whether there was one.
 */
export async function loseSecondFactor(
  deps: Deps,
  trx: Trx,
  { userId, device, ip }: Omit<Prover, 'tokenHash'>,
): Promise<boolean> {
  if (!(await forgetFactors(trx, userId))) return false;
  await storeNotice(deps, trx, userId, { kind: 'second_factor_off', device, ip });
  return true;
}
