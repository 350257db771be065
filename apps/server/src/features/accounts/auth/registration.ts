/**
 * Creates accounts: the rules for name, domain, keys and captcha, and the single transaction that
 * creates the user, the address and the mailbox. service.ts starts sessions.
 */

import { randomBytes } from 'node:crypto';
import type { MainKey } from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import { EMAIL_MAX_CHARACTERS } from '@keyfold/contract/limits';
import { fingerprintOf } from '@keyfold/crypto/fingerprint';
import { createMessageKey, sealForRecipients } from '@keyfold/crypto/message';
import { BINDING_BYTES } from '@keyfold/crypto/params';
import { normalizeAddress } from '@keyfold/mail/address-form';
import type { Captcha } from '../../../adapters/captcha.ts';
import { CAPTCHA_LOOKUPS_MAX, CAPTCHA_TRIES_MAX } from '../../../base/entry-limits.ts';
import { SIGNUP_WINDOW_MS } from '../../../base/limits.ts';
import type { Deps } from '../../../context/deps.ts';
import { isDuplicate, type Trx } from '../../../db/pool.ts';
import { takeAtOnce } from '../../support/rate-limits/index.ts';
import { redeemCode } from '../sign-up-codes/index.ts';
import { insertAccount } from '../users/index.ts';
import { findSignup, isCaptchaUsed, openAccount, useCaptcha } from './store.ts';
import { isAllowedUsername, normalizeUsername } from './usernames.ts';

/** Returns the address for a name at a domain. Throws username_refused or domain_refused. */
export function addressOf(username: string, domain: string, domains: readonly string[]): string {
  const name = normalizeUsername(username);
  if (!isAllowedUsername(name)) throw new AppError('username_refused');
  const address = normalizeAddress(`${name}@${domain}`);
  if (!domains.includes(address.slice(name.length + 1))) throw new AppError('domain_refused');
  if (address.length > EMAIL_MAX_CHARACTERS) throw new AppError('username_refused');
  return address;
}

/**
 * Checks that key_id names the two public keys and that a message can be sealed to them; otherwise
 * every later message to this user would fail. Throws keys_refused.
 */
export async function requireUsableKeys(mainKey: MainKey): Promise<void> {
  const keys = {
    dh_public: Buffer.from(mainKey.dh_public_key, 'base64'),
    mlkem_public: Buffer.from(mainKey.mlkem_public_key, 'base64'),
  };
  const fingerprint = await fingerprintOf(keys);
  if (fingerprint !== mainKey.key_id) throw new AppError('keys_refused');
  const messageKey = createMessageKey();
  try {
    await sealForRecipients({
      messageKey,
      binding: randomBytes(BINDING_BYTES),
      recipients: [{ email: 'trial', ...keys, fingerprint }],
    });
  } catch (cause) {
    throw new AppError('keys_refused', { cause });
  } finally {
    messageKey.fill(0);
  }
}

/**
 * What a captcha solution may be used for, and how often. Both uses reveal whether an address is
 * free, so neither may repeat for the lifetime of a solution. Registration has its own quota, which
 * look-ups do not use up.
 */
const CAPTCHA_SHARES = {
  lookup: { name: 'captcha-lookup', points: CAPTCHA_LOOKUPS_MAX },
  registration: { name: 'captcha-registration', points: CAPTCHA_TRIES_MAX },
} as const;

/**
 * Requires a solved captcha whose solution has not created an account yet and has not used up its
 * quota. createAccount records its single use. Throws captcha_refused, which makes the client solve
 * another captcha.
 */
export async function requireSolved(
  deps: Pick<Deps, 'db' | 'masterKey'>,
  captcha: Captcha,
  payload: string,
  purpose: keyof typeof CAPTCHA_SHARES,
  now: Date,
) {
  if (captcha.isOff) return null;
  const solved = await captcha.findSolved(payload, now);
  if (solved === null) throw new AppError('captcha_refused');
  const { nonce, expiresAt } = solved;
  const isWithinShare = await takeAtOnce(deps, { ...CAPTCHA_SHARES[purpose], expiresAt }, nonce);
  if (!isWithinShare || (await isCaptchaUsed(deps.db, nonce))) throw new AppError('captcha_refused');
  return solved;
}

/**
 * Enforces the server-wide limit of accounts created per hour. Only created accounts count, not
 * attempts: an attacker who wants to block sign-ups must solve as many captchas. Accounts that are
 * being created concurrently can exceed the limit. Throws rate_limited.
 */
export async function requireSignupRoom(
  { config, db }: Pick<Deps, 'config' | 'db'>,
  now: Date,
): Promise<void> {
  if (config.signupsPerHour === 0) return;
  const since = new Date(now.getTime() - SIGNUP_WINDOW_MS);
  const earlier = await findSignup(db, config.signupsPerHour, since);
  if (earlier === undefined) return;
  throw new AppError('rate_limited', {
    retryAfterSeconds: Math.max(1, Math.ceil((earlier.getTime() - since.getTime()) / 1000)),
  });
}

export type NewAccount = {
  readonly id: string;
  readonly address: string;
  readonly name: string;
  readonly loginHashStored: string;
  readonly mainKey: MainKey;
  /** An invitation code or an affiliate code. */
  readonly code: string | undefined;
  readonly isInvitationNeeded: boolean;
  readonly solved: Awaited<ReturnType<typeof requireSolved>>;
  readonly now: Date;
};

/**
 * Creates the account and returns its ID. Throws address_taken, captcha_refused for a used
 * solution, and the errors for a rejected code.
 */
export async function createAccount(trx: Trx, account: NewAccount): Promise<string> {
  if (account.solved !== null && !(await useCaptcha(trx, account.solved.nonce, account.solved.expiresAt))) {
    throw new AppError('captcha_refused');
  }
  const affiliateCode = await redeemCode(trx, account);
  const { id } = account;
  try {
    await insertAccount(trx, {
      id,
      address: account.address,
      name: account.name,
      loginHashStored: account.loginHashStored,
      mainKeyJson: JSON.stringify(account.mainKey),
      affiliateCode,
      now: account.now,
    });
    await openAccount(trx, account);
  } catch (cause) {
    if (isDuplicate(cause)) throw new AppError('address_taken', { cause });
    throw cause;
  }
  return id;
}
