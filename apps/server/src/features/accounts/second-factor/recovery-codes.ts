/**
 * Recovery codes: 80 random bits each in Crockford's base 32 alphabet, in groups of four. The
 * stored value is an HMAC under the master key, so that a copy of the database does not help in
 * guessing.
 */
import { randomBytes } from 'node:crypto';
import { RECOVERY_CODES } from '@keyfold/contract/limits';
import type { MasterKey } from '../../../base/master-key.ts';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CHARACTERS = 16;

function makeCode(): string {
  const letters = [...randomBytes(CHARACTERS)].map(byte => ALPHABET[byte % ALPHABET.length]).join('');
  return letters.replace(/(.{4})(?!$)/g, '$1-');
}

/** Returns a full set of new codes. */
export const makeCodes = (): string[] => Array.from({ length: RECOVERY_CODES }, makeCode);

const normalize = (code: string): string =>
  code
    .toUpperCase()
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')
    .replace(/[^0-9A-Z]/g, '');

/**
 * Returns the stored hash of a code, independent of the case and separators in which it was typed.
 */
export const hashOfCode = (masterKey: MasterKey, userId: string, code: string): Buffer =>
  masterKey.digest('recovery code', userId, normalize(code));
