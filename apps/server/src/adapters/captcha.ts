/**
 * The check that a robot cannot register cheaply: an ALTCHA proof of work, made and judged here without anybody else's
 * service. A challenge is signed, so nothing is kept until it is solved; that a solution counts once is the caller's care.
 * Cost 0 switches the check off (docs/interpretations.md#38).
 */
import { randomInt } from 'node:crypto';
import { createChallenge, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { CAPTCHA_LIFETIME_MS } from '../base/limits.ts';
import type { MasterKey } from '../base/master-key.ts';

const ALGORITHM = 'PBKDF2/SHA-256';
/** Keys a client derives until it finds the one asked for: with the default cost about a second of a browser's work. */
const STEPS_MIN = 3_000;
const STEPS_MAX = 6_000;

/** A solved challenge: what makes it unique, and until when it must be remembered. */
export type SolvedCaptcha = { readonly nonce: string; readonly expiresAt: Date };

export type Captcha = {
  readonly isOff: boolean;
  /** A fresh challenge; an empty object when the check is off. */
  readonly challenge: (now: Date) => Promise<Record<string, unknown>>;
  /** The challenge that a payload (base64 of JSON) solves, or null when it solves none of ours. */
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

/** A captcha whose steps cost this many hash iterations; its secrets are derived from the master key. */
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
      // Judged by our clock beside the library's own: a challenge that never expires is none of ours.
      if (typeof parameters.expiresAt !== 'number' || typeof parameters.nonce !== 'string') return null;
      const expiresAt = new Date(parameters.expiresAt * 1000);
      if (!(expiresAt > now)) return null;
      try {
        const { verified } = await verifySolution({ ...payload, deriveKey, ...secrets });
        return verified ? { nonce: parameters.nonce, expiresAt } : null;
      } catch {
        // Whatever a hostile payload makes the library throw, it is not a solution.
        return null;
      }
    },
  };
}
