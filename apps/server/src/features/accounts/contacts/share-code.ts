/**
 * Text form of share codes: 128 random bits in Crockford's base 32 alphabet, which has no
 * characters that look like digits. Only the hashes of codes are stored.
 */
import { createHash, randomBytes } from 'node:crypto';
import { SHARE_CODE_CHARACTERS } from '@keyfold/contract/limits';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const BITS_PER_CHARACTER = 5n;
const CODE_BYTES = 16;

export function makeShareCode(): string {
  let rest = BigInt(`0x${randomBytes(CODE_BYTES).toString('hex')}`);
  let code = '';
  while (code.length < SHARE_CODE_CHARACTERS) {
    code = (ALPHABET[Number(rest & 31n)] ?? '') + code;
    rest >>= BITS_PER_CHARACTER;
  }
  return code;
}

/**
 * Returns the stored hash of a code, independent of the case and separators in which it was typed.
 */
export const hashOfShareCode = (code: string): Buffer =>
  createHash('sha256')
    .update(
      code
        .toUpperCase()
        .replaceAll('O', '0')
        .replace(/[IL]/g, '1')
        .replace(/[^0-9A-Z]/g, ''),
    )
    .digest();
