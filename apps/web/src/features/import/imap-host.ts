// Parses the mail server that the user entered: users paste web addresses, names with a port, and
// internationalized names.

type ImapHost = {
  /** A DNS name in ASCII, or an IP address without brackets. */
  host: string;
  /** The port in the input; null if there was none, or a web port. */
  port: string | null;
};

const WEB_PORTS: ReadonlySet<string> = new Set(['80', '443']);
/** Hosts that the server accepts (contract `server-imports`). */
const HOST = /^[a-z0-9._:-]{1,253}$/;

/** Parses typed or pasted text; returns null if it cannot be a mail server. */
export function readImapHost(typed: string): ImapHost | null {
  const text = typed.trim();
  // A plain IPv6 address.
  if (/^[0-9a-f]*:[0-9a-f:.]*:[0-9a-f:.]*$/i.test(text)) return { host: text.toLowerCase(), port: null };
  const bare = text.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '');
  if (bare === '' || /\s/.test(bare)) return null;
  try {
    // A web scheme, because only with it the URL parser converts names to ASCII.
    const { hostname, username, password } = new URL(`http://${bare}`);
    // Text before an at sign is part of an email address, not of a server name.
    if (!text.includes('://') && `${username}${password}` !== '') return null;
    const host = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
    const port = /^(?:[^/?#]*@)?[^/?#]*[^:/?#]:(\d{1,5})(?:[/?#]|$)/.exec(bare)?.[1] ?? null;
    if (!HOST.test(host) || /^[.-]|\.\./.test(host)) return null;
    return { host, port: port === null || WEB_PORTS.has(port) ? null : port };
  } catch {
    return null;
  }
}

/** Returns whether a text is a port number. */
export const isPort = (text: string): boolean => /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535;
