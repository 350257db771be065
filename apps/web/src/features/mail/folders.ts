// The folders of the mail view: their word in the path, their label, and the query that fills them (Spec §2, ux 2.3).
// A path word that is none of these is the name of a tag.
import { FOLDER_FILTERS, type FolderName, type queryInput, TAG_FILTER } from '@keyfold/contract';
import type { z } from 'zod';
import { recieved } from '../../paths.ts';
import type { ListFilter } from './view-model.ts';

export type MailQuery = z.input<typeof queryInput>;

const labels: Readonly<Record<FolderName, string>> = {
  [recieved]: 'Inbox',
  starred: 'Starred',
  sent: 'Sent',
  drafts: 'Drafts',
  archived: 'Archive',
  flagged: 'Flagged',
  deleted: 'Deleted',
  all: 'All mail',
};

/** Folders that show single mails, not conversations. */
const unthreaded: ReadonlySet<FolderName> = new Set(['drafts', 'flagged', 'deleted']);

const isFolder = (word: string): word is FolderName => Object.hasOwn(FOLDER_FILTERS, word);

/** The folder a path word names, or null when it names a tag. */
export const findFolder = (word: string): FolderName | null => (isFolder(word) ? word : null);

/** What people read as the list's title. */
export const labelOf = (word: string): string => (isFolder(word) ? labels[word] : word);

/** What the list counts, in the singular. */
export const nounOf = (word: string): string => {
  if (word === 'drafts') return 'draft';
  return isFolder(word) && unthreaded.has(word) ? 'message' : 'conversation';
};

const filterQueries: Readonly<Record<ListFilter, MailQuery>> = {
  all: {},
  unread: { read: false },
  starred: { starred: true },
  attachment: { attachment: true },
};

/** The query of a folder or tag under a filter, without paging. */
export const queryOf = (word: string, filter: ListFilter): MailQuery => ({
  ...(isFolder(word) ? FOLDER_FILTERS[word] : { tag: [word], ...TAG_FILTER }),
  ...(isFolder(word) && unthreaded.has(word) ? {} : { threading: true }),
  ...filterQueries[filter],
});
