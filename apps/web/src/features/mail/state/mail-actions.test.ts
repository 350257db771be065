import type { FolderName } from '@keyfold/contract';
import { FOLDER_FILTERS } from '@keyfold/contract/folders';
import { expect, test } from 'vitest';
import { commandWords } from '../../../session/commands/command-words.ts';
import { setShortcutSet } from '../../../session/commands/shortcut-keys.ts';
import { changeName, operationName } from './change-words.ts';
import { changed, isGoneWhenDeleted } from './flag-changes.ts';
import { changeOfFolderDrop } from './list-changes.ts';
import {
  actionTable,
  changeOf,
  effectOf,
  type MailAction,
  mailActions,
  mailCommands,
  type Offer,
  offerOf,
  offerOfCommand,
  offerOfSwipe,
  offersAt,
  otherTitleOf,
  type Subject,
  takesPart,
} from './mail-actions.ts';
import { type Effect, effectOfChange, effects, effectTable } from './mail-effects.ts';
import { type Place, placeOf, placeOfFolder, places } from './mail-places.ts';

/** A message with the fields that determine its place. */
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
])('in the folder %s each action does what its button says', (folder, expected) => {
  const place = placeOfFolder(folder);
  expect(Object.fromEntries(mailActions.map(action => [action, effectOf(action, place)]))).toEqual(expected);
});

function all(those: Partial<Record<MailAction, Effect | null>>): Readonly<Record<MailAction, Effect | null>> {
  const usual = { tag: 'tag', snooze: 'snooze', star: 'star', read: 'read' } as const;
  const row = { archive: null, delete: null, spam: null, inbox: null, ...usual, ...those };
  return { ...row, unread: row.read && 'unread', unstar: row.star && 'unstar' };
}

test('every folder and tag has a place, and the mail of a folder is in that place', () => {
  for (const [folder, filter] of Object.entries(FOLDER_FILTERS)) {
    const flags = Object.fromEntries(Object.entries(filter).filter(([, value]) => value));
    const place = placeOfFolder(folder);
    if (folder !== 'starred' && folder !== 'sent')
      expect([folder, placeOf(mail(flags))]).toEqual([folder, place]);
  }
  expect(placeOfFolder('Work')).toBe('other');
  expect(placeOfFolder('constructor')).toBe('other');
});

test('the stronger state wins: deleted over spam, and archived over snoozed', () => {
  expect(placeOf(mail({ deleted: true, draft: true, flagged: true, archived: true }))).toBe('deleted');
  expect(placeOf(mail({ flagged: true, archived: true }))).toBe('flagged');
  expect(placeOf(mail({ archived: true, snoozed: true }))).toBe('archived');
});

