/**
 * The text of invitation codes: 80 random bits in the alphabet of Crockford's base 32, in groups of four. Codes are not
 * stored, only their hashes: who reads the database gets in by none of them.
 */
import { createHash, randomInt } from 'node:crypto';
import { INVITATION_CODE_CHARACTERS } from '@keyfold/contract/limits';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const GROUP = /.{4}(?=.)/g;

/** A new code, such as 7K2M-…; its first group is its hint. */
export function makeInvitationCode(): { readonly code: string; readonly hint: string } {
  const letters = Array.from({ length: INVITATION_CODE_CHARACTERS }, () => ALPHABET[randomInt(32)]).join('');
  return { code: letters.replace(GROUP, '$&-'), hint: letters.slice(0, 4) };
}

/** What is stored of a code, whatever case and separators it was typed with. */
export const hashOfInvitation = (code: string): Buffer =>
  createHash('sha256')
    .update(
      code
        .toUpperCase()
        .replaceAll('O', '0')
        .replace(/[IL]/g, '1')
        .replace(/[^0-9A-Z]/g, ''),
    )
    .digest();
