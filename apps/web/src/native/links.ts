// What an address means that another program, a notification or a web page opens this one with (docs/spec-map.md 2). Every
// one is hostile until read: only known forms count, and what they lead to is one of our own screens or a letter that nobody
// has sent. Knows no plugin.

import { isAppLink } from '@keyfold/contract/app-links';

/** Longest id or UID that is looked for. */
const ID_MAX_CHARS = 1_000;
/** As the shell's build names it (apps/mobile/identity.json). */
const scheme = 'keyfold:';
/** Made by the shell itself of what other programs share; it lets nobody else in with it. */
const shareScheme = 'keyfold-share:';

export type LinkTarget =
  /** A hash target of docs/spec-map.md 2. */
  | { readonly kind: 'hash'; readonly hash: string }
  /** A letter to write: a mail link, and addresses of files to attach. */
  | { readonly kind: 'letter'; readonly mailto: string; readonly files: readonly string[] }
  /** A page of this program at another server. */
  | { readonly kind: 'foreign'; readonly host: string }
  /** A page of our server that a browser opens: the app has no screen for it, or must not keep the secret that it carries. */
  | { readonly kind: 'page' };

/** An id out of a path, encoded for a hash, or null when it cannot be one. */
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

/** The target for the parts of an address: what stands after `email` or `calendar`, `security`, else the inbox. */
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

/** The target for a page of our server that the app opens (APP_LINK_PATHS), by its place in paths.ts. */
function hashOfPage({ pathname, searchParams, hash }: URL): string {
  if (hash.startsWith('#/')) return hashOf(partsOf(hash.slice(1)));
  const [, page, ...rest] = partsOf(pathname);
  switch (page) {
    case 'inbox': {
      // A tag may be called "email"; the mail that is open stands beside the path.
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

/** What another program lends for reading: never a path of ours. */
const isGiven = (uri: string): boolean => uri.startsWith('content://');

/** An address that begins with its scheme as it stands. A URL parser skips blanks before it and in it; others, the shell's, do not. */
const isPlain = (text: string): boolean => /^[a-z][a-z\d+.-]*:/i.test(text);

/**
 * What an address means, or null for one that means nothing here and is dropped. `ownHost` is the host of the server in use;
 * `isFileShared` says whether files are handed over by their address, as iOS does.
 */
export function readLink(text: string, ownHost: string, isFileShared: boolean): LinkTarget | null {
  if (!isPlain(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  switch (url.protocol) {
    case scheme:
      // keyfold://email/5 has its first part where a host would stand.
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
