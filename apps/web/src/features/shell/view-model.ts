// What the frame around every screen shows: folders with their counts, tags, storage, the person.
import type { Tag } from '@keyfold/contract';

export type FolderCountView = {
  /** Path tag of the folder. */
  tag: string;
  count: number;
  /** What is counted, as in "8 unread". */
  text: string;
};

export type SidebarTagView = Tag & {
  unread: number;
  /** Mails that have it. */
  total: number;
};

export type StorageView = {
  usedBytes: number;
  totalBytes: number;
};

export type AccountView = {
  name: string;
  email: string;
  isAdmin?: boolean;
};
