import { afterEach, expect, test } from 'vitest';
import { setLanguage } from '../../lib/language.ts';
import { keysOf, setShortcutSet, shortcutIds, shortcutsOf, writeKeys } from './shortcut-keys.ts';

afterEach(() => setShortcutSet('gmail'));

test('letters come first, then the shortcuts that cannot be turned off', () => {
  expect(shortcutsOf('delete', 'gmail')).toEqual(['#', 'Delete']);
  expect(shortcutsOf('delete', 'proton')).toEqual(['t', 'Delete']);
  expect(shortcutsOf('delete', 'off')).toEqual(['Delete']);
  expect(shortcutsOf('archive', 'off')).toEqual([]);
});

test('with shortcuts off, no command has a single-character shortcut', () => {
  for (const id of shortcutIds)
    for (const keys of shortcutsOf(id, 'off')) expect(keys.length, `${id}: ${keys}`).toBeGreaterThan(1);
});

test('no set assigns one shortcut to two commands that are available together', () => {
  // In Proton's set, the reply key is also the mark-as-read key while no conversation is open.
  const apart = new Set(['r']);
  for (const set of ['gmail', 'proton'] as const) {
    const all = shortcutIds.flatMap(id => shortcutsOf(id, set)).filter(keys => !apart.has(keys));
    expect(all.filter((keys, at) => all.indexOf(keys) !== at)).toEqual([]);
  }
});

test('tooltips and menus show the key of the chosen set', () => {
  expect(keysOf('archive')).toBe('e');
  setShortcutSet('proton');
  expect(keysOf('archive')).toBe('a');
  setShortcutSet('off');
  expect(keysOf('archive')).toBeUndefined();
  expect(writeKeys('Mod+Shift+a')).toBe('Ctrl Shift a');
});

test('keys are named as on keyboards of the language', () => {
  setLanguage('de', { 'key|Ctrl': 'Strg', 'key|Shift': 'Umschalt', 'key|Del': 'Entf' });
  expect(['Mod+Shift+a', 'Delete', 'Shift+F10', 'g i', '+'].map(writeKeys)).toEqual([
    ...['Strg Umschalt a', 'Entf', 'Umschalt F10', 'g i', '+'],
  ]);
  setLanguage('en', {});
});
