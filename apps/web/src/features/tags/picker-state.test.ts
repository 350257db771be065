import { expect, test } from 'vitest';
import { canCreate, changesOf, matchingTags, pressed, tagStates } from './picker-state.ts';

const tags = [
  { name: 'Réisen', color: 'peach' },
  { name: 'Work', color: 'blue' },
  { name: 'Homework', color: 'green' },
  { name: 'عمل', color: 'gray' },
] as const;

test('a tag on some of the messages is in the mixed state', () => {
  const states = tagStates([{ tags: ['Work', 'a'] }, { tags: ['Work'] }]);
  expect([...states]).toEqual([
    ['Work', 'all'],
    ['a', 'some'],
  ]);
  expect(['all', 'some', 'none'].map(state => pressed(state as 'all'))).toEqual(['none', 'all', 'all']);
});

test('the search ignores accents and case, and a match at the start comes first', () => {
  expect(matchingTags(tags, 'reis').map(tag => tag.name)).toEqual(['Réisen']);
  expect(matchingTags(tags, 'WORK').map(tag => tag.name)).toEqual(['Work', 'Homework']);
  expect(matchingTags(tags, ' عم').map(tag => tag.name)).toEqual(['عمل']);
  expect(matchingTags(tags, '')).toHaveLength(4);
});

test('a tag with a taken, empty or too long name cannot be created', () => {
  expect(canCreate(tags, 'work')).toBe(false);
  expect(canCreate(tags, '  ')).toBe(false);
  expect(canCreate(tags, 'x'.repeat(65))).toBe(false);
  expect(canCreate(tags, 'a/b')).toBe(true);
});

test('only the differences at the end are changed', () => {
  const before = tagStates([{ tags: ['Work', 'a'] }, { tags: ['Work'] }]);
  expect(changesOf(before, before)).toEqual({ add: [], remove: [] });
  const after = new Map([
    ...before,
    ['a', 'all' as const],
    ['Work', 'none' as const],
    ['new', 'all' as const],
  ]);
  expect(changesOf(before, after)).toEqual({ add: ['a', 'new'], remove: ['Work'] });
});
