// What the frame around every screen shows: folders with their counts, tags, storage, the person.
import type { Tag } from '@keyfold/contract';

export interface FolderCountView {
  /** Path tag of the folder. */
  tag: string;
  count: number;
  /** What is counted, as in "8 unread". */
  text: string;
}

export interface SidebarTagView extends Tag {
  unread: number;
  /** Mails that have it. */
  total: number;
}

export interface StorageView {
  usedBytes: number;
  totalBytes: number;
}

export interface AccountView {
  name: string;
  email: string;
  isAdmin?: boolean;
}
