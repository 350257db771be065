import { expect, test } from 'vitest';
import { chordOf, type KeyPress } from './key-chord.ts';

const press = (key: string, more: Partial<KeyPress> = {}): string | null =>
  chordOf({
    key,
    code: '',
    shiftKey: false,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    isComposing: false,
    keyCode: 0,
    ...more,
  });

test('Latin letters include Shift, symbols stand alone, and Caps Lock is ignored', () => {
  expect(press('e')).toBe('e');
  expect(press('I', { shiftKey: true })).toBe('Shift+i');
  expect(press('E')).toBe('e');
  expect(press('#', { shiftKey: true })).toBe('#');
  expect(press('?', { shiftKey: true })).toBe('?');
  expect(press(' ')).toBe('Space');
});

test('Ctrl and ⌘ are the same modifier', () => {
  expect(press('k', { ctrlKey: true })).toBe('Mod+k');
  expect(press('K', { metaKey: true, shiftKey: true })).toBe('Mod+Shift+k');
});

test('non-Latin layouts have the shortcuts on the same keys', () => {
  expect(press('о', { code: 'KeyJ' })).toBe('j');
  expect(press('Ш', { code: 'KeyI', shiftKey: true })).toBe('Shift+i');
  expect(press('ث', { code: 'KeyE' })).toBe('e');
  expect(press('№', { code: 'Digit3', shiftKey: true })).toBe('#');
  expect(press('о', { code: 'Digit7' })).toBeNull();
});

test('a Latin layout uses the typed Latin letter, wherever its key is', () => {
  expect(press('j', { code: 'KeyC' })).toBe('j');
});

test('symbols typed with AltGr or Option are recognized; Alt with a Latin letter is not a shortcut', () => {
  expect(press('#', { ctrlKey: true, altKey: true })).toBe('#');
  expect(press('#', { altKey: true })).toBe('#');
  expect(press('e', { altKey: true })).toBeNull();
});

test('keys of an input method in composition are never shortcuts', () => {
  expect(press('e', { isComposing: true })).toBeNull();
  expect(press('Process', {})).toBeNull();
  expect(press('e', { keyCode: 229 })).toBeNull();
});

test('a modifier alone is not a shortcut', () => {
  expect(press('Shift', { shiftKey: true })).toBeNull();
});
