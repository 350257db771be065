/**
 * Verification of codes: authenticator codes, each single-use and never older than the last one
 * used, and recovery codes, which are deleted on use. Wrong codes are counted, so a failure is a
 * return value and not an exception: the caller must commit its transaction in both cases.
 */

import { MFA_TRIES } from '@keyfold/contract/limits';
import { CODE_WAIT_MAX_MS, CODE_WAIT_MS } from '../../../base/limits.ts';
import type { Deps } from '../../../context/deps.ts';
import type { Trx } from '../../../db/pool.ts';
import { useRecoveryCode } from './code-store.ts';
import { hashOfCode } from './recovery-codes.ts';
import { lockTotp, noteRightCode, noteWrongCode } from './store.ts';
import { findStep, isTotpShaped, openSecret } from './totp.ts';

/**
 * Result of a verification. `waitSeconds` is the time during which no further code is checked;
 * `beginsWait` says that this attempt started the wait.
 */
export type Verdict =
  | { readonly isRight: true; readonly by: 'totp' | 'passkey' | 'recovery_code' }
  | {
      readonly isRight: false;
      readonly by: 'code' | 'passkey';
      readonly waitSeconds?: number;
      readonly beginsWait?: true;
    };

type CodeDeps = Pick<Deps, 'clock' | 'masterKey'>;

const WRONG = { isRight: false, by: 'code' } as const satisfies Verdict;

const secondsUntil = (time: Date, now: Date): number => Math.ceil((time.getTime() - now.getTime()) / 1000);

async function judgeTotp(
  { clock, masterKey }: CodeDeps,
  trx: Trx,
  userId: string,
  code: string,
): Promise<Verdict> {
  const row = await lockTotp(trx, userId);
  if (row === undefined || row.secret_sealed === null) return WRONG;
  const now = clock.now();
  if (row.wait_until !== null && row.wait_until > now)
    return { ...WRONG, waitSeconds: secondsUntil(row.wait_until, now) };
  const secret = openSecret(masterKey, userId, row.secret_sealed);
  const step = findStep(secret, code, now);
  secret.fill(0);
  if (step !== null && step > row.last_step) {
    await noteRightCode(trx, userId, step);
    return { isRight: true, by: 'totp' };
  }
  const wrongCodes = row.wrong_codes + 1;
  const waitMs = waitAfter(wrongCodes);
  const waitUntil = waitMs === 0 ? null : new Date(now.getTime() + waitMs);
  await noteWrongCode(trx, userId, wrongCodes, waitUntil);
  return waitUntil === null
    ? WRONG
    : { ...WRONG, waitSeconds: secondsUntil(waitUntil, now), beginsWait: true };
}

/**
 * Checks a code of a user and consumes it if it is right. Recovery codes cannot be guessed and are
 * never delayed.
 */
export async function judgeCode(deps: CodeDeps, trx: Trx, userId: string, code: string): Promise<Verdict> {
  if (isTotpShaped(code)) return judgeTotp(deps, trx, userId, code);
  const isRight = await useRecoveryCode(trx, userId, hashOfCode(deps.masterKey, userId, code));
  return isRight ? { isRight, by: 'recovery_code' } : WRONG;
}

/**
 * Returns the wait that starts after this many consecutive wrong codes, or 0. Among a million codes
 * with three valid at any time, a steady rate of attempts would hit one within months, so every
 * five consecutive wrong codes double the wait.
 */
export function waitAfter(wrongCodes: number): number {
  if (wrongCodes === 0 || wrongCodes % MFA_TRIES !== 0) return 0;
  return Math.min(CODE_WAIT_MAX_MS, CODE_WAIT_MS * 2 ** (wrongCodes / MFA_TRIES - 1));
}
