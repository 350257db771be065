/**
 * The second factor as other features ask for it: which ones are on, whether a proof holds, and the end of all of them when
 * the recovery kit says that they are lost. How they are set up is in own-factors.ts.
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

/** What a caller brings to prove the second factor. */
export type Proof = { readonly code?: string | undefined; readonly passkey?: PasskeyAnswer | undefined };

/** Who tries: a session or a half-done sign-in by its token, which challenges are bound to, and where they are. */
export type Prover = {
  readonly userId: string;
  readonly tokenHash: Buffer;
  readonly device: { readonly browser: string | null; readonly system: string | null };
  readonly ip: string;
};

/** Somebody with a session, as the second factor knows them. */
export const proverOf = (
  { userId, tokenHash }: Session,
  { userAgent, ip }: { readonly userAgent: string; readonly ip: string },
): Prover => ({ userId, tokenHash, device: deviceWordsOf(userAgent), ip });

/** The password once more, and the second factor where one is on. */
export type OwnerProof = {
  readonly password: string;
  readonly totp_code?: string | undefined;
  readonly passkey?: PasskeyAnswer | undefined;
};

/**
 * Requires that the owner is there before a factor changes. Signing in asks this feature for factors, so the check of the
 * password comes from app.ts and not by an import. Throws as `requireOwner` of features/accounts/auth does.
 */
export type OwnerCheck = {
  readonly requireOwner: (deps: Deps, prover: Prover, proof: OwnerProof) => Promise<unknown>;
};

/** The ways in which a user can answer for the second factor; none where it is off. */
export async function findFactors(db: Db | Trx, userId: string): Promise<FactorKind[]> {
  const { totp_since, passkeys, codes_left } = await findState(db, userId);
  if (totp_since === null && passkeys === 0) return [];
  return [
    ...(totp_since === null ? [] : (['totp'] as const)),
    ...(passkeys === 0 ? [] : (['passkey'] as const)),
    ...(codes_left === 0 ? [] : (['recovery_code'] as const)),
  ];
}

/** What a user's keys are asked to sign, for this session or half-done sign-in alone. Throws second_factor_off, passkeys_refused. */
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

/** What the owner is told of a verdict on a code; null for nothing. */
function noticeOf(verdict: Verdict): 'recovery_code_used' | 'wrong_codes' | null {
  if (verdict.isRight) return verdict.by === 'recovery_code' ? 'recovery_code_used' : null;
  return verdict.beginsWait === true ? 'wrong_codes' : null;
}

/**
 * Looks at a proof and uses it up; null when there is none in it. A used recovery code is told to its owner, and so are wrong
 * codes, once for each wait that they lead to. The caller holds the account's lock, since a notice takes the mailbox's, and
 * must commit whatever the verdict is: wrong codes are counted, and challenges are good once.
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

/** Throws what a verdict is to a user whose session goes on: second_factor_needed, code_wrong, passkey_wrong, rate_limited. */
export function requireRight(verdict: Verdict | null): void {
  if (verdict === null) throw new AppError('second_factor_needed');
  if (verdict.isRight) return;
  if (verdict.waitSeconds !== undefined)
    throw new AppError('rate_limited', { retryAfterSeconds: verdict.waitSeconds });
  throw new AppError(verdict.by === 'passkey' ? 'passkey_wrong' : 'code_wrong');
}

/**
 * Requires the second factor once more of who has one, within a session or a recovery. Throws second_factor_needed,
 * code_wrong, passkey_wrong, rate_limited, and not_logged_in when the account has just ended.
 */
export async function requireSecondFactor(deps: Deps, prover: Prover, proof: Proof): Promise<void> {
  if ((await findFactors(deps.db, prover.userId)).length === 0) return;
  const verdict = await deps.db.transaction().execute(async trx => {
    if ((await lockUser(trx, prover.userId)) === undefined) throw new AppError('not_logged_in');
    return judgeProof(deps, trx, prover, proof);
  });
  requireRight(verdict);
}

/** Takes every second factor off an account, without a word; whether there was one. The caller holds the account's lock. */
export async function forgetFactors(trx: Trx, userId: string): Promise<boolean> {
  if ((await findFactors(trx, userId)).length === 0) return false;
  await deleteTotp(trx, userId);
  await deletePasskeys(trx, userId);
  await deleteRecoveryCodes(trx, userId);
  return true;
}

/** Takes every second factor off an account whose owner has lost them, and says so. Whether there was one. */
export async function loseSecondFactor(
  deps: Deps,
  trx: Trx,
  { userId, device, ip }: Omit<Prover, 'tokenHash'>,
): Promise<boolean> {
  if (!(await forgetFactors(trx, userId))) return false;
  await storeNotice(deps, trx, userId, { kind: 'second_factor_off', device, ip });
  return true;
}
