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

test('"arch" lists Archive first', () => {
  expect(titles('arch')[0]).toBe('Archive');
  expect(titles('arch')).toContain('Go to Archive');
  expect(titles('arch')).toContain('Compose to Archibald Ames');
});

test('without input, composing and searching come first, and people and key-only commands are hidden', () => {
  expect(titles('')).toEqual([
    'Compose',
    'Search mail',
    'Archive',
    'Star',
    'Go to Archive',
    'Go to tag Work',
  ]);
});

test('a recently used command comes first in its group', () => {
  expect(titles('', ['star']).slice(2, 4)).toEqual(['Star', 'Archive']);
});

test('entries show their keys, and a person is found by address', () => {
  expect(entries.find(({ id }) => id === 'archive')?.keys).toBe('e');
  expect(titles('archie@')[0]).toBe('Compose to Archibald Ames');
});

test('the compose command is also found as a new message', () => {
  expect(titles('new message')).toContain('Compose');
});
