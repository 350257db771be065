// What a mark means for the list that is shown: which one a drop makes, and whether rows leave by it.
import { recieved } from '../../paths.ts';
import { backToInbox, type DropTarget } from './drop-door.ts';
import type { MailRowData } from './mail-cache.ts';
import type { Mark } from './marks.ts';

/** What dropping on a target means. */
export function markOfDrop(word: string, target: DropTarget): Mark | null {
  if (target.kind === 'tag') return { kind: 'tags', add: [target.name], remove: [] };
  switch (target.folder) {
    case 'archived':
      return { kind: 'archive', value: true };
    case 'deleted':
      return { kind: 'delete' };
    case 'flagged':
      return { kind: 'flag', value: true };
    case 'starred':
      return { kind: 'star', value: true };
    case recieved:
      return backToInbox(word);
    default:
      return null;
  }
}

/** Whether a row leaves the list of this word by the mark. */
export const leavesList = (word: string, { mail }: MailRowData, change: Mark): boolean => {
  switch (change.kind) {
    case 'delete':
    case 'restore':
      return true;
    case 'archive':
      return (word === recieved || word === 'archived') && !mail.deleted;
    case 'flag':
      return word === recieved || word === 'flagged' || word === 'all';
    case 'snooze':
      return word === recieved || (word === 'snoozed' && change.until === null);
    default:
      return false;
  }
};
