// Classifies the files of an archive by path and maps them to folders: single messages, mbox files,
// Maildir folders (cr.yp.to/proto/maildir, and Maildir++ with its dots), address cards.

import { decodeFolderName } from '../folder-name.ts';
import type { FolderPath, MailFlags } from '../items.ts';
import { ARCHIVE_DEPTH_MAX } from '../limits.ts';

export type EntryKind = 'eml' | 'msg' | 'maildir' | 'mbox' | 'vcard' | 'unsure' | 'unsupported' | 'none';

export type EntryPlace = {
  kind: EntryKind;
  folder: FolderPath;
  /** The file's own name. */
  name: string;
  /** Flags of a message in a Maildir. */
  flags?: Partial<MailFlags>;
  labels?: readonly string[];
};

/**
 * Kinds by extension. With any other extension, the beginning of the file decides: a folder may be
 * called `Project 2.0`.
 */
const KINDS: ReadonlyMap<string, EntryKind> = new Map([
  ...['eml', 'emlx'].map(extension => [extension, 'eml'] as const),
  ...['mbox', 'mbx', 'mbs'].map(extension => [extension, 'mbox'] as const),
  ['msg', 'msg'] as const,
  ['vcf', 'vcard'] as const,
  ...['pst', 'ost', 'zip', 'gz', 'tgz'].map(extension => [extension, 'unsupported'] as const),
  // Files that accompany mail: indexes, pages, pictures.
  ...'msf dat html htm css js json png jpg jpeg gif webp svg ico'
    .split(' ')
    .map(extension => [extension, 'none'] as const),
]);
/** Files that operating systems and mail servers leave among mail. */
const BESIDE =
  /^(?:\.|Thumbs\.db$|dovecot(?:[.-]|$)|courierimap|courierpop3|maildirfolder$|maildirsize$|subscriptions$|desktop\.ini$)/i;
/** Flags at the end of a Maildir file name; archives for Windows cannot contain its colon. */
const MAILDIR_STATE = /[:;!,_-]2,([A-Za-z]*)$/;

function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1).toLowerCase();
}

/** Maps directories to folders by removing the suffixes that programs add to their names. */
const toFolder = (directories: readonly string[]): string[] =>
  directories.map(name => name.replace(/\.(?:sbd|i?mbox|imapmbox)$/i, '')).filter(name => name !== '');

/**
 * Directories that Apple Mail puts between a folder and its messages; attachment files are next to
 * those.
 */
const APPLE_INNER = /^(?:Messages|Data|\d{1,3}|V\d{1,2}|[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12})$/i;
const APPLE_FILES = /(?:^|\/)Attachments\/\d+\/[\d.]+\//;

/** Returns the folder of an Apple Mail message: `Work.mbox/UUID/Data/1/Messages` is Work. */
function toAppleFolder(directories: readonly string[]): string[] {
  const last = directories.lastIndexOf('Messages');
  return toFolder(last < 0 ? directories : directories.filter(name => !APPLE_INNER.test(name)));
}

/** Returns the folder of a Maildir: `.Work.Projects` is a nested folder. */
const toMaildirFolder = (directories: readonly string[]): string[] =>
  directories
    .flatMap(name => (name.startsWith('.') ? name.slice(1).split('.') : [name]))
    .map(decodeFolderName);

function maildirState(name: string, isNew: boolean): Pick<EntryPlace, 'flags' | 'labels'> {
  const letters = MAILDIR_STATE.exec(name)?.[1] ?? '';
  return {
    flags: {
      isRead: !isNew && letters.includes('S'),
      ...(letters.includes('F') ? { isStarred: true } : {}),
      ...(letters.includes('D') ? { isDraft: true } : {}),
    },
    labels: letters.includes('T') ? ['Trash'] : [],
  };
}

/**
 * Classifies the file at a path of an archive. Paths use slashes; an archive that uses another
 * separator contains none.
 */
