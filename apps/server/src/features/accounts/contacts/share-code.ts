/**
 * The text of share codes: 128 random bits in the alphabet of Crockford's base 32, which has no letters that look like
 * digits. Codes are not stored, only their hashes.
 */
import { createHash, randomBytes } from 'node:crypto';
import { SHARE_CODE_CHARACTERS } from '@keyfold/contract/limits';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const BITS_PER_CHARACTER = 5n;
const CODE_BYTES = 16;

/** A new code. */
export function makeShareCode(): string {
  let rest = BigInt(`0x${randomBytes(CODE_BYTES).toString('hex')}`);
  let code = '';
  while (code.length < SHARE_CODE_CHARACTERS) {
    code = (ALPHABET[Number(rest & 31n)] ?? '') + code;
    rest >>= BITS_PER_CHARACTER;
  }
  return code;
}

/** What is stored of a code, whatever case and separators it was typed with. */
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
