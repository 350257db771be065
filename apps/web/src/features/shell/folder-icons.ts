// The icon of each folder.
import {
  AlarmClock,
  Archive,
  CalendarClock,
  FilePenLine,
  Flag,
  Inbox,
  type LucideIcon,
  Mails,
  Send,
  Star,
  Trash2,
} from 'lucide-react';
import { type FolderTag, recieved } from '../../paths.ts';

/** By the tag in the path. */
export const folderIcons: Record<FolderTag, LucideIcon> = {
  [recieved]: Inbox,
  starred: Star,
  sent: Send,
  scheduled: CalendarClock,
  snoozed: AlarmClock,
  drafts: FilePenLine,
  archived: Archive,
  flagged: Flag,
  deleted: Trash2,
  all: Mails,
};
