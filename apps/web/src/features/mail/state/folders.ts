// The folders of the mail view: their path segment, label and query (docs/spec-map.md 2,
// docs/interface.md#states). Any other path segment is the name of a tag.
import type { FolderName, queryInput } from '@keyfold/contract';
import { FOLDER_FILTERS, TAG_FILTER } from '@keyfold/contract/folders';
import type { z } from 'zod';
import { t, term } from '../../../lib/language.ts';
import { recieved } from '../../../paths.ts';
import type { ListFilter } from './view-model.ts';

export type MailQuery = z.input<typeof queryInput>;

const labels: Readonly<Record<FolderName, string>> = {
  [recieved]: term('Inbox'),
  starred: term('Starred'),
  sent: term('Sent'),
  scheduled: term('Scheduled'),
  snoozed: term('Snoozed'),
  drafts: term('Drafts'),
  archived: term('Archive'),
  flagged: term('Spam'),
  deleted: term('Deleted'),
  all: term('All mail'),
};

/** Folders that show single messages, not conversations. */
const unthreaded: ReadonlySet<FolderName> = new Set(['drafts', 'scheduled', 'flagged', 'deleted']);

/**
 * Folders of messages that the user wrote. Every other list can contain sent and received messages.
 */
const ownOnly: ReadonlySet<string> = new Set(['sent', 'drafts', 'scheduled']);

/** Returns whether the list contains both sent and received messages. */
export const isMixed = (word: string): boolean => !ownOnly.has(word);

const isFolder = (word: string): word is FolderName => Object.hasOwn(FOLDER_FILTERS, word);

/** Returns the folder of a path segment, or null when it names a tag. */
export const findFolder = (word: string): FolderName | null => (isFolder(word) ? word : null);

/** Returns the visible title of the list. */
export const labelOf = (word: string): string => (isFolder(word) ? t(labels[word]) : word);

/** Returns the size of a list with its own noun: "3 drafts", "2,400 conversations". */
export function countIn(word: string, count: number): string {
  if (word === 'drafts') return t('{count, plural, one {# draft} other {# drafts}}', { count });
  return isFolder(word) && unthreaded.has(word)
    ? t('{count, plural, one {# message} other {# messages}}', { count })
    : t('{count, plural, one {# conversation} other {# conversations}}', { count });
}

/** Folders whose badge counts all messages. */
const countedWhole: ReadonlySet<string> = new Set(['drafts', 'flagged', 'scheduled', 'snoozed']);
/** Folders without a badge, because a number of unread messages means nothing there. */
const uncounted: ReadonlySet<string> = new Set(['sent', 'deleted', 'all', 'starred', 'archived']);

/**
 * The number beside a folder or tag, in the sidebar and the list header: the count, and a text that
 * says what is counted.
 */
export type FolderBadge = {
  readonly count: number;
  readonly text: string;
};

/** Returns the badge of a folder or tag, or null for folders without one. */
export function badgeOf(
  word: string,
  counted: { readonly total: number; readonly unread: number },
): FolderBadge | null {
  if (uncounted.has(word)) return null;
  if (!countedWhole.has(word))
    return { count: counted.unread, text: t('{count} unread', { count: counted.unread }) };
  const count = counted.total;
  const text =
    word === 'drafts'
      ? countIn(word, count)
      : t('{count, plural, one {# message} other {# messages}}', { count });
  return { count, text };
}

const filterQueries: Readonly<Record<ListFilter, MailQuery>> = {
  all: {},
  unread: { read: false },
  starred: { starred: true },
  attachment: { attachment: true },
};

/** Returns the query of a folder or tag with a filter, without paging. */
export const queryOf = (word: string, filter: ListFilter): MailQuery => ({
  ...(isFolder(word) ? FOLDER_FILTERS[word] : { tag: [word], ...TAG_FILTER }),
  ...(isFolder(word) && unthreaded.has(word) ? {} : { threading: true }),
  ...filterQueries[filter],
});