export function placeOfEntry(path: string): EntryPlace {
  const whole = path.split('/').filter(part => part !== '' && part !== '.');
  const name = whole.pop() ?? '';
  // The innermost folders are the ones that contain the message.
  const parts = whole.slice(-ARCHIVE_DEPTH_MAX);
  const parent = parts.at(-1);
  if (name === '' || parts.includes('__MACOSX') || parts.includes('..'))
    return { kind: 'none', folder: [], name };
  if (parent === 'cur' || parent === 'new')
    return {
      kind: name.startsWith('.') ? 'none' : 'maildir',
      folder: toMaildirFolder(parts.slice(0, -1)),
      name,
      ...maildirState(name, parent === 'new'),
    };
  const known = KINDS.get(extensionOf(name)) ?? 'unsure';
  // The file name of a message may be anything.
  const isNamed = known !== 'unsure' && known !== 'none' && !name.startsWith('.');
  const kind = (!isNamed && BESIDE.test(name)) || APPLE_FILES.test(path) ? 'none' : known;
  const directories = /\.emlx$/i.test(name) ? toAppleFolder(parts) : toFolder(parts);
  if (kind !== 'mbox' && kind !== 'unsure') return { kind, folder: directories, name };
  // Apple stores `Work.mbox/mbox`: the directory has the name.
  const own =
    name.toLowerCase() === 'mbox' && parent !== undefined
      ? []
      : toFolder([name.replace(/\.(?:mbox|mbx|mbs)$/i, '')]);
  return { kind, folder: [...directories, ...own], name };
}

/**
 * Returns the place of a file whose content, not its name, revealed its kind. A message belongs to
 * its directory; an mbox is a folder itself.
 */
export const settledPlace = (place: EntryPlace, kind: 'eml' | 'mbox'): EntryPlace => ({
  ...place,
  kind,
  folder: kind === 'eml' ? place.folder.slice(0, -1) : place.folder,
});

/**
 * Returns the Maildir whose `directory` contains this path; null when the path contains no such
 * directory.
 */
function aroundDirectory(path: string, directory: RegExp): string | null {
  const parts = path.split('/').slice(0, -1);
  return directory.test(parts.pop() ?? '') ? parts.join('/') : null;
}

/** Returns the directories among these paths that are Maildirs: they contain `cur` or `new`. */
export const findMaildirs = (paths: readonly string[]): ReadonlySet<string> =>
  new Set(paths.flatMap(path => aroundDirectory(path, /^(?:cur|new)$/) ?? []));

/** Reports whether this is a message whose delivery into a Maildir was never completed. */
export const isHalfDelivered = (path: string, maildirs: ReadonlySet<string>): boolean =>
  maildirs.has(aroundDirectory(path, /^tmp$/) ?? '\0');

/**
 * Directories that are not user folders: containers that programs, providers and systems create.
 */
const ROOTS =
  /^(?:maildir|mails?|takeout.*|mbox(?:es)?|e?mails?[ _-]?(?:backup|export|archive)?|backups?|exports?|import(?:ed)?|profiles?|local folders|lokale ordner|dossiers locaux|carpetas locales|imapmail|mailstore|thunderbird|\.thunderbird|apple mail|library|mailboxes|mailbox|users?|home|documents?|downloads?|desktop|top of .*|v\d{1,2}|[a-z0-9]{8}\.[a-z-]+|[\w.-]+\.(?:com|net|org|de|fr|eu|io|test|example)|[^@/]+@[^@/]+|(?:imap|pop3?|pop-|imap-)[.\w@-]+)$/i;

/** Counts the outer names that all folders share. */
function sharedNames(folders: readonly FolderPath[]): number {
  const [first = []] = folders;
  let shared = first.length;
  for (const folder of folders) {
    let same = 0;
    while (same < shared && folder[same] === first[same]) same++;
    shared = same;
  }
  return shared;
}

/**
 * Counts the shared outer names that can be dropped: containers created by programs and providers,
 * but no folder that the user named.
 */
export function countCommonNames(folders: readonly FolderPath[]): number {
  const [first = []] = folders;
  const shared = first.slice(0, sharedNames(folders));
  // A Google export has, below its own name, the name of the product in the language of the
  // account.
  const isRoot = (name: string, at: number): boolean =>
    ROOTS.test(name) || (/^takeout/i.test(shared[at - 1] ?? '') && at < first.length - 1);
  const end = shared.findIndex((name, at) => !isRoot(name, at));
  return end < 0 ? shared.length : end;
}
