import { afterEach, expect, test } from 'vitest';
import { keysOf, setShortcutSet, shortcutIds, shortcutsOf, writeKeys } from './shortcut-keys.ts';

afterEach(() => setShortcutSet('gmail'));

test('letters come first, and what cannot be switched off after them', () => {
  expect(shortcutsOf('delete', 'gmail')).toEqual(['#', 'Delete']);
  expect(shortcutsOf('delete', 'proton')).toEqual(['t', 'Delete']);
  expect(shortcutsOf('delete', 'off')).toEqual(['Delete']);
  expect(shortcutsOf('archive', 'off')).toEqual([]);
});

test('switched off, no command answers to a letter or a sign', () => {
  for (const id of shortcutIds)
    for (const keys of shortcutsOf(id, 'off')) expect(keys.length, `${id}: ${keys}`).toBeGreaterThan(1);
});

test('in neither set does one way to press mean two things that are there at once', () => {
  // Proton answers with the letter that marks as read where nothing is open.
  const apart = new Set(['r']);
  for (const set of ['gmail', 'proton'] as const) {
    const all = shortcutIds.flatMap(id => shortcutsOf(id, set)).filter(keys => !apart.has(keys));
    expect(all.filter((keys, at) => all.indexOf(keys) !== at)).toEqual([]);
  }
});

test('tooltips and menus name the key of the set that is chosen', () => {
  expect(keysOf('archive')).toBe('e');
  setShortcutSet('proton');
  expect(keysOf('archive')).toBe('a');
  setShortcutSet('off');
  expect(keysOf('archive')).toBeUndefined();
  expect(writeKeys('Mod+Shift+a')).toBe('Ctrl Shift a');
});
