// What a mark means for the list that is shown: which one a drop makes, and whether rows leave by it.
import { recieved } from '../../../paths.ts';
import type { DropTarget } from './drop-door.ts';
import { markOfFolderDrop, type Place, placeOf, takesPart } from './mail-actions.ts';
import type { MailRowData } from './mail-cache.ts';
import type { Mark } from './marks.ts';

/** What dropping mail of these places on a target does; null when nothing. */
export const markOfDrop = (where: readonly Place[], target: DropTarget): Mark | null =>
  target.kind === 'tag'
    ? { kind: 'tags', add: [target.name], remove: [] }
    : markOfFolderDrop(target.folder, where);

/** Whether a row leaves the list of this word by the mark. */
export const leavesList = (word: string, { mail }: MailRowData, change: Mark): boolean => {
  switch (change.kind) {
    case 'delete':
      return true;
    case 'restore':
      return word === 'deleted';
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

/** The places of these rows. */
export const placesOf = (rows: readonly MailRowData[]): readonly Place[] =>
  rows.map(({ mail }) => placeOf(mail));

/** Those of a selection that a change is available for. */
export const concernedBy = (change: Mark, rows: readonly MailRowData[]): readonly MailRowData[] =>
  rows.filter(({ mail }) => takesPart(change, placeOf(mail)));
