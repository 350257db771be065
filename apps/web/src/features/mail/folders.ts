// The folders of the mail view: their word in the path, their label, and the query that fills them (Spec §2, ux 2.3).
// A path word that is none of these is the name of a tag.
import type { queryInput } from '@keyfold/contract';
import type { z } from 'zod';
import { recieved } from '../../paths.ts';
import type { ListFilter } from './view-model.ts';

export type MailQuery = z.input<typeof queryInput>;

export type FolderName =
  | 'recieved'
  | 'starred'
  | 'sent'
  | 'drafts'
  | 'archived'
  | 'flagged'
  | 'deleted'
  | 'all';

type Folder = { readonly label: string; readonly query: MailQuery };

const folders: Readonly<Record<FolderName, Folder>> = {
  [recieved]: {
    label: 'Inbox',
    query: { sent: false, draft: false, archived: false, deleted: false, flagged: false, threading: true },
  },
  starred: { label: 'Starred', query: { starred: true, deleted: false, threading: true } },
  sent: { label: 'Sent', query: { sent: true, deleted: false, threading: true } },
  drafts: { label: 'Drafts', query: { draft: true, deleted: false } },
  archived: { label: 'Archive', query: { archived: true, deleted: false, threading: true } },
  flagged: { label: 'Flagged', query: { flagged: true, deleted: false } },
  deleted: { label: 'Deleted', query: { deleted: true } },
  all: { label: 'All mail', query: { deleted: false, draft: false, flagged: false, threading: true } },
};

const isFolder = (word: string): word is FolderName => Object.hasOwn(folders, word);

/** The folder a path word names, or null when it names a tag. */
export const findFolder = (word: string): FolderName | null => (isFolder(word) ? word : null);

/** What people read as the list's title. */
export const labelOf = (word: string): string => (isFolder(word) ? folders[word].label : word);

const filterQueries: Readonly<Record<ListFilter, MailQuery>> = {
  all: {},
  unread: { read: false },
  starred: { starred: true },
  attachment: { attachment: true },
};

/** The query of a folder or tag under a filter, without paging. */
export const queryOf = (word: string, filter: ListFilter): MailQuery => ({
  ...(isFolder(word) ? folders[word].query : { tag: [word], deleted: false, threading: true }),
  ...filterQueries[filter],
});
