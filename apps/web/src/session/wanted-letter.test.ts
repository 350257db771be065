// Which letter another program asked for, from the address that it opened.
import { expect, test } from 'vitest';
import { noteWantedLetter, takeWantedLetter, wantLetter } from './wanted-letter.ts';

function taken(pathname: string, hash: string) {
  noteWantedLetter({ pathname, hash });
  return takeWantedLetter();
}

test('the mail link in the fragment is taken once', () => {
  expect(taken('/app/compose', '#mailto=mailto%3Aana%40a.example%3Fsubject%3DHi')).toBe(
    'mailto:ana@a.example?subject=Hi',
  );
  expect(takeWantedLetter()).toBeNull();
});

test('without a link a blank letter is meant, and other addresses mean none', () => {
  expect(taken('/app/compose/', '')).toBe('');
  expect(taken('/app/compose', '#mailto=%E0%A4%A')).toBe('');
  expect(taken('/app/inbox', '#mailto=mailto%3Aa%40b.example')).toBeNull();
});

test('the mail link of a query is taken once, whether it came with the page or later, and none changes nothing', () => {
  noteWantedLetter({ pathname: '/app/compose', hash: '' });
  wantLetter(new URLSearchParams('?mailto=mailto%3Aa%40b.example%3Fsubject%3DHi'));
  wantLetter(new URLSearchParams());
  expect(takeWantedLetter()).toBe('mailto:a@b.example?subject=Hi');
  wantLetter(new URLSearchParams());
  expect(takeWantedLetter()).toBeNull();
});
