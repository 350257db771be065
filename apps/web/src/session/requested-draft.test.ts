// Which letter another program asked for, from the address that it opened.
import { expect, test } from 'vitest';
import { noteRequestedDraft, requestDraft, takeRequestedDraft } from './requested-draft.ts';

function taken(pathname: string, hash: string) {
  noteRequestedDraft({ pathname, hash });
  return takeRequestedDraft();
}

test('the mail link in the fragment is taken once', () => {
  expect(taken('/app/compose', '#mailto=mailto%3Aana%40a.example%3Fsubject%3DHi')).toBe(
    'mailto:ana@a.example?subject=Hi',
  );
  expect(takeRequestedDraft()).toBeNull();
});

test('without a link a blank letter is meant, and other addresses mean none', () => {
  expect(taken('/app/compose/', '')).toBe('');
  expect(taken('/app/compose', '#mailto=%E0%A4%A')).toBe('');
  expect(taken('/app/inbox', '#mailto=mailto%3Aa%40b.example')).toBeNull();
});

test('the mail link of a query is taken once, whether it came with the page or later, and none changes nothing', () => {
  noteRequestedDraft({ pathname: '/app/compose', hash: '' });
  requestDraft(new URLSearchParams('?mailto=mailto%3Aa%40b.example%3Fsubject%3DHi'));
  requestDraft(new URLSearchParams());
  expect(takeRequestedDraft()).toBe('mailto:a@b.example?subject=Hi');
  requestDraft(new URLSearchParams());
  expect(takeRequestedDraft()).toBeNull();
});
