import type { FolderName } from '@keyfold/contract';
import { FOLDER_FILTERS } from '@keyfold/contract/folders';
import { expect, test } from 'vitest';
import { effectLooks, lookOf, otherWords } from './effect-look.ts';
import {
  type Effect,
  effectOf,
  effectOfMark,
  effects,
  type MailAction,
  mailActions,
  markOf,
  markOfFolderDrop,
  type Place,
  placeOf,
  placeOfFolder,
  places,
  takesPart,
} from './mail-actions.ts';
import { changeName, operationName } from './mark-words.ts';
import { changed, isGoneWhenDeleted } from './marks.ts';

/** A message, as far as its place depends on it. */
const mail = (flags: Partial<Parameters<typeof placeOf>[0]> = {}) => ({
  deleted: false,
  draft: false,
  scheduled: false,
  flagged: false,
  archived: false,
  snoozed: false,
  ...flags,
});

const mailIn: Readonly<Record<Place, ReturnType<typeof mail>>> = {
  other: mail(),
  archived: mail({ archived: true }),
  snoozed: mail({ snoozed: true }),
  flagged: mail({ flagged: true }),
  scheduled: mail({ scheduled: true }),
  draft: mail({ draft: true }),
  deleted: mail({ deleted: true }),
};

test.each<readonly [FolderName, Readonly<Record<MailAction, Effect | null>>]>([
  ['recieved', all({ archive: 'archive', spam: 'spam', delete: 'delete', inbox: null })],
  ['starred', all({ archive: 'archive', spam: 'spam', delete: 'delete', inbox: null })],
  ['sent', all({ archive: 'archive', spam: 'spam', delete: 'delete', inbox: null })],
  ['all', all({ archive: 'archive', spam: 'spam', delete: 'delete', inbox: null })],
  ['archived', all({ archive: 'unarchive', spam: 'spam', delete: 'delete', inbox: 'unarchive' })],
  ['snoozed', all({ archive: 'archive', spam: 'spam', delete: 'delete', inbox: 'wake' })],
  ['flagged', all({ archive: 'notSpam', spam: 'notSpam', delete: 'delete', inbox: 'notSpam', snooze: null })],
  ['scheduled', all({ archive: null, spam: null, delete: 'delete', inbox: null, snooze: null, read: null })],
  [
    'drafts',
    all({ archive: null, spam: null, delete: 'purge', inbox: null, snooze: null, tag: null, read: null }),
  ],
  [
    'deleted',
    all({ archive: 'restore', spam: null, delete: 'purge', inbox: 'restore', snooze: null, tag: null }),
  ],
])('in the folder %s each action does what its button says there', (folder, expected) => {
  const place = placeOfFolder(folder);
  expect(Object.fromEntries(mailActions.map(action => [action, effectOf(action, place)]))).toEqual(expected);
});

function all(those: Partial<Record<MailAction, Effect | null>>): Readonly<Record<MailAction, Effect | null>> {
  const usual = { tag: 'tag', snooze: 'snooze', star: 'star', read: 'read' } as const;
  return { archive: null, delete: null, spam: null, inbox: null, ...usual, ...those };
}

test('every folder and every tag has a place, and mail of a folder is in that place', () => {
  for (const [folder, filter] of Object.entries(FOLDER_FILTERS)) {
    const flags = Object.fromEntries(Object.entries(filter).filter(([, value]) => value));
    const place = placeOfFolder(folder);
    if (folder !== 'starred' && folder !== 'sent')
      expect([folder, placeOf(mail(flags))]).toEqual([folder, place]);
  }
  expect(placeOfFolder('Work')).toBe('other');
  expect(placeOfFolder('constructor')).toBe('other');
});

test('the stronger state decides: deleted spam is deleted, an archived message that sleeps is archived', () => {
  expect(placeOf(mail({ deleted: true, draft: true, flagged: true, archived: true }))).toBe('deleted');
  expect(placeOf(mail({ flagged: true, archived: true }))).toBe('flagged');
  expect(placeOf(mail({ archived: true, snoozed: true }))).toBe('archived');
});

