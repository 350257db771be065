import { expect, test } from 'vitest';
import { fuzzyScore } from './fuzzy.ts';

const best = (typed: string, texts: string[]): string | undefined =>
  texts
    .map(text => ({ text, score: fuzzyScore(text, typed) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)[0]?.text;

test('ranks a match at the start first, then at a word start, then inside, then characters in order', () => {
  expect(best('arch', ['Go to Archive', 'Search', 'Archive'])).toBe('Archive');
  expect(best('arch', ['Search', 'Go to Archive'])).toBe('Go to Archive');
  expect(best('arch', ['A really cold house', 'Search'])).toBe('Search');
  expect(best('gtd', ['Delete', 'Go to Drafts', 'Settings'])).toBe('Go to Drafts');
});

test('ignores accents and case, and scores a mismatch as zero', () => {
  expect(fuzzyScore('Óscar', 'osc')).toBeGreaterThan(0.9);
  expect(fuzzyScore('Archive', 'xyz')).toBe(0);
  expect(fuzzyScore('Archive', '  ')).toBe(1);
});
