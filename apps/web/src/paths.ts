// The addresses of the screens (spec §2) and the hash targets of the mobile shell translated into them.
// Knows no component and no router.

/** The inbox's tag in the path. Misspelt in the specification and kept: it stands in bookmarks and deep links. */
export const recieved = 'recieved';

export const signinPath = '/app/signin';
export const signupPath = '/app/signup';
export const inboxPath = '/app/inbox';
export const accountPath = '/app/config/account';

/** The folders in the order of the sidebar: the tag of the path and the name people read. */
export const folders = [
  { tag: recieved, label: 'Inbox' },
  { tag: 'starred', label: 'Starred' },
  { tag: 'sent', label: 'Sent' },
  { tag: 'drafts', label: 'Drafts' },
  { tag: 'archived', label: 'Archive' },
  { tag: 'flagged', label: 'Flagged' },
  { tag: 'deleted', label: 'Deleted' },
  { tag: 'all', label: 'All mail' },
] as const;

export type FolderTag = (typeof folders)[number]['tag'];

/** The mail view of a tag (a folder or a tag of the user) and a page. */
export function mailPath(tag: string, page = 0): string {
  return `/app/inbox/${encodeURIComponent(tag)}/${page}`;
}

/** Whether the login check runs on entry: everywhere except signup, signin and link, compared by whole segments. */
export function needsLoginCheck(pathname: string): boolean {
  const [first, second] = pathname.split('/').filter(Boolean);
  if (first === 'link') return false;
  return !(first === 'app' && (second === 'signup' || second === 'signin'));
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
    return uid === null ? inboxPath : `${mailPath('all')}?event=${encodeURIComponent(uid)}`;
  }
  return kind === 'security' ? '/app/security' : inboxPath;
}
