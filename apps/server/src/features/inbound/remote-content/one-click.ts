/**
 * Decides which URL the server may post to for a reader, to unsubscribe from a list with one click
 * (RFC 8058). While external mail is readable, its signature is checked and shows which URL it
 * covers; afterwards the headers are sealed. A keyed MAC of the covered URL therefore goes into our
 * own Authentication-Results field. It does not reveal the URL, matches only this URL in this
 * message of this reader, and only this server can create it. Mail between users and imported mail
 * have none.
 */
import { timingSafeEqual } from 'node:crypto';
import { readAuthenticationResults } from '@keyfold/mail/mime/stored-headers';
import type { MasterKey } from '../../../base/master-key.ts';

export type OneClick = {
  readonly userId: string;
  /** SHA-256 of the sealed body, unique to this message. */
  readonly binding: Uint8Array;
  readonly url: string;
};

const markOf = (masterKey: MasterKey, { userId, binding, url }: OneClick): Buffer =>
  masterKey.digest('one click', userId, Buffer.from(binding).toString('hex'), url);

/** Returns the text to append to the value of our Authentication-Results field. */
export const formatOneClick = (masterKey: MasterKey, oneClick: OneClick): string =>
  `; x-one-click=pass policy.mark=${markOf(masterKey, oneClick).toString('base64url')}`;

/** Returns whether stored headers allow posting to this URL. */
export function isOneClick(masterKey: MasterKey, headers: string, oneClick: OneClick): boolean {
  const mark = markOf(masterKey, oneClick);
  return readAuthenticationResults(headers)
    .flatMap(value => [...value.matchAll(/;\s*x-one-click=pass\s+policy\.mark=([A-Za-z0-9_-]+)/g)])
    .some(([, text = '']) => {
      const given = Buffer.from(text, 'base64url');
      return given.length === mark.length && timingSafeEqual(given, mark);
    });
}
