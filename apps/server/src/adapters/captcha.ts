/**
 * Makes automated sign-up expensive with an ALTCHA proof of work, created and verified here without
 * an external service. Challenges are signed, so nothing is stored until one is solved. The caller
 * ensures that a solution is used only once. Cost 0 disables the check
 * (docs/interpretations.md#38).
 */
import { randomInt } from 'node:crypto';
import { createChallenge, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { CAPTCHA_LIFETIME_MS } from '../base/limits.ts';
import type { MasterKey } from '../base/master-key.ts';

const ALGORITHM = 'PBKDF2/SHA-256';
/**
 * Minimum number of keys a client derives until it finds the right one: at the default cost, about
 * a second of work in a browser.
 */
const STEPS_MIN = 3_000;
const STEPS_MAX = 6_000;

/** A solved challenge: its unique nonce, and the time until which the nonce must be remembered. */
export type SolvedCaptcha = { readonly nonce: string; readonly expiresAt: Date };

export type Captcha = {
  readonly isOff: boolean;
  /** Returns a new challenge, or an empty object when the check is disabled. */
  readonly challenge: (now: Date) => Promise<Record<string, unknown>>;
  /**
   * Returns the challenge that a payload (base64 of JSON) solves, or null when it solves none of
   * ours.
   */
  readonly findSolved: (payload: string, now: Date) => Promise<SolvedCaptcha | null>;
};

type Payload = Pick<Parameters<typeof verifySolution>[0], 'challenge' | 'solution'>;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function readPayload(text: string): Payload | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64').toString('utf8'));
    if (!isRecord(value) || !isRecord(value.challenge) || !isRecord(value.solution)) return null;
    if (!isRecord(value.challenge.parameters) || typeof value.challenge.signature !== 'string') return null;
    return value as unknown as Payload;
  } catch {
    return null;
  }
}

/**
 * Creates a captcha whose steps cost the given number of hash iterations; its secrets are derived
 * from the master key.
 */
export function createCaptcha(cost: number, masterKey: MasterKey): Captcha {
  const secrets = {
    hmacSignatureSecret: masterKey.digest('captcha', 'challenge').toString('hex'),
    hmacKeySignatureSecret: masterKey.digest('captcha', 'solution').toString('hex'),
  };
  return {
    isOff: cost === 0,
    challenge: async now => {
      if (cost === 0) return {};
      const challenge = await createChallenge({
        algorithm: ALGORITHM,
        cost,
        counter: randomInt(STEPS_MIN, STEPS_MAX),
        deriveKey,
        expiresAt: new Date(now.getTime() + CAPTCHA_LIFETIME_MS),
        ...secrets,
      });
      return { ...challenge };
    },
    findSolved: async (text, now) => {
      const payload = readPayload(text);
      if (payload === null) return null;
      const { parameters } = payload.challenge;
      // Checked against our clock in addition to the library's own check: a challenge without an
      // expiry is not one of ours.
      if (typeof parameters.expiresAt !== 'number' || typeof parameters.nonce !== 'string') return null;
      const expiresAt = new Date(parameters.expiresAt * 1000);
      if (!(expiresAt > now)) return null;
      try {
        const { verified } = await verifySolution({ ...payload, deriveKey, ...secrets });
        return verified ? { nonce: parameters.nonce, expiresAt } : null;
      } catch {
        // Any error that a hostile payload causes in the library means that it is not a solution.
        return null;
      }
    },
  };
}
