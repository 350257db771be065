/**
 * Decides which URLs may receive a secret or a browser redirect: those with TLS, or on this machine
 * in trials. Base layer: opens no connection.
 */

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Returns whether a browser may be sent from our page to this URL. */
export function isSafePage(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));
}

/** Returns whether a text is a safe URL that consists of an origin only. */
export function isSafeOrigin(text: string): boolean {
  if (!isSafePage(text)) return false;
  const { pathname, search, hash, username, password } = new URL(text);
  return pathname === '/' && `${search}${hash}${username}${password}` === '';
}
