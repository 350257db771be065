// The recovery kit: 24 words that open the vault when the password is lost (docs/acceptance.md 5;
// docs/api-conventions.md#auth). The phrase is 256 random bits and 8 checksum bits, 11 bits per
// word. Because it is random, it needs no slow derivation. [Note: Recovery] HKDF-SHA256, with the
// SHA-256 of the registration address as salt, derives two values from the phrase: a recovery key
// that locks a second main_key (vault.ts, lockVault), and a proof that the server may see and
// stores only as a hash. Neither reveals anything about the other. Client only: the server never
// imports this file.

import { concatBytes, encodeHex, wipe } from './bytes.ts';
import { normalizeEmail } from './derivation.ts';
import { CryptoError, failAs } from './errors.ts';
import {
  RECOVERY_ENTROPY_BYTES,
  RECOVERY_KEY_INFO,
  RECOVERY_PROOF_BYTES,
  RECOVERY_PROOF_INFO,
  RECOVERY_WORD_BITS,
  RECOVERY_WORD_COUNT,
  VAULT_KEY_BYTES,
} from './params.ts';
import { type Bytes, encodeUtf8 } from './platform.ts';
import { getPrimitives } from './primitives/select.ts';
import { readRecoveryPhrase } from './recovery-phrase.ts';
import { RECOVERY_WORDS } from './recovery-words.ts';

const POSITIONS: ReadonlyMap<string, number> = new Map(RECOVERY_WORDS.map((word, i) => [word, i]));

/** Secrets derived from a phrase. The caller wipes `recoveryKey`. */
export type RecoverySecrets = {
  /** 32 bytes that lock and unlock the recovery copy of main_key, like a vault key. Never sent. */
  readonly recoveryKey: Bytes;
  /** 64 hex digits that prove to the server that the client knows the phrase. */
  readonly proof: string;
};

/** Returns a new phrase of 24 words, separated by single spaces. */
export async function createRecoveryPhrase(): Promise<string> {
  const { random, sha256 } = await getPrimitives();
  const entropy = random(RECOVERY_ENTROPY_BYTES);
  const bytes = concatBytes(entropy, (await sha256(entropy)).subarray(0, 1));
  try {
    return wordsOf(bytes).join(' ');
  } finally {
    wipe(entropy, bytes);
  }
}

/**
 * Returns whether `word`, as typed, is in the list; case and surrounding whitespace do not matter.
 */
export function isRecoveryWord(word: string): boolean {
  return POSITIONS.has(word.trim().toLowerCase());
}

/**
 * Returns the secrets of a phrase as typed. Throws 'Recovery phrase is not valid' for an unknown
 * word, a wrong count or a wrong checksum.
 */
export async function deriveRecovery(phrase: string, kdfEmail: string): Promise<RecoverySecrets> {
  return failAs('recovery_phrase_invalid', async () => {
    const { hkdfSha256, sha256 } = await getPrimitives();
    const bytes = bytesOf(readRecoveryPhrase(phrase));
    const entropy = bytes.subarray(0, RECOVERY_ENTROPY_BYTES);
    try {
      if ((await sha256(entropy))[0] !== bytes[RECOVERY_ENTROPY_BYTES])
        throw new CryptoError('recovery_phrase_invalid', new Error('Checksum'));
      const salt = await sha256(encodeUtf8(normalizeEmail(kdfEmail)));
      const key = await hkdfSha256(entropy);
      try {
        const recoveryKey = await key.bytes(salt, encodeUtf8(RECOVERY_KEY_INFO), VAULT_KEY_BYTES);
        const proof = await key.bytes(salt, encodeUtf8(RECOVERY_PROOF_INFO), RECOVERY_PROOF_BYTES);
        return { recoveryKey, proof: encodeHex(proof) };
      } finally {
        key.wipe();
      }
    } finally {
      wipe(bytes);
    }
  });
}

function wordsOf(bytes: Uint8Array): string[] {
  const words: string[] = [];
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    bits = (bits << 8) | byte;
    held += 8;
    if (held < RECOVERY_WORD_BITS) continue;
    held -= RECOVERY_WORD_BITS;
    words.push(RECOVERY_WORDS[bits >> held] as string);
    bits &= (1 << held) - 1;
  }
  return words;
}

function bytesOf(words: readonly string[]): Bytes {
  if (words.length !== RECOVERY_WORD_COUNT) throw new RangeError('Word count');
  const bytes = new Uint8Array(RECOVERY_ENTROPY_BYTES + 1);
  let offset = 0;
  let bits = 0;
  let held = 0;
  for (const word of words) {
    const position = POSITIONS.get(word);
    if (position === undefined) throw new RangeError('Unknown word');
    bits = (bits << RECOVERY_WORD_BITS) | position;
    held += RECOVERY_WORD_BITS;
    for (; held >= 8; held -= 8) bytes[offset++] = bits >> (held - 8);
    bits &= (1 << held) - 1;
  }
  return bytes;
}
