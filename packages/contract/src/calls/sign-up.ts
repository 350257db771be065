/**
 * Calls for creating an account (docs/spec-map.md 7, docs/api-conventions.md): `register`, and the
 * data its form needs first.
 */
import { z } from 'zod';
import { defineCall } from '../core/call.ts';
import { dataOf } from '../core/envelope.ts';
import { flag, plainText } from '../core/fields.ts';
import {
  AFFILIATE_CODE_MAX_CHARACTERS,
  NAME_MAX_CHARACTERS,
  USERNAME_MAX_CHARACTERS,
} from '../core/limits.ts';
import { loginHash, mainKey, recoveryKit, user } from '../core/user.ts';

/** Challenge a client must solve before it may register: an ALTCHA challenge, opaque here. */
export const captchaChallenge = z.record(z.string(), z.unknown());

export const signUpCalls = {
  domains: defineCall({
    method: 'GET',
    path: '/auth/domains',
    access: 'public',
    about: 'The domains that accept sign-ups, and whether an invitation code is required.',
    input: z.object({}),
    output: dataOf(z.array(z.string())).extend({ invitation_needed: z.boolean() }),
  }),
  captcha: defineCall({
    method: 'GET',
    path: '/auth/captcha',
    access: 'public',
    about: 'A new ALTCHA challenge. Its solution, the base64 of the JSON payload, is `captcha` in register.',
    input: z.object({}),
    output: dataOf(captchaChallenge),
  }),
  available: defineCall({
    method: 'POST',
    path: '/auth/available',
    access: 'public',
    about:
      'Whether an address is available, for the sign-up form. `captcha` is a solution, which remains valid for register. A solution is valid for 20 lookups and for none after it created an account; captcha_refused requires a new one. Refused if sign-up requires an invitation. An extension.',
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
      'Creates an account with keys made by the client and signs it in; 409 if the address is taken. `affiliate_code` is an invitation code if one is required, otherwise an affiliate code; an unknown affiliate code is ignored. A repeat within ten minutes with the same keys and login hash, after a lost response, succeeds again and ends the session of the first request.',
    input: z.object({
      name: plainText(NAME_MAX_CHARACTERS).min(1),
      username: z.string().trim().min(1).max(USERNAME_MAX_CHARACTERS),
      domain: z.string().trim().min(1).max(253),
      password: loginHash,
      captcha: z.string().max(8192),
      affiliate_code: plainText(AFFILIATE_CODE_MAX_CHARACTERS).optional(),
      /**
       * Secret of an organization's invitation; name and domain are then those of the invitation.
       */
      invite: z.string().max(64).optional(),
      main_key: mainKey,
      recovery: recoveryKit.optional(),
      keep_signed_in: flag.optional(),
    }),
    output: dataOf(user),
    timeoutMs: 30_000,
  }),
} as const;
