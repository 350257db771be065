/**
 * Which addresses are told a secret, or a browser is sent to: TLS, or this machine in trials. Ground: nothing is asked here.
 */

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Whether a page at this address may take the place of ours. */
export function isSafePage(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));
}

/** Whether a text is a safe address and no more than an origin. */
export function isSafeOrigin(text: string): boolean {
  if (!isSafePage(text)) return false;
  const { pathname, search, hash, username, password } = new URL(text);
  return pathname === '/' && `${search}${hash}${username}${password}` === '';
}
