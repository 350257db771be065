import { expect, test } from 'vitest';
import { createOpening } from './opening.ts';

test('a key acts on the conversation that the previous key requested', () => {
  const opening = createOpening();
  expect(opening.current('a')).toBe('a');
  opening.ask('b');
  expect(opening.current('a')).toBe('b');
  opening.ask('c');
  expect(opening.current('a')).toBe('c');
});

test('a late page does not move the keys back', () => {
  const opening = createOpening();
  opening.ask('b');
  opening.ask('c');
  opening.arrived('b');
  expect(opening.current('b')).toBe('c');
  opening.arrived('c');
  expect(opening.current('c')).toBe('c');
});

test('a skipped page is not waited for', () => {
  const opening = createOpening();
  opening.ask('b');
  opening.ask('c');
  opening.arrived('c');
  opening.arrived('x');
  expect(opening.current('x')).toBe('x');
});

test('a click, Back or a change of the list ends the wait', () => {
  const opening = createOpening();
  opening.ask('b');
  opening.arrived('x');
  expect(opening.current('x')).toBe('x');
  opening.ask('b');
  opening.arrived(null);
  expect(opening.current(null)).toBeNull();
});
