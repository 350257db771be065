import { expect, test } from 'vitest';
import { canCreate, changesOf, matchingTags, pressed, tagStates } from './picker-state.ts';

const tags = [
  { name: 'Réisen', color: 'peach' },
  { name: 'Work', color: 'blue' },
  { name: 'Homework', color: 'green' },
  { name: 'عمل', color: 'gray' },
] as const;

test('a tag on some of the mails is in the third state', () => {
  const states = tagStates([{ tags: ['Work', 'a'] }, { tags: ['Work'] }]);
  expect([...states]).toEqual([
    ['Work', 'all'],
    ['a', 'some'],
  ]);
  expect(['all', 'some', 'none'].map(state => pressed(state as 'all'))).toEqual(['none', 'all', 'all']);
});

test('accents and case do not matter to the search, and a beginning comes first', () => {
  expect(matchingTags(tags, 'reis').map(tag => tag.name)).toEqual(['Réisen']);
  expect(matchingTags(tags, 'WORK').map(tag => tag.name)).toEqual(['Work', 'Homework']);
  expect(matchingTags(tags, ' عم').map(tag => tag.name)).toEqual(['عمل']);
  expect(matchingTags(tags, '')).toHaveLength(4);
});

test('a name that is taken, empty or too long cannot be made', () => {
  expect(canCreate(tags, 'work')).toBe(false);
  expect(canCreate(tags, '  ')).toBe(false);
  expect(canCreate(tags, 'x'.repeat(65))).toBe(false);
  expect(canCreate(tags, 'a/b')).toBe(true);
});

test('only what differs at the end is changed', () => {
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
