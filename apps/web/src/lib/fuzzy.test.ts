import { expect, test } from 'vitest';
import { fuzzyScore } from './fuzzy.ts';

const best = (typed: string, texts: string[]): string | undefined =>
  texts
    .map(text => ({ text, score: fuzzyScore(text, typed) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)[0]?.text;

test('the beginning wins, then the beginning of a word, then a part, then letters in order', () => {
  expect(best('arch', ['Go to Archive', 'Search', 'Archive'])).toBe('Archive');
  expect(best('arch', ['Search', 'Go to Archive'])).toBe('Go to Archive');
  expect(best('arch', ['A really cold house', 'Search'])).toBe('Search');
  expect(best('gtd', ['Delete', 'Go to Drafts', 'Settings'])).toBe('Go to Drafts');
});

test('accents and case do not count, and what does not fit is not found', () => {
  expect(fuzzyScore('Óscar', 'osc')).toBeGreaterThan(0.9);
  expect(fuzzyScore('Archive', 'xyz')).toBe(0);
  expect(fuzzyScore('Archive', '  ')).toBe(1);
});
