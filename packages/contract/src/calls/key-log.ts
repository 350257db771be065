/**
 * The key log (docs/crypto.md, Key log): proofs that come with the answer of `keys`, and what clients ask the log
 * besides. Ours: the specification has no such calls.
 */
import { z } from 'zod';
import { defineCall } from '../core/call.ts';
import { dataOf } from '../core/envelope.ts';
import { base64, base64Bytes, emailAddress, wholeNumber } from '../core/fields.ts';
import { KEY_LOG_HISTORY_MAX, KEY_LOG_SIZE_MAX } from '../core/limits.ts';

/** Hashes of 32 bytes, one after the other: at most one for each bit of a tag. */
const path = base64(Math.ceil((256 * 32) / 3) * 4);
const hash = base64Bytes(32);

/** What stands at the place of a name in the map: its entry, who stands there instead, or nothing. */
export const keyProof = z.object({
  path,
  entry: z.object({ version: z.number().int().positive(), previous: hash }).optional(),
  other: z.object({ tag: hash, entry: hash }).optional(),
});

/** A signed head of the log with the state of the map that it ends in. */
export const logHead = z.object({
  /** Ed25519 public key of the log. */
  key: hash,
  size: z.number().int().positive(),
  root: hash,
  signature: base64Bytes(64),
  map_root: hash,
  /** Seconds since 1970. */
  time: z.number().int().nonnegative(),
  /** That the state is the last leaf of the tree. */
  path,
  /** That the tree grew out of the one of the size asked with; empty when none was, or when that one is not known. */
  growth: path,
});

/** The log's part in the answer of `keys`: a proof for each address, of its name without a tag. */
export const keyLogAnswer = z.object({ head: logHead, proofs: z.array(keyProof) });

const size = wholeNumber(1, KEY_LOG_SIZE_MAX);

export const keyLogCalls = {
  growth: defineCall({
    method: 'GET',
    path: '/user/key_log/growth',
    access: 'user',
    about:
      'The proof that the log of size `to` holds all of the log of size `from`; 404 for sizes it never had.',
    input: z.object({ from: size, to: size }),
    output: dataOf(z.object({ path })),
  }),
  history: defineCall({
    method: 'GET',
    path: '/user/key_log/history',
    access: 'user',
    about: 'What the log says of one of the caller’s own addresses, the first version first.',
    input: z.object({ address: emailAddress }),
    output: dataOf(
      z.array(z.object({ version: z.number(), keys: hash, changed_at: z.string() })).max(KEY_LOG_HISTORY_MAX),
    ),
  }),
} as const;
