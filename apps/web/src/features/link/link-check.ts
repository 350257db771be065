// Looks at the address somebody is about to open: what it is without its query, which host it names, and whether that
// host is made to look like another. docs/spec-map.md 2.02, 2.04; opening and showing is the screen's work.
import { INVISIBLE } from '@keyfold/mail/invisible';

export type CheckedLink = {
  /** The address as it was given, with invisible characters percent-encoded. */
  original: string;
  /** Everything before the first question mark. */
  stripped: string;
  /** The stripped address in three parts, so that the host can be shown in bold; null when it is no address. */
  parts: { before: string; host: string; after: string } | null;
  /** Only http and https are ever opened. */
  canOpen: boolean;
  /** The host in ASCII, when it holds letters that imitate others or came as punycode. */
  lookalikeHost: string | null;
  /** Whether the address held characters that are invisible or turn the direction of text. */
  hasHidden: boolean;
};

/** Separators and odd blanks: in an address they are as good as invisible. */
const BLANK = /[\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;

/** The same address with hidden characters percent-encoded, as a browser sends them in a path or query. */
const showHidden = (url: string) =>
  url.replace(INVISIBLE, encodeURIComponent).replace(BLANK, encodeURIComponent);

/** What the page is asked to show, as its own address says it; null where nothing is. */
export type AskedLink = { readonly url: string | null; readonly named: string | null };

/**
 * Reads the page's own address. Our own links stand in its fragment; the query is where docs/spec-map.md 2 has them, for whoever
 * links here from elsewhere.
 */
export function readAskedLink({ search, hash }: Pick<Location, 'hash' | 'search'>): AskedLink {
  const inFragment = new URLSearchParams(hash.replace(/^#/, ''));
  const fields = inFragment.has('url') ? inFragment : new URLSearchParams(search);
  return { url: fields.get('url'), named: fields.get('named') };
}

/** The address without its query string. */
function stripQuery(url: string): string {
  const mark = url.indexOf('?');
  return mark === -1 ? url : url.slice(0, mark);
}

function splitAtHost(stripped: string): CheckedLink['parts'] {
  const match = /^([a-z][a-z0-9+.-]*:\/\/(?:[^/#]*@)?)(\[[^\]/#]*\]|[^/:#[\]]+)(.*)$/isu.exec(stripped);
  if (match === null) return null;
  return { before: match[1] ?? '', host: match[2] ?? '', after: match[3] ?? '' };
}

/** Whether the host that would be shown in bold is the one that a browser would go to. */
function showsHost(stripped: string, hostname: string): boolean {
  if (/[\s\p{Cc}\\]/u.test(stripped)) return false;
  const shown = splitAtHost(stripped)?.host ?? '';
  return URL.canParse(`https://${shown}`) && new URL(`https://${shown}`).hostname === hostname;
}

/** What the link screen shows for the `url` parameter, or null when there is none. */
export function checkLink(url: string | null): CheckedLink | null {
  if (url === null || url.trim() === '') return null;
  const given = url.trim();
  const original = showHidden(given);
  let parsed: URL | null = null;
  try {
    parsed = new URL(given);
  } catch {
    parsed = null;
  }
  const canOpen = parsed !== null && (parsed.protocol === 'https:' || parsed.protocol === 'http:');
  const asciiHost = parsed?.hostname ?? '';
  const asGiven = stripQuery(original);
  // Browsers take a backslash for a slash and drop line breaks: where that changes the host, theirs is shown.
  const stripped =
    parsed === null || !canOpen || showsHost(asGiven, asciiHost)
      ? asGiven
      : stripQuery(showHidden(parsed.href));
  const isLookalike = canOpen && asciiHost.split('.').some(label => label.startsWith('xn--'));
  return {
    original,
    stripped,
    parts: splitAtHost(stripped),
    canOpen,
    lookalikeHost: isLookalike ? asciiHost : null,
    hasHidden: original !== given,
  };
}

/** The host that the words of the link named, as the reader passes it on, when it is one and not the link's own. */
export function namedHost(named: string | null, url: string | null): string | null {
  if (named === null || named.length > 253 || !/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i.test(named)) return null;
  const own = url !== null && URL.canParse(url.trim()) ? new URL(url.trim()).hostname : '';
  return own === named || own.endsWith(`.${named}`) ? null : named;
}
