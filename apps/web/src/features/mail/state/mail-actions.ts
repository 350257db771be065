// What can be done with mail, and where: one table for toolbar, row, selection bar, keys, palette, swipes, and drag and
// drop. Their words and icons are in effect-look.ts; what a mark does to mail is in marks.ts.
import type { Email, FolderName } from '@keyfold/contract';
import { recieved } from '../../../paths.ts';
import type { Mark } from './marks.ts';

/** The state of a message, as far as it changes what can be done with it. */
export const places = ['other', 'archived', 'snoozed', 'flagged', 'scheduled', 'draft', 'deleted'] as const;
export type Place = (typeof places)[number];

/** What people ask for, by a key, a button, a swipe or a drop. */
export const mailActions = ['archive', 'delete', 'spam', 'tag', 'snooze', 'star', 'read', 'inbox'] as const;
export type MailAction = (typeof mailActions)[number];

/** What happens then. Where a selection holds mail of several places, the first one in this order that applies. */
export const effects = [
  'archive',
  'unarchive',
  'wake',
  'spam',
  'notSpam',
  'restore',
  'delete',
  'purge',
  'tag',
  'snooze',
  'star',
  'read',
] as const;
export type Effect = (typeof effects)[number];

type Row = Readonly<Record<MailAction, Effect | null>>;

const usual = { tag: 'tag', snooze: 'snooze', star: 'star', read: 'read' } as const;

/** null: this action is not available there. `inbox` is a drop on the inbox. */
const table: Readonly<Record<Place, Row>> = {
  other: { ...usual, archive: 'archive', delete: 'delete', spam: 'spam', inbox: null },
  archived: { ...usual, archive: 'unarchive', delete: 'delete', spam: 'spam', inbox: 'unarchive' },
  snoozed: { ...usual, archive: 'archive', delete: 'delete', spam: 'spam', inbox: 'wake' },
  flagged: {
    ...usual,
    archive: 'notSpam',
    delete: 'delete',
    spam: 'notSpam',
    snooze: null,
    inbox: 'notSpam',
  },
  scheduled: { ...usual, archive: null, delete: 'delete', spam: null, snooze: null, read: null, inbox: null },
  draft: {
    archive: null,
    delete: 'purge',
    spam: null,
    tag: null,
    snooze: null,
    star: 'star',
    read: null,
    inbox: null,
  },
  deleted: {
    ...usual,
    archive: 'restore',
    delete: 'purge',
    spam: null,
    tag: null,
    snooze: null,
    inbox: 'restore',
  },
};

/** The place of a message. */
export const placeOf = (
  mail: Pick<Email, 'deleted' | 'draft' | 'scheduled' | 'flagged' | 'archived' | 'snoozed'>,
): Place => {
  if (mail.deleted) return 'deleted';
  if (mail.draft) return 'draft';
  if (mail.scheduled) return 'scheduled';
  if (mail.flagged) return 'flagged';
  if (mail.archived) return 'archived';
  return mail.snoozed ? 'snoozed' : 'other';
};

const placesOfFolders: Readonly<Partial<Record<FolderName, Place>>> = {
  archived: 'archived',
  snoozed: 'snoozed',
  flagged: 'flagged',
  scheduled: 'scheduled',
  drafts: 'draft',
  deleted: 'deleted',
};

/** The place of everything in a folder; folders that mix places, and tags, count as any other mail. */
export const placeOfFolder = (word: string): Place =>
  (Object.hasOwn(placesOfFolders, word) ? placesOfFolders[word as FolderName] : undefined) ?? 'other';

/** What an action does in one place, or to a selection that may hold mail of several; null when it is not available. */
export function effectOf(action: MailAction, where: Place | readonly Place[]): Effect | null {
  if (typeof where === 'string') return table[where][action];
  const possible = new Set(where.map(place => table[place][action]));
  return effects.find(effect => possible.has(effect)) ?? null;
}

/** The change that an effect stands for. Only for those that need no more to be known. */
const marks = {
  archive: { kind: 'archive', value: true },
  unarchive: { kind: 'archive', value: false },
  wake: { kind: 'snooze', until: null },
  spam: { kind: 'flag', value: true },
  notSpam: { kind: 'flag', value: false },
  restore: { kind: 'restore' },
  delete: { kind: 'delete' },
  purge: { kind: 'delete' },
} as const satisfies Partial<Record<Effect, Mark>>;

/** The change for an action in these places; null when it is not available, or opens a panel instead. */
export function markOf(action: MailAction, where: Place | readonly Place[]): Mark | null {
  const effect = effectOf(action, where);
  return effect !== null && Object.hasOwn(marks, effect) ? marks[effect as keyof typeof marks] : null;
}

/** The effect that a change has, as the table names it. */
export const effectOfMark = (mark: Mark): Effect => {
  switch (mark.kind) {
    case 'archive':
      return mark.value ? 'archive' : 'unarchive';
    case 'flag':
      return mark.value ? 'spam' : 'notSpam';
    case 'tags':
      return 'tag';
    default:
      return mark.kind;
  }
};

/** Whether mail in this place takes part in a change that was chosen for a selection. */
export const takesPart = (mark: Mark, place: Place): boolean => {
  const effect = effectOfMark(mark);
  // Deleting asks first when the selection holds mail that goes for good.
  return mailActions.some(action => {
    const own = table[place][action];
    return (
      own === effect || (effect === 'delete' && own === 'purge') || (mark.kind === 'snooze' && own === 'wake')
    );
  });
};

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
    const effect = table[place][action];
    return action === 'inbox' ? effect !== null : effect === action;
  });
  if (promised.length === 0) return null;
  return action === 'star' ? { kind: 'star', value: true } : markOf(action, promised);
}
