// The mail server that somebody meant: people paste addresses of web pages, names with a port, names in their own letters.

type ImapHost = {
  /** A name in the letters of DNS, or an address without brackets. */
  host: string;
  /** The port that was written with it; null where none was, or one of the Web. */
  port: string | null;
};

const WEB_PORTS: ReadonlySet<string> = new Set(['80', '443']);
/** What the server takes (contract `server-imports`). */
const HOST = /^[a-z0-9._:-]{1,253}$/;

/** Reads what was typed or pasted; null for what can be no mail server. */
export function readImapHost(typed: string): ImapHost | null {
  const text = typed.trim();
  // An IPv6 address as it is.
  if (/^[0-9a-f]*:[0-9a-f:.]*:[0-9a-f:.]*$/i.test(text)) return { host: text.toLowerCase(), port: null };
  const bare = text.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '');
  if (bare === '' || /\s/.test(bare)) return null;
  try {
    // A scheme of the Web, since only for those names become those of DNS.
    const { hostname, username, password } = new URL(`http://${bare}`);
    // What stands before an at sign is an address of mail, not of a server.
    if (!text.includes('://') && `${username}${password}` !== '') return null;
    const host = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
    const port = /^(?:[^/?#]*@)?[^/?#]*[^:/?#]:(\d{1,5})(?:[/?#]|$)/.exec(bare)?.[1] ?? null;
    if (!HOST.test(host) || /^[.-]|\.\./.test(host)) return null;
    return { host, port: port === null || WEB_PORTS.has(port) ? null : port };
  } catch {
    return null;
  }
}

/** Whether a text is a port. */
export const isPort = (text: string): boolean => /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535;
