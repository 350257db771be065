/**
 * Calls of who makes an account (docs/spec-map.md 7, docs/api-conventions.md): register, and what the form needs before.
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

/** What the server asks a client to work on before it may register: an ALTCHA challenge, opaque here. */
export const captchaChallenge = z.record(z.string(), z.unknown());

export const signUpCalls = {
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
} as const;
