import { expect, test } from 'vitest';
import { type SearchEvent, searchTyping, startTyping } from './search-typing.ts';

const after = (...events: SearchEvent[]) => events.reduce(searchTyping, startTyping('from:ann'));

test('typing opens the suggestions without a highlight, and a search closes them', () => {
  const typing = after({ kind: 'spell' }, { kind: 'type', whole: 'bo' });
  expect(typing).toMatchObject({
    typed: 'bo',
    isOpen: true,
    isFinished: false,
    isSpelled: false,
    activeIndex: -1,
  });
  expect(searchTyping(typing, { kind: 'search', wanted: 'bob' })).toMatchObject({
    typed: 'bob',
    isOpen: false,
    isFinished: true,
  });
});

test('arrow keys cycle through the suggestions and the field in both directions', () => {
  const step = (by: number): SearchEvent => ({ kind: 'step', step: by, count: 2 });
  expect(after(step(1)).activeIndex).toBe(0);
  expect(after(step(1), step(1)).activeIndex).toBe(1);
  expect(after(step(1), step(1), step(1)).activeIndex).toBe(-1);
  expect(after(step(-1)).activeIndex).toBe(1);
});

test('a suggestion that needs more words keeps the list open and is not finished', () => {
  expect(after({ kind: 'focus', isFocused: true }, { kind: 'suggest', query: 'tag:' })).toMatchObject({
    typed: 'tag:',
    isOpen: true,
    isFinished: false,
  });
});

test('leaving the field closes the list and folds spelled-out operators into chips', () => {
  expect(after({ kind: 'spell' }, { kind: 'focus', isFocused: false })).toEqual(startTyping('from:ann'));
});

test('removing a chip keeps the list open', () => {
  expect(after({ kind: 'focus', isFocused: true }, { kind: 'replace', whole: '' })).toMatchObject({
    typed: '',
    isOpen: true,
    isFinished: true,
  });
});
