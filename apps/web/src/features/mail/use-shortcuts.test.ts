import { expect, test } from 'vitest';
import { keyName } from './use-shortcuts.ts';

test('letters name their Shift, signs name themselves', () => {
  expect(keyName({ key: 'e', shiftKey: false })).toBe('e');
  expect(keyName({ key: 'I', shiftKey: true })).toBe('Shift+I');
  expect(keyName({ key: '#', shiftKey: true })).toBe('#');
});
