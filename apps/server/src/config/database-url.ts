/**
 * DATABASE_URL names one server of a PostgreSQL cluster, or several as libpq writes it
 * (`postgres://keyfold@one:5432,two:5432/keyfold`), of which one takes changes. Ground: nothing is opened here.
 */

/** Protocol with user and password, hosts, and the rest. */
const PARTS = /^([a-z]+:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/i;

/** The URL of each server that a URL names, in its order; the URL itself when it names none. */
export function serverUrls(url: string): string[] {
  const [, head, hosts = '', tail = ''] = PARTS.exec(url) ?? [];
  return head === undefined ? [url] : hosts.split(',').map(host => head + host + tail);
}