test('every available action changes the message in every place', () => {
  for (const place of places)
    for (const action of ['archive', 'delete', 'spam', 'inbox'] as const) {
      const change = changeOf(action, place);
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

test('a selection across places gets one action, applied to the messages that allow it', () => {
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
      const change = changeOfFolderDrop(folder, [place]);
      return change === null ? null : effectOfChange(change);
    });
  //                                  other      archived     snoozed    flagged    scheduled  draft  deleted
  expect(drops('archived')).toEqual(['archive', null, 'archive', null, null, null, null]);
  expect(drops('flagged')).toEqual(['spam', 'spam', 'spam', null, null, null, null]);
  expect(drops('recieved')).toEqual([null, 'unarchive', 'snooze', 'notSpam', null, null, 'restore']);
  expect(drops('deleted')).toEqual(['delete', 'delete', 'delete', 'delete', 'delete', null, null]);
  expect(drops('starred')).toEqual(places.map(() => 'star'));
  expect(drops('sent')).toEqual(places.map(() => null));
  expect(changeOfFolderDrop('archived', ['deleted', 'other'])).toEqual({ kind: 'archive', value: true });
});

test('button, palette and refusal use the same words', () => {
  const archive = (where: Place) => offerOf('archive', { where });
  expect(archive('deleted')?.label).toBe('Restore');
  expect(otherTitleOf('archive', archive('deleted'))).toBe('Restore');
  expect(otherTitleOf('archive', archive('other'))).toBeNull();
  expect(operationName({ kind: 'restore' })).toBe('Restore');
  expect(changeName({ kind: 'archive', value: false })).toBe('Move to Inbox');
  // A second press is refused while the first is in progress, even though it would do the opposite.
  expect(operationName({ kind: 'archive', value: false })).toBe('Archive');
  expect(operationName({ kind: 'star', value: false })).toBe(operationName({ kind: 'star', value: true }));
  expect(offerOf('spam', { where: 'deleted' })).toBeNull();
  for (const effect of effects) expect(effectTable[effect].label()).not.toBe('');
});

/** Returns the labels offered for messages of a folder. */
const wordsAt = (surface: Parameters<typeof offersAt>[0], folder: string, more: Partial<Subject> = {}) =>
  offersAt(surface, { where: placeOfFolder(folder), ...more }).map(({ label }) => label);

const one = { unread: true, starred: false } as const;

test.each<readonly [FolderName, string]>([
  ['recieved', 'Archive, Delete, Mark as read | Tag, Snooze, Star | Mark as spam'],
  ['archived', 'Move to Inbox, Delete, Mark as read | Tag, Snooze, Star | Mark as spam'],
  ['snoozed', 'Archive, Delete, Mark as read | Tag, Snooze, Star | Mark as spam'],
  ['flagged', 'Not spam, Delete, Mark as read | Tag, Star | Not spam'],
  ['scheduled', 'Delete | Tag, Star'],
  ['drafts', 'Delete permanently | Star'],
  ['deleted', 'Restore, Delete permanently, Mark as read | Star'],
  ['all', 'Archive, Delete, Mark as read | Tag, Snooze, Star | Mark as spam'],
])('the context menu offers the right actions in the folder %s', (folder, expected) => {
  const offers = offersAt('menu', { where: placeOfFolder(folder), ...one });
  const groups = [...new Set(offers.map(({ group }) => group))].map(group =>
    offers.filter(offer => offer.group === group).map(({ label }) => label),
  );
  expect(groups.map(labels => labels.join(', ')).join(' | ')).toBe(expected);
});

test.each<readonly [FolderName, readonly string[], readonly string[], readonly string[]]>([
  [
    'recieved',
    ['Archive', 'Delete', 'Mark as read', 'Snooze'],
    ['Archive', 'Delete', 'Mark as unread', 'Tag', 'Snooze', 'Star'],
    ['Archive', 'Delete', 'Mark as read', 'Tag', 'Snooze'],
  ],
  [
    'archived',
    ['Move to Inbox', 'Delete', 'Mark as read', 'Snooze'],
    ['Move to Inbox', 'Delete', 'Mark as unread', 'Tag', 'Snooze', 'Star'],
    ['Move to Inbox', 'Delete', 'Mark as read', 'Tag', 'Snooze'],
  ],
  [
    'flagged',
    ['Not spam', 'Delete', 'Mark as read'],
    ['Not spam', 'Delete', 'Mark as unread', 'Tag', 'Star'],
    ['Not spam', 'Delete', 'Mark as read', 'Tag'],
  ],
  ['scheduled', ['Delete'], ['Delete', 'Tag', 'Star'], ['Delete', 'Tag']],
  ['drafts', ['Delete permanently'], ['Delete permanently', 'Star'], ['Delete permanently']],
  [
    'deleted',
    ['Restore', 'Delete permanently', 'Mark as read'],
    ['Restore', 'Delete permanently', 'Mark as unread', 'Star'],
    ['Restore', 'Delete permanently', 'Mark as read'],
  ],
])('row, toolbar and selection offer the right actions in the folder %s', (folder, hover, toolbar, bulk) => {
  expect(wordsAt('hover', folder, one)).toEqual(hover);
  expect(wordsAt('toolbar', folder, { unread: false, starred: false })).toEqual(toolbar);
  expect(wordsAt('bulk', folder)).toEqual(bulk);
});

test('a selection offers both directions, and a single message only the one that changes it', () => {
  expect(wordsAt('bulkMore', 'recieved')).toEqual([
    'Mark as unread',
    'Snooze',
    'Star',
    'Remove star',
    'Mark as spam',
  ]);
  expect(wordsAt('row', 'recieved', { starred: true })).toEqual(['Remove star']);
  expect(wordsAt('menu', 'recieved', { unread: false, starred: true })).toEqual([
    'Archive',
    'Delete',
    'Mark as unread',
    'Tag',
    'Snooze',
    'Remove star',
    'Mark as spam',
  ]);
});

test('a swipe does what the row offers, the reverse where it already applies, or nothing', () => {
  const swiped = (swipe: MailAction, place: Place, unread: boolean, starred: boolean) =>
    offerOfSwipe(swipe, { where: place, unread, starred })?.effect ?? null;
  expect(swiped('read', 'other', true, false)).toBe('read');
  expect(swiped('read', 'other', false, false)).toBe('unread');
  expect(swiped('star', 'deleted', false, true)).toBe('unstar');
  expect(swiped('archive', 'deleted', false, false)).toBe('restore');
  expect(swiped('archive', 'draft', false, false)).toBeNull();
  expect(swiped('snooze', 'flagged', false, false)).toBeNull();
});

test('a key does exactly what the buttons and menus offer in every place', () => {
  const states = [true, false].flatMap(unread => [true, false].map(starred => ({ unread, starred })));
  for (const where of places)
    for (const state of states) {
      const shown = (['hover', 'toolbar', 'toolbarMore', 'menu'] as const).flatMap(surface =>
        offersAt(surface, { where, ...state }),
      );
      for (const offer of shown) {
        const { command } = actionTable[offer.action];
        const pressed = command && offerOfCommand(command, { where, starred: state.starred });
        expect([where, command, pressed]).toEqual([where, command, offer]);
      }
      const effectsOf = (offers: readonly (Offer | null)[]) => new Set(offers.map(offer => offer?.effect));
      const byKey = mailCommands.map(command => offerOfCommand(command, { where, starred: state.starred }));
      const both = states.flatMap(({ unread }) =>
        offersAt('menu', { where, starred: state.starred, unread }),
      );
      expect([where, effectsOf(byKey.filter(offer => offer !== null))]).toEqual([where, effectsOf(both)]);
    }
  // Archive applies to messages that can be archived; in Deleted, its key restores.
  expect(offerOfCommand('archive', { where: 'deleted' })?.change).toEqual({ kind: 'restore' });
});

test('a key on a selection from one place does only what its bar and menu offer', () => {
  for (const place of places) {
    const offered = (['bulk', 'bulkMore', 'menu'] as const).map(surface =>
      offersAt(surface, { where: [place] }),
    );
    const [bulk = [], more = [], menu = []] = offered.map(offers => offers.map(({ effect }) => effect));
    expect(new Set([...bulk, ...more])).toEqual(new Set(menu));
    for (const command of mailCommands)
      for (const starred of [true, false]) {
        const pressed = offerOfCommand(command, { where: [place], starred });
        if (pressed !== null) expect(menu).toContain(pressed.effect);
      }
  }
});

test('commands have the names and keys of their buttons', () => {
  setShortcutSet('gmail');
  expect(mailCommands.map(command => [command, commandWords()[command].title])).toEqual(
    mailCommands.map(command => [command, effectTable[command as Effect].label()]),
  );
  expect(offersAt('menu', { where: 'other' }).map(({ keys }) => keys)).toEqual([
    'e',
    '#',
    'Shift u',
    'Shift i',
    'l',
    'b',
    's',
    's',
    '!',
  ]);
});
