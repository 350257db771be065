// The words of a recovery kit as people give them back: typed, pasted from the paper's picture, numbered or not.
import { expect, test } from 'vitest';
import { readRecoveryPhrase } from './recovery-phrase.ts';

test.each([
  ['zoo art vote', 'single spaces'],
  ['  Zoo\n\tART   vote ', 'other spaces and capitals'],
  ['1 zoo 2 art 3 vote', 'the numbers of the paper'],
  ['1. zoo\n2. art\n3. vote', 'a numbered list'],
  ['1) zoo 2) art 3) vote', 'numbers with a bracket'],
  ['1zoo2art3vote', 'cells of a table that ran together'],
  ['zoo, art; vote.', 'marks between the words'],
])('%j gives the three words: %s', text => {
  expect(readRecoveryPhrase(text)).toEqual(['zoo', 'art', 'vote']);
});

test('letters outside the list stay, so that a wrong word is not taken for two', () => {
  expect(readRecoveryPhrase('zöo ärt')).toEqual(['zöo', 'ärt']);
});

test('nothing but numbers is no word', () => {
  expect(readRecoveryPhrase(' 1 2. 3) ')).toEqual([]);
});