test('what is done really changes the message, in every place and by every action', () => {
  for (const place of places)
    for (const action of ['archive', 'delete', 'spam', 'inbox'] as const) {
      const change = markOf(action, place);
      expect(change === null).toBe(effectOf(action, place) === null);
      if (change === null) continue;
      const before = { ...mailIn[place], snoozed_until: null, deleted_at: null } as Parameters<
        typeof changed
      >[0];
      const after = changed(before, change);
      const isPurge = change.kind === 'delete' && isGoneWhenDeleted(before);
      expect([place, action, isPurge]).toEqual([place, action, effectOf(action, place) === 'purge']);
      if (!isPurge) expect(placeOf(after)).not.toBe(place);
      if (action === 'inbox' || (action === 'archive' && place !== 'other' && place !== 'snoozed'))
        expect([place, action, placeOf(after)]).toEqual([place, action, 'other']);
    }
});

test('a selection of several places does one thing, to those of its mail that it is available for', () => {
  expect(effectOf('archive', ['deleted', 'other', 'archived'])).toBe('archive');
  expect(effectOf('archive', ['deleted', 'archived'])).toBe('unarchive');
  expect(effectOf('archive', ['deleted', 'draft'])).toBe('restore');
  expect(effectOf('archive', ['draft', 'scheduled'])).toBeNull();
  expect(effectOf('archive', [])).toBeNull();
  expect(places.filter(place => takesPart({ kind: 'archive', value: true }, place))).toEqual([
    'other',
    'snoozed',
  ]);
  expect(places.filter(place => takesPart({ kind: 'restore' }, place))).toEqual(['deleted']);
  expect(places.filter(place => takesPart({ kind: 'delete' }, place))).toEqual([...places]);
  expect(places.filter(place => takesPart({ kind: 'snooze', until: null }, place))).toEqual([
    'other',
    'archived',
    'snoozed',
  ]);
  expect(places.filter(place => takesPart({ kind: 'tags', add: ['A'], remove: [] }, place))).not.toContain(
    'deleted',
  );
});

test('a drop does what the name of the folder promises, or nothing', () => {
  const drops = (folder: FolderName) =>
    places.map(place => {
      const change = markOfFolderDrop(folder, [place]);
      return change === null ? null : effectOfMark(change);
    });
  //                                  other      archived     snoozed    flagged    scheduled  draft  deleted
  expect(drops('archived')).toEqual(['archive', null, 'archive', null, null, null, null]);
  expect(drops('flagged')).toEqual(['spam', 'spam', 'spam', null, null, null, null]);
  expect(drops('recieved')).toEqual([null, 'unarchive', 'snooze', 'notSpam', null, null, 'restore']);
  expect(drops('deleted')).toEqual(['delete', 'delete', 'delete', 'delete', 'delete', null, null]);
  expect(drops('starred')).toEqual(places.map(() => 'star'));
  expect(drops('sent')).toEqual(places.map(() => null));
  expect(markOfFolderDrop('archived', ['deleted', 'other'])).toEqual({ kind: 'archive', value: true });
});

test('button, palette and refusal use the same words', () => {
  expect(lookOf('archive', 'deleted')?.label()).toBe('Restore');
  expect(otherWords('archive', 'deleted')).toBe('Restore');
  expect(otherWords('archive', 'other')).toBeNull();
  expect(operationName({ kind: 'restore' })).toBe('Restore');
  expect(changeName({ kind: 'archive', value: false })).toBe('Move to inbox');
  // A second press is refused while the first is under way, though it would do the opposite.
  expect(operationName({ kind: 'archive', value: false })).toBe('Archive');
  expect(operationName({ kind: 'star', value: false })).toBe(operationName({ kind: 'star', value: true }));
  expect(lookOf('spam', 'deleted')).toBeNull();
  for (const effect of effects) expect(effectLooks[effect].label()).not.toBe('');
});
