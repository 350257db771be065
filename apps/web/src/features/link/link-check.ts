// Analyzes the address of a link before it is opened: its form without query, its host, and whether
// that host imitates another one. docs/spec-map.md 2.02, 2.04. The screen displays and opens it.
import { INVISIBLE } from '@keyfold/mail/invisible';

export type CheckedLink = {
  /** The address as given, with invisible characters percent-encoded. */
  original: string;
  /** Everything before the first question mark. */
  stripped: string;
  /**
   * The stripped address in three parts, so that the host can be shown in bold; null when it is not
   * a valid address.
   */
  parts: { before: string; host: string; after: string } | null;
  /** Only http and https addresses can be opened. */
  canOpen: boolean;
  /** The host in ASCII, if it contains confusable characters or was given as punycode. */
  lookalikeHost: string | null;
  /**
   * Whether the address contains invisible characters or characters that change the text direction.
   */
  hasHidden: boolean;
};

/** Separators and unusual spaces: in an address they are practically invisible. */
const BLANK = /[\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;

/**
 * Returns the address with hidden characters percent-encoded, as a browser sends them in a path or
 * query.
 */
const showHidden = (url: string) =>
  url.replace(INVISIBLE, encodeURIComponent).replace(BLANK, encodeURIComponent);

/** The link to show, from the page's own address; null where there is none. */
export type AskedLink = { readonly url: string | null; readonly named: string | null };

/**
 * Parses the page's own address. Keyfold's own links use the fragment; the query is the place that
 * docs/spec-map.md 2 defines, for links from other sites.
 */
export function readAskedLink({ search, hash }: Pick<Location, 'hash' | 'search'>): AskedLink {
  const inFragment = new URLSearchParams(hash.replace(/^#/, ''));
  const fields = inFragment.has('url') ? inFragment : new URLSearchParams(search);
  return { url: fields.get('url'), named: fields.get('named') };
}

/** Returns the address without its query string. */
function stripQuery(url: string): string {
  const mark = url.indexOf('?');
  return mark === -1 ? url : url.slice(0, mark);
}

function splitAtHost(stripped: string): CheckedLink['parts'] {
  const match = /^([a-z][a-z0-9+.-]*:\/\/(?:[^/#]*@)?)(\[[^\]/#]*\]|[^/:#[\]]+)(.*)$/isu.exec(stripped);
  if (match === null) return null;
  return { before: match[1] ?? '', host: match[2] ?? '', after: match[3] ?? '' };
}

/** Returns whether the host that would be shown in bold is the one that a browser would open. */
function showsHost(stripped: string, hostname: string): boolean {
  if (/[\s\p{Cc}\\]/u.test(stripped)) return false;
  const shown = splitAtHost(stripped)?.host ?? '';
  return URL.canParse(`https://${shown}`) && new URL(`https://${shown}`).hostname === hostname;
}

/** Returns what the link screen shows for the `url` parameter, or null when there is none. */
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
  // Browsers treat a backslash as a slash and drop line breaks; where that changes the host, show
  // the browser's interpretation.
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

/**
 * Returns the host that the link text names, as passed on by the reader, if it is a valid host
 * other than the link's own.
 */
export function namedHost(named: string | null, url: string | null): string | null {
  if (named === null || named.length > 253 || !/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i.test(named)) return null;
  const own = url !== null && URL.canParse(url.trim()) ? new URL(url.trim()).hostname : '';
  return own === named || own.endsWith(`.${named}`) ? null : named;
}
