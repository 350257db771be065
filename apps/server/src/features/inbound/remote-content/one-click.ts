/**
 * Which address a mail's reader may have us post to, to leave a list with one click (RFC 8058). While a mail from outside
 * is readable its signature is checked, and what it covers is known; afterwards its headers are sealed. So a keyed mark
 * of the one address that was covered goes into our own Authentication-Results: it names nothing, fits this address in
 * this mail of this reader alone, and nobody else can make one. Mail between users and imported mail have none.
 */
import { timingSafeEqual } from 'node:crypto';
import { readAuthenticationResults } from '@keyfold/mail/mime/stored-headers';
import type { MasterKey } from '../../../base/master-key.ts';

export type OneClick = {
  readonly userId: string;
  /** SHA-256 of the sealed body, which no other mail has. */
  readonly binding: Uint8Array;
  readonly url: string;
};

const markOf = (masterKey: MasterKey, { userId, binding, url }: OneClick): Buffer =>
  masterKey.digest('one click', userId, Buffer.from(binding).toString('hex'), url);

/** What is appended to the value of our Authentication-Results field. */
export const formatOneClick = (masterKey: MasterKey, oneClick: OneClick): string =>
  `; x-one-click=pass policy.mark=${markOf(masterKey, oneClick).toString('base64url')}`;

/** Whether stored headers say that this address may be posted to. */
export function isOneClick(masterKey: MasterKey, headers: string, oneClick: OneClick): boolean {
  const mark = markOf(masterKey, oneClick);
  return readAuthenticationResults(headers)
    .flatMap(value => [...value.matchAll(/;\s*x-one-click=pass\s+policy\.mark=([A-Za-z0-9_-]+)/g)])
    .some(([, text = '']) => {
      const given = Buffer.from(text, 'base64url');
      return given.length === mark.length && timingSafeEqual(given, mark);
    });
}
