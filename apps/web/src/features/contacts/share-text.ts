// A share code in the form that users exchange: the server's part, which identifies the owner once,
// and the proof of the owner's keys, which the server cannot forge for other keys (docs/adr/0020).
// Written in groups of five; accepted in any case and with any separators. Pure.
import { SHARE_CODE_CHARACTERS } from '@keyfold/contract/limits';
import { SHARE_PROOF_CHARACTERS } from '@keyfold/crypto/params';

export type ShareText = { readonly code: string; readonly proof: string };

/** Returns the text to copy. */
export const toShareText = ({ code, proof }: ShareText): string =>
  (`${code}${proof}`.match(/.{1,5}/g) ?? []).join('-');

/**
 * Parses typed or pasted text; returns null when it cannot be a share code. A code without a proof
 * has an empty one.
 */
export function readShareText(text: string): ShareText | null {
  const plain = text
    .toUpperCase()
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')
    .replace(/[\s\-_.]/g, '');
  if (!/^[0-9A-HJKMNP-TV-Z]+$/.test(plain)) return null;
  const proof = plain.slice(SHARE_CODE_CHARACTERS);
  const isWhole = proof === '' || proof.length === SHARE_PROOF_CHARACTERS;
  return isWhole && plain.length >= SHARE_CODE_CHARACTERS
    ? { code: plain.slice(0, SHARE_CODE_CHARACTERS), proof }
    : null;
}
