/**
 * Calls of the Auth group for who comes in (docs/spec-map.md 7, docs/api-conventions.md): register, login, and what sign-up needs
 * before. The second step of signing in and the way back by a recovery kit are in second-step.ts, since few ever ask for them.
 */
import { z } from 'zod';
import { defineCall } from '../core/call.ts';
import { dataOf } from '../core/envelope.ts';
import { emailAddress, flag, plainText } from '../core/fields.ts';
import {
  AFFILIATE_CODE_MAX_CHARACTERS,
  FACTOR_KINDS,
  NAME_MAX_CHARACTERS,
  USERNAME_MAX_CHARACTERS,
} from '../core/limits.ts';
import { mainKey, recoveryKit, user } from '../core/user.ts';

/** The login hash of docs/wire-format.md#passwords: 32 bytes as lowercase hex. */
export const loginHash = z.string().regex(/^[0-9a-f]{64}$/, 'Not a login hash');

/** What the server asks a client to work on before it may register: an ALTCHA challenge, opaque here. */
export const captchaChallenge = z.record(z.string(), z.unknown());

/**
 * The word that the second factor is asked for, and what it can be (docs/interpretations.md#29); the calls of mfa.ts go on from
 * there.
 */
const mfaRequired = z.object({ mfa_required: z.literal(true), factors: z.array(z.enum(FACTOR_KINDS)) });

/** Either the user, or a half-done sign-in. */
export const loginAnswer = z.union([user, mfaRequired]);

export const enteringApi = {
  auth: {
    domains: defineCall({
      method: 'GET',
      path: '/auth/domains',
      access: 'public',
      about: 'The domains at which one may register, and whether that takes an invitation code.',
      input: z.object({}),
      output: dataOf(z.array(z.string())).extend({ invitation_needed: z.boolean() }),
    }),
    captcha: defineCall({
      method: 'GET',
      path: '/auth/captcha',
      access: 'public',
      about: 'A fresh ALTCHA challenge; its solution, base64 of the JSON payload, is `captcha` in register.',
      input: z.object({}),
      output: dataOf(captchaChallenge),
    }),
    available: defineCall({
      method: 'POST',
      path: '/auth/available',
      access: 'public',
      about:
        'Whether an address is free, for the form that registers; `captcha` is a solution, which stays good for registering. One solution is good for twenty look-ups, and for none once it has made an account: captcha_refused asks for another. Refused where an invitation is needed. An extension.',
      input: z.object({
        username: z.string().trim().min(1).max(USERNAME_MAX_CHARACTERS),
        domain: z.string().trim().min(1).max(253),
        captcha: z.string().max(8192),
      }),
      output: dataOf(z.object({ available: z.boolean() })),
      isRepeatable: true,
    }),
    register: defineCall({
      method: 'POST',
      path: '/auth/register',
      access: 'public',
      about:
        'Creates an account with keys made by the client and logs it in; 409 when the address is taken. `affiliate_code` carries whatever code one was given: an invitation code where one is needed, else an affiliate’s; an unknown affiliate code is ignored. A repeat within ten minutes with the same keys and login hash, because the answer was lost, is answered as the first, and whatever that one began has ended.',
      input: z.object({
        name: plainText(NAME_MAX_CHARACTERS).min(1),
        username: z.string().trim().min(1).max(USERNAME_MAX_CHARACTERS),
        domain: z.string().trim().min(1).max(253),
        password: loginHash,
        captcha: z.string().max(8192),
        affiliate_code: plainText(AFFILIATE_CODE_MAX_CHARACTERS).optional(),
        /** The secret of an organisation's invitation; name and domain are then those it was made for. */
        invite: z.string().max(64).optional(),
        main_key: mainKey,
        recovery: recoveryKit.optional(),
        keep_signed_in: flag.optional(),
      }),
      output: dataOf(user),
      timeoutMs: 30_000,
    }),
    login: defineCall({
      method: 'POST',
      path: '/auth/login',
      access: 'public',
      about:
        'Logs in with the login hash; one answer for an unknown address and a wrong password. With a second factor on: mfa_required, and a cookie of five minutes for /auth/mfa.',
      input: z.object({ email: emailAddress, password: loginHash, keep_signed_in: flag.default(false) }),
      output: dataOf(loginAnswer),
    }),
  },
} as const;
