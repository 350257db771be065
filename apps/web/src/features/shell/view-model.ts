// View model of the frame around every screen: folders with their counts, tags, storage, the
// account.
import type { Tag } from '@keyfold/contract';

export type FolderCountView = {
  /** Path tag of the folder. */
  tag: string;
  count: number;
  /** What the count means, as in "8 unread". */
  text: string;
};

export type SidebarTagView = Tag & {
  unread: number;
  /** Number of messages with the tag. */
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
