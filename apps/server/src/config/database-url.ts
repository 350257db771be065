/**
 * Parses DATABASE_URL, which names one server of a PostgreSQL cluster, or several in libpq's
 * notation (`postgres://keyfold@one:5432,two:5432/keyfold`), of which one accepts writes. Base
 * layer: opens no connection.
 */

/** Protocol with user and password, hosts, and the rest. */
const PARTS = /^([a-z]+:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/i;

/** Returns the URL of each server that a URL names, in order; the URL itself when it names none. */
export function serverUrls(url: string): string[] {
  const [, head, hosts = '', tail = ''] = PARTS.exec(url) ?? [];
  return head === undefined ? [url] : hosts.split(',').map(host => head + host + tail);
}
