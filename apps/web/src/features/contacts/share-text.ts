// A share code as people pass it on: the server's part, which finds its owner once, and the proof of the owner's keys, which
// the server cannot make fit other keys (docs/adr/0020). In groups of five, read in any case and with any separators. Pure.
import { SHARE_CODE_CHARACTERS } from '@keyfold/contract/limits';
import { SHARE_PROOF_CHARACTERS } from '@keyfold/crypto/params';

export type ShareText = { readonly code: string; readonly proof: string };

/** The text to copy. */
export const toShareText = ({ code, proof }: ShareText): string =>
  (`${code}${proof}`.match(/.{1,5}/g) ?? []).join('-');

/** What was typed or pasted; null when it cannot be a share code. A code alone has an empty proof. */
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
