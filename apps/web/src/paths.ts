// Addresses of the screens (docs/spec-map.md 2), and the translation of the mobile shell's hash
// targets into them. Independent of components and router.
import { term } from './lib/language.ts';

/**
 * The inbox's tag in the path. The specification misspells it, and bookmarks and deep links depend
 * on it.
 */
export const recieved = 'recieved';

export const signinPath = '/app/signin';
export const signupPath = '/app/signup';
export const recoverPath = '/app/recover';
export const inboxPath = '/app/inbox';
export const adminPath = '/app/admin';
/** Path of the settings; on a phone, the list of settings pages. */
export const settingsRoot = '/app/config';
/** Returns the path of a settings page. */
export const settingsPath = (page: string): string => `${settingsRoot}/${page}`;
export const accountPath = settingsPath('account');
/** Returns the path of a security page; without a name, that of the overview. */
export const securityPath = (page?: string): string =>
  page === undefined ? '/app/security' : `/app/security/${page}`;

/** The sessions page for users notified of an action they did not take. */
export const notMePath = `${securityPath('sessions')}?not-me`;

/** Folders in sidebar order: the tag in the path and the displayed name. */
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
 * Returns the path of the page shown before an external link is opened. `named` is the host that
 * the link's text names when the link leads to another host. Both are in the fragment, which
 * browsers never send: an address from an encrypted message may grant access to an account
 * elsewhere and must not reach this server or its logs.
 */
export const linkPath = (url: string, named: string | null = null): string =>
  `/link#url=${encodeURIComponent(url)}${named === null ? '' : `&named=${encodeURIComponent(named)}`}`;

/** Returns the path of the mail view of a tag (a folder or a user's tag) and a page. */
export function mailPath(tag: string, page = 0): string {
  return `/app/inbox/${encodeURIComponent(tag)}/${page}`;
}

/** Screens that need no login. */
const openScreens: ReadonlySet<string> = new Set(['signup', 'signin', 'recover', 'reset', 'rsvp']);

/**
 * Returns whether the login check runs on entry: everywhere except signup, signin, recover, reset,
 * rsvp and link, compared by whole segments.
 */
export function needsLoginCheck(pathname: string): boolean {
  const [first, second] = pathname.split('/').filter(Boolean);
  if (first === 'link') return false;
  return !(first === 'app' && openScreens.has(second ?? ''));
}

/** Decodes one part of a hash; null if it is empty or badly escaped. */
function decodePart(part: string | undefined): string | null {
  if (part === undefined || part === '') return null;
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

/**
 * Returns the path for a hash target of the shell (`#/email/{id}`, `#/calendar/event/{id}`,
 * `#/security`, `#/inbox`), the inbox for anything else that starts with `#/`, or null for a hash
 * that is not a target.
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
