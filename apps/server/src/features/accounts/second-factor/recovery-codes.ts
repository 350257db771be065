/**
 * Recovery codes: 80 random bits each in the alphabet of Crockford's base 32, in groups of four. What is stored is an HMAC
 * under the master key, so that a copy of the database is no help in guessing.
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

/** As many new codes as are made at a time. */
export const makeCodes = (): string[] => Array.from({ length: RECOVERY_CODES }, makeCode);

const normalize = (code: string): string =>
  code
    .toUpperCase()
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')
    .replace(/[^0-9A-Z]/g, '');

/** What is stored of a code, whatever case and separators it was typed with. */
export const hashOfCode = (masterKey: MasterKey, userId: string, code: string): Buffer =>
  masterKey.digest('recovery code', userId, normalize(code));
