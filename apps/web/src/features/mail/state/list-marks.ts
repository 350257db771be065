// What a mark means for the list that is shown: which one a drop makes, and whether rows leave by it.
import type { FolderName } from '@keyfold/contract';
import { recieved } from '../../../paths.ts';
import type { DropTarget } from './drop-target.ts';
import { effectOf, type MailAction, markOf, type Subject, takesPart } from './mail-actions.ts';
import type { MailRowData } from './mail-cache.ts';
import { type Place, placeOf } from './mail-places.ts';
import type { Mark } from './marks.ts';

const dropActions: Readonly<Partial<Record<FolderName, MailAction>>> = {
  [recieved]: 'inbox',
  archived: 'archive',
  flagged: 'spam',
  deleted: 'delete',
  starred: 'star',
};

/** What dropping mail on a folder does: only what the folder's name promises, so Archive takes no deleted mail back. */
export function markOfFolderDrop(folder: FolderName, where: readonly Place[]): Mark | null {
  const action = dropActions[folder];
  if (action === undefined) return null;
  const promised = where.filter(place => {
    const effect = effectOf(action, place);
    return action === 'inbox' ? effect !== null : effect === action;
  });
  return markOf(action, promised);
}

/** What dropping mail of these places on a target does; null when nothing. */
export const markOfDrop = (where: readonly Place[], target: DropTarget): Mark | null =>
  target.kind === 'tag'
    ? { kind: 'tags', add: [target.name], remove: [] }
    : markOfFolderDrop(target.folder, where);

/** Whether a row leaves the list of this word by the mark. */
export function leavesList(word: string, { mail }: MailRowData, change: Mark): boolean {
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
}

/** A conversation, as the table of actions looks at it. */
export const subjectOf = ({ mail }: MailRowData): Subject => ({
  where: placeOf(mail),
  unread: !mail.read,
  starred: mail.starred,
});

/** The places of these rows. */
export const placesOf = (rows: readonly MailRowData[]): readonly Place[] =>
  rows.map(({ mail }) => placeOf(mail));

/** Those of a selection that a change is available for. */
export const concernedBy = (change: Mark, rows: readonly MailRowData[]): readonly MailRowData[] =>
  rows.filter(({ mail }) => takesPart(change, placeOf(mail)));
