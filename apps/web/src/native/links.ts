// Interprets addresses with which another program, a notification or a web page opens this app
// (docs/spec-map.md 2). All are untrusted: only known forms are accepted, and they lead only to one
// of our own screens or to an unsent draft. Knows no plugin.

import { isAppLink } from '@keyfold/contract/app-links';

/** Maximum length of an id or UID. */
const ID_MAX_CHARS = 1_000;
/** As in the shell's build (apps/mobile/identity.json). */
const scheme = 'keyfold:';
/**
 * Created by the shell for content that other programs share; other programs cannot use it to open
 * the app.
 */
const shareScheme = 'keyfold-share:';

export type LinkTarget =
  /** A hash target of docs/spec-map.md 2. */
  | { readonly kind: 'hash'; readonly hash: string }
  /** A draft: a mail link, and addresses of files to attach. */
  | { readonly kind: 'letter'; readonly mailto: string; readonly files: readonly string[] }
  /** A page of this app on another server. */
  | { readonly kind: 'foreign'; readonly host: string }
  /**
   * A page of our server that the browser opens: the app has no screen for it, or must not keep the
   * secret that it carries.
   */
  | { readonly kind: 'page' };

/** Returns an id from a path, encoded for a hash, or null when it is invalid. */
function idOf(part: string | undefined): string | null {
  if (part === undefined || part === '') return null;
  try {
    const id = decodeURIComponent(part);
    return id.length > ID_MAX_CHARS || /\p{Cc}/u.test(id) ? null : encodeURIComponent(id);
  } catch {
    return null;
  }
}

const inbox = '#/inbox';

/**
 * Returns the target for the parts of an address: the id after `email` or `calendar`, or
 * `security`, else the inbox.
 */
export function hashOf(parts: readonly string[]): string {
  const mail = parts.indexOf('email');
  if (mail >= 0) {
    const id = idOf(parts[mail + 1]);
    return id === null ? inbox : `#/email/${id}`;
  }
  const calendar = parts.indexOf('calendar');
  if (calendar >= 0) {
    const after = parts[calendar + 1] === 'event' ? calendar + 2 : calendar + 1;
    const uid = idOf(parts[after]);
    return uid === null ? inbox : `#/calendar/event/${uid}`;
  }
  return parts.includes('security') ? '#/security' : inbox;
}

const partsOf = (path: string): readonly string[] => path.split('/').filter(Boolean);

/**
 * Returns the target for a page of our server that the app opens (APP_LINK_PATHS), by its entry in
 * paths.ts.
 */
function hashOfPage({ pathname, searchParams, hash }: URL): string {
  if (hash.startsWith('#/')) return hashOf(partsOf(hash.slice(1)));
  const [, page, ...rest] = partsOf(pathname);
  switch (page) {
    case 'inbox': {
      // A tag may be called "email"; the id of the open message is in the query, not in the path.
      const id = searchParams.get('m');
      return id === null ? inbox : hashOf(['email', encodeURIComponent(id)]);
    }
    case 'event':
      return hashOf(['calendar', 'event', ...rest]);
    case 'security':
      return '#/security';
    default:
      return hashOf([page ?? '', ...rest]);
  }
}

function messageOf(url: URL): LinkTarget {
  const all = (name: string) => url.searchParams.getAll(name);
  const fields = [
    ...(['cc', 'bcc', 'subject'] as const).map(name => [
      name,
      all(name).join(name === 'subject' ? ' ' : ','),
    ]),
    ['body', all('text').join('\n')],
  ].filter(([, value]) => value !== '');
  const query = fields.map(([name, value = '']) => `${name}=${encodeURIComponent(value)}`).join('&');
  const to = all('to').map(encodeURIComponent).join(',');
  return { kind: 'letter', mailto: `mailto:${to}?${query}`, files: all('file').filter(isGiven) };
}

/** Content that another program shares for reading, never a path of this app. */
const isGiven = (uri: string): boolean => uri.startsWith('content://');

/**
 * Whether an address begins with its scheme literally. A URL parser skips whitespace before and
 * inside the scheme; other parsers, such as the shell's, do not.
 */
const isPlain = (text: string): boolean => /^[a-z][a-z\d+.-]*:/i.test(text);

/**
 * Returns the meaning of an address, or null for an address to ignore. `ownHost` is the host of the
 * current server; `isFileShared` says whether files are passed by their address, as on iOS.
 */
export function readLink(text: string, ownHost: string, isFileShared: boolean): LinkTarget | null {
  if (!isPlain(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  switch (url.protocol) {
    case scheme:
      // In keyfold://email/5, the first part is in the position of the host.
      return {
        kind: 'hash',
        hash: url.hash.startsWith('#/')
          ? hashOf(partsOf(url.hash.slice(1)))
          : hashOf(partsOf(`${url.host}/${url.pathname}`)),
      };
    case 'https:':
      if (url.host !== ownHost) return { kind: 'foreign', host: url.host };
      return isAppLink(url.pathname) ? { kind: 'hash', hash: hashOfPage(url) } : { kind: 'page' };
    case shareScheme:
      return messageOf(url);
    case 'mailto:':
      return { kind: 'letter', mailto: text, files: [] };
    case 'file:':
      return isFileShared ? { kind: 'letter', mailto: 'mailto:', files: [text] } : null;
    default:
      return null;
  }
}
