/**
 * Account recovery with the recovery kit (docs/api-conventions.md#auth; [Note: Recovery] in
 * docs/crypto.md).
 */
import { z } from 'zod';
import { defineCall } from '../core/call.ts';
import { dataOf } from '../core/envelope.ts';
import { emailAddress } from '../core/fields.ts';
import { FACTOR_KINDS } from '../core/limits.ts';
import { loginHash, mainKey, recoveryKit, user } from '../core/user.ts';
import { factorProof } from './factor-proof.ts';

export const recoveryCalls = {
  recover: defineCall({
    method: 'POST',
    path: '/auth/recover',
    access: 'public',
    about:
      'Recovers an account with the recovery kit. With only the proof, returns the main_key of the kit and the enabled second factors. With a new login hash and the same keys encrypted again, signs in and ends all sessions. An enabled second factor must be proved too, or turned off with `second_factor_lost`.',
    input: z.object({
      email: emailAddress,
      proof: recoveryKit.shape.proof,
      password: loginHash.optional(),
      main_key: mainKey.optional(),
      ...factorProof,
      /** The kit alone opens the account and turns off the second factor. */
      second_factor_lost: z.boolean().optional(),
    }),
    output: dataOf(z.union([user, z.object({ main_key: mainKey, factors: z.array(z.enum(FACTOR_KINDS)) })])),
    timeoutMs: 30_000,
  }),
} as const;
