// The words of a recovery kit as users enter them: typed, pasted from the picture of the printed
// kit, numbered or not.
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

test('characters outside the list stay, so that a wrong word is not split in two', () => {
  expect(readRecoveryPhrase('zöo ärt')).toEqual(['zöo', 'ärt']);
});

test('numbers alone are not words', () => {
  expect(readRecoveryPhrase(' 1 2. 3) ')).toEqual([]);
});
