/**
 * What somebody types for their server, as an origin (docs/spec-map.md 7.02, docs/interpretations.md#80): plain http is for one's
 * own machine and for the emulator's name of it, and becomes https everywhere else. Knows no network.
 */

/** Hosts to which http stays http: the device itself, and Android's emulator's name for it. The projects of both systems allow these. */
export const OWN_HOSTS = new Set(['localhost', '127.0.0.1', '10.0.2.2']);
/** More than any origin has. */
const MAX_CHARACTERS = 300;

/** An origin, or null for what is no address of a server. A page's address gives that of its server. */
export function readServerAddress(text) {
  const given = text.trim();
  if (given === '' || given.length > MAX_CHARACTERS || /\s/.test(given)) return null;
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(given);
  const full = hasScheme ? given : `https://${given}`;
  if (!URL.canParse(full)) return null;
  const url = new URL(full);
  if (!['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '') return null;
  const isOwn = OWN_HOSTS.has(url.hostname);
  // A name without a dot is a machine in one's own network, where certificates are rare; but mail is not for such wires.
  const scheme = url.protocol === 'http:' && isOwn ? 'http' : 'https';
  return `${scheme}://${url.host}`;
}
