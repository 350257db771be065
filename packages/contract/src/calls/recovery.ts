/**
 * The recovery kit's way back in (docs/api-conventions.md#auth; [Note: Recovery] in docs/crypto.md).
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
      'The recovery kit’s way back in. With the proof alone: the kit’s main_key, and which second factors are on. With a new login hash and the same keys wrapped anew: logs in, and ends all sessions; where a second factor is on it is proved as well, or turned off with `second_factor_lost`.',
    input: z.object({
      email: emailAddress,
      proof: recoveryKit.shape.proof,
      password: loginHash.optional(),
      main_key: mainKey.optional(),
      ...factorProof,
      /** The kit alone opens the account, and turns the second factor off. */
      second_factor_lost: z.boolean().optional(),
    }),
    output: dataOf(z.union([user, z.object({ main_key: mainKey, factors: z.array(z.enum(FACTOR_KINDS)) })])),
    timeoutMs: 30_000,
  }),
} as const;
