import { expect, test } from 'vitest';
import { formatCount, initialsOf, joinNames, plural } from './words.ts';

test('counts are grouped and nouns agree with them', () => {
  expect(formatCount(2400)).toBe('2,400');
  expect(plural(1, 'message')).toBe('1 message');
  expect(plural(0, 'message')).toBe('0 messages');
  expect(plural(2400, 'reply', 'replies')).toBe('2,400 replies');
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
