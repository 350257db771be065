/**
 * Parses the server address a user types into an origin (docs/spec-map.md 7.02,
 * docs/interpretations.md#80): plain http is allowed only for the user's own machine and the
 * emulator's name for it, and becomes https everywhere else. Makes no network requests.
 */

/**
 * Hosts for which http is kept: the device itself, and the Android emulator's name for its host.
 * The projects of both systems allow these.
 */
export const OWN_HOSTS = new Set(['localhost', '127.0.0.1', '10.0.2.2']);
/** Longer than any origin. */
const MAX_CHARACTERS = 300;

/**
 * Returns an origin, or null for text that is not a server address. The address of a page yields
 * the origin of its server.
 */
export function readServerAddress(text) {
  const given = text.trim();
  if (given === '' || given.length > MAX_CHARACTERS || /\s/.test(given)) return null;
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(given);
  const full = hasScheme ? given : `https://${given}`;
  if (!URL.canParse(full)) return null;
  const url = new URL(full);
  if (!['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '') return null;
  const isOwn = OWN_HOSTS.has(url.hostname);
  // A name without a dot is a machine in the user's own network, where certificates are rare. Mail
  // must still not travel over plain http there.
  const scheme = url.protocol === 'http:' && isOwn ? 'http' : 'https';
  return `${scheme}://${url.host}`;
}
