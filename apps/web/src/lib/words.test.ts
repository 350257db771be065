import { afterEach, expect, test } from 'vitest';
import { setLanguage } from './language.ts';
import { formatCount, initialsOf, joinNames, joinParts, joinSentences } from './words.ts';

afterEach(() => setLanguage('en', {}));

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
  expect(joinNames(['Ines', 'Tomasz'], 'disjunction')).toBe('Ines or Tomasz');
});

test('parts are joined without the empty ones', () => {
  expect(joinParts(['3 accepted', '', '1 maybe'])).toBe('3 accepted, 1 maybe');
  expect(joinParts([])).toBe('');
});

test('sentences are separated by a space where the language has one', () => {
  expect(joinSentences('It failed.', '', 'Try again.')).toBe('It failed. Try again.');
  setLanguage('ja', {});
  expect(joinSentences('失敗しました。', 'やり直してください。')).toBe('失敗しました。やり直してください。');
});
