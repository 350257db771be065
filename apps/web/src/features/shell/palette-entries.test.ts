import { expect, test } from 'vitest';
import type { Command } from '../../session/commands/commands.ts';
import { entriesOfCommands, entriesOfPeople, paletteGroups } from './palette-entries.ts';

const run = () => undefined;
const commands: Command[] = [
  { id: 'next', run },
  { id: 'archive', run },
  { id: 'star', run },
  { id: 'goArchive', run },
  { id: 'compose', run },
  { id: 'search', run },
  { id: 'tag:Work', title: 'Go to tag Work', group: 'tags', run },
];
const entries = [
  ...entriesOfCommands(commands),
  ...entriesOfPeople([{ name: 'Archibald Ames', address: 'archie@keyfold.test' }], run),
];
const titles = (typed: string, recent: string[] = []): string[] =>
  paletteGroups(entries, typed, recent).flatMap(({ items }) => items.map(({ title }) => title));

test('"arch" and Enter archive', () => {
  expect(titles('arch')[0]).toBe('Archive');
  expect(titles('arch')).toContain('Go to Archive');
  expect(titles('arch')).toContain('Compose to Archibald Ames');
});

test('before anything is typed writing and searching come first, then the commands of the moment, without people and bare keys', () => {
  expect(titles('')).toEqual([
    'New message',
    'Search mail',
    'Archive',
    'Star',
    'Go to Archive',
    'Go to tag Work',
  ]);
});

test('what was used last comes first in its group', () => {
  expect(titles('', ['star']).slice(2, 4)).toEqual(['Star', 'Archive']);
});

test('keys are shown, a person is found by address', () => {
  expect(entries.find(({ id }) => id === 'archive')?.keys).toBe('e');
  expect(titles('archie@')[0]).toBe('Compose to Archibald Ames');
});

test('a new message is found by the word of its button', () => {
  expect(titles('compose')).toContain('New message');
});
