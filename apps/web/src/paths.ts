// The addresses of the screens (docs/spec-map.md 2) and the hash targets of the mobile shell translated into them.
// Knows no component and no router.
import { term } from './lib/language.ts';

/** The inbox's tag in the path. Misspelt in the specification and kept: it stands in bookmarks and deep links. */
export const recieved = 'recieved';

export const signinPath = '/app/signin';
export const signupPath = '/app/signup';
export const recoverPath = '/app/recover';
export const inboxPath = '/app/inbox';
export const adminPath = '/app/admin';
/** The settings; on a phone the list of their pages. */
export const settingsRoot = '/app/config';
/** A page of the settings. */
export const settingsPath = (page: string): string => `${settingsRoot}/${page}`;
export const accountPath = settingsPath('account');
/** A page of the security area; its overview without a name. */
export const securityPath = (page?: string): string =>
  page === undefined ? '/app/security' : `/app/security/${page}`;

/** The sessions for who got word of something they did not do. */
export const notMePath = `${securityPath('sessions')}?not-me`;

/** The folders in the order of the sidebar: the tag of the path and the name people read. */
export const folders = [
  { tag: recieved, label: term('Inbox') },
  { tag: 'starred', label: term('Starred') },
  { tag: 'sent', label: term('Sent') },
  { tag: 'scheduled', label: term('Scheduled') },
  { tag: 'snoozed', label: term('Snoozed') },
  { tag: 'drafts', label: term('Drafts') },
  { tag: 'archived', label: term('Archive') },
  { tag: 'flagged', label: term('Spam') },
  { tag: 'deleted', label: term('Deleted') },
  { tag: 'all', label: term('All mail') },
] as const;

export type FolderTag = (typeof folders)[number]['tag'];

/**
 * The page that is shown before a link of a stranger is opened; `named` is the host that its words name when it leads to
 * another. Both stand in the fragment, which browsers send to nobody: an address out of a sealed mail, which may open an
 * account elsewhere, is not for the server and its logs.
 */
export const linkPath = (url: string, named: string | null = null): string =>
  `/link#url=${encodeURIComponent(url)}${named === null ? '' : `&named=${encodeURIComponent(named)}`}`;

/** The mail view of a tag (a folder or a tag of the user) and a page. */
export function mailPath(tag: string, page = 0): string {
  return `/app/inbox/${encodeURIComponent(tag)}/${page}`;
}

/** What everybody may open. */
const openScreens: ReadonlySet<string> = new Set(['signup', 'signin', 'recover', 'reset', 'rsvp']);

/**
 * Whether the login check runs on entry: everywhere except signup, signin, recover, reset, rsvp and link, compared by whole
 * segments.
 */
export function needsLoginCheck(pathname: string): boolean {
  const [first, second] = pathname.split('/').filter(Boolean);
  if (first === 'link') return false;
  return !(first === 'app' && openScreens.has(second ?? ''));
}

/** One part of a hash, decoded; null when it is empty or badly escaped. */
function decodePart(part: string | undefined): string | null {
  if (part === undefined || part === '') return null;
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

/**
 * The path for a hash target of the shell (`#/email/{id}`, `#/calendar/event/{id}`, `#/security`, `#/inbox`), the inbox
 * for anything else that starts with `#/`, and null for a hash that is not a target.
 */
export function pathForHash(hash: string): string | null {
  if (!hash.startsWith('#/')) return null;
  const [kind, second, third] = hash.slice(2).split('/');
  if (kind === 'email') {
    const id = decodePart(second);
    return id === null ? inboxPath : `${mailPath('all')}?m=${encodeURIComponent(id)}`;
  }
  if (kind === 'calendar' && second === 'event') {
    const uid = decodePart(third);
    return uid === null ? inboxPath : `/app/event/${encodeURIComponent(uid)}`;
  }
  return kind === 'security' ? securityPath() : inboxPath;
}
