import { expect, test } from 'vitest';
import { formatCount, initialsOf, joinNames } from './words.ts';

test('counts are grouped', () => {
  expect(formatCount(2400)).toBe('2,400');
});

test('initials come from the first two words with letters', () => {
  expect(initialsOf('Ines Almeida')).toBe('IA');
  expect(initialsOf('  "Óscar" (home) ')).toBe('ÓH');
  expect(initialsOf('mara@keyfold.test')).toBe('MK');
  expect(initialsOf('*** ')).toBe('?');
});

test('names are joined as in a sentence', () => {
  expect(joinNames(['Ines'])).toBe('Ines');
  expect(joinNames(['Ines', 'Tomasz'])).toBe('Ines and Tomasz');
});
