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

test('letters name their Shift, signs name themselves, Caps Lock changes nothing', () => {
  expect(press('e')).toBe('e');
  expect(press('I', { shiftKey: true })).toBe('Shift+i');
  expect(press('E')).toBe('e');
  expect(press('#', { shiftKey: true })).toBe('#');
  expect(press('?', { shiftKey: true })).toBe('?');
  expect(press(' ')).toBe('Space');
});

test('Ctrl and ⌘ are one modifier', () => {
  expect(press('k', { ctrlKey: true })).toBe('Mod+k');
  expect(press('K', { metaKey: true, shiftKey: true })).toBe('Mod+Shift+k');
});

test('keyboards without Latin letters have the shortcuts at the same places', () => {
  expect(press('о', { code: 'KeyJ' })).toBe('j');
  expect(press('Ш', { code: 'KeyI', shiftKey: true })).toBe('Shift+i');
  expect(press('ث', { code: 'KeyE' })).toBe('e');
  expect(press('№', { code: 'Digit3', shiftKey: true })).toBe('#');
  expect(press('о', { code: 'Digit7' })).toBeNull();
});

test('a layout with Latin letters counts as it writes, wherever the key is', () => {
  expect(press('j', { code: 'KeyC' })).toBe('j');
});

test('signs that need AltGr or Option are found; other letters with Alt are none of ours', () => {
  expect(press('#', { ctrlKey: true, altKey: true })).toBe('#');
  expect(press('#', { altKey: true })).toBe('#');
  expect(press('e', { altKey: true })).toBeNull();
});

test('what an input method is composing is never a shortcut', () => {
  expect(press('e', { isComposing: true })).toBeNull();
  expect(press('Process', {})).toBeNull();
  expect(press('e', { keyCode: 229 })).toBeNull();
});

test('a modifier alone is nothing', () => {
  expect(press('Shift', { shiftKey: true })).toBeNull();
});
