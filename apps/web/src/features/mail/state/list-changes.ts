// What a change means for the visible list: which change a drop makes, and whether rows leave the
// list.
import type { FolderName } from '@keyfold/contract';
import { recieved } from '../../../paths.ts';
import type { DropTarget } from './drop-target.ts';
import type { FlagChange } from './flag-changes.ts';
import { changeOf, effectOf, type MailAction, type Subject, takesPart } from './mail-actions.ts';
import type { MailRowData } from './mail-cache.ts';
import { type Place, placeOf } from './mail-places.ts';

const dropActions: Readonly<Partial<Record<FolderName, MailAction>>> = {
  [recieved]: 'inbox',
  archived: 'archive',
  flagged: 'spam',
  deleted: 'delete',
  starred: 'star',
};

/**
 * Returns the change that dropping messages on a folder makes: only what the folder's name
 * promises, so Archive does not restore deleted messages.
 */
export function changeOfFolderDrop(folder: FolderName, where: readonly Place[]): FlagChange | null {
  const action = dropActions[folder];
  if (action === undefined) return null;
  const promised = where.filter(place => {
    const effect = effectOf(action, place);
    return action === 'inbox' ? effect !== null : effect === action;
  });
  return changeOf(action, promised);
}

/** Returns the change that dropping messages of these places on a target makes, or null. */
export const changeOfDrop = (where: readonly Place[], target: DropTarget): FlagChange | null =>
  target.kind === 'tag'
    ? { kind: 'tags', add: [target.name], remove: [] }
    : changeOfFolderDrop(target.folder, where);

/** Returns whether the change removes a row from the list of this folder or tag. */
export function leavesList(word: string, { mail }: MailRowData, change: FlagChange): boolean {
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

/** Returns a conversation in the form that the action table uses. */
export const subjectOf = ({ mail }: MailRowData): Subject => ({
  where: placeOf(mail),
  unread: !mail.read,
  starred: mail.starred,
});

/** Returns the places of these rows. */
export const placesOf = (rows: readonly MailRowData[]): readonly Place[] =>
  rows.map(({ mail }) => placeOf(mail));

/** Returns the selected rows that a change is available for. */
export const concernedBy = (change: FlagChange, rows: readonly MailRowData[]): readonly MailRowData[] =>
  rows.filter(({ mail }) => takesPart(change, placeOf(mail)));
