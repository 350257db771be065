/**
 * The key log (docs/crypto.md, Key log): the proofs in the response of `keys`, and the other
 * requests clients make to the log. A Keyfold extension: the specification has no such calls.
 */
import { z } from 'zod';
import { defineCall } from '../core/call.ts';
import { dataOf } from '../core/envelope.ts';
import { base64, base64Bytes, emailAddress, wholeNumber } from '../core/fields.ts';
import { KEY_LOG_HISTORY_MAX, KEY_LOG_SIZE_MAX } from '../core/limits.ts';

/** Concatenated 32-byte hashes, at most one for each bit of a tag. */
const path = base64(Math.ceil((256 * 32) / 3) * 4);
const hash = base64Bytes(32);

/**
 * Result of looking up a name in the map: its own entry, another name's entry in its place, or
 * nothing.
 */
export const keyProof = z.object({
  path,
  entry: z.object({ version: z.number().int().positive(), previous: hash }).optional(),
  other: z.object({ tag: hash, entry: hash }).optional(),
});

/** Signed head of the log, with the map state that it ends in. */
export const logHead = z.object({
  /** Ed25519 public key of the log. */
  key: hash,
  size: z.number().int().positive(),
  root: hash,
  signature: base64Bytes(64),
  map_root: hash,
  /** Seconds since the Unix epoch. */
  time: z.number().int().nonnegative(),
  /** Proof that the state is the last leaf of the tree. */
  path,
  /**
   * Proof that the tree extends the tree of the requested size. Empty when no size was requested or
   * that size is unknown.
   */
  growth: path,
});

/** The log's part of the `keys` response: one proof per address, for its name without a tag. */
export const keyLogAnswer = z.object({ head: logHead, proofs: z.array(keyProof) });

const size = wholeNumber(1, KEY_LOG_SIZE_MAX);

export const keyLogCalls = {
  growth: defineCall({
    method: 'GET',
    path: '/user/key_log/growth',
    access: 'user',
    about:
      'The proof that the log of size `to` contains the log of size `from`; 404 for sizes that the log never had.',
    input: z.object({ from: size, to: size }),
    output: dataOf(z.object({ path })),
  }),
  history: defineCall({
    method: 'GET',
    path: '/user/key_log/history',
    access: 'user',
    about: 'The entries of the log for an address of the caller, oldest version first.',
    input: z.object({ address: emailAddress }),
    output: dataOf(
      z.array(z.object({ version: z.number(), keys: hash, changed_at: z.string() })).max(KEY_LOG_HISTORY_MAX),
    ),
  }),
} as const;
