// Which draft another program requested, from the address that it opened.
import { expect, test } from 'vitest';
import { noteRequestedDraft, requestDraft, takeRequestedDraft } from './requested-draft.ts';

function taken(pathname: string, hash: string) {
  noteRequestedDraft({ pathname, hash });
  return takeRequestedDraft();
}

test('the mailto link in the fragment is taken once', () => {
  expect(taken('/app/compose', '#mailto=mailto%3Aana%40a.example%3Fsubject%3DHi')).toBe(
    'mailto:ana@a.example?subject=Hi',
  );
  expect(takeRequestedDraft()).toBeNull();
});

test('the compose address without a link requests a blank draft, and other addresses request none', () => {
  expect(taken('/app/compose/', '')).toBe('');
  expect(taken('/app/compose', '#mailto=%E0%A4%A')).toBe('');
  expect(taken('/app/inbox', '#mailto=mailto%3Aa%40b.example')).toBeNull();
});

test('the mailto link of a query is taken once, and a query without one changes nothing', () => {
  noteRequestedDraft({ pathname: '/app/compose', hash: '' });
  requestDraft(new URLSearchParams('?mailto=mailto%3Aa%40b.example%3Fsubject%3DHi'));
  requestDraft(new URLSearchParams());
  expect(takeRequestedDraft()).toBe('mailto:a@b.example?subject=Hi');
  requestDraft(new URLSearchParams());
  expect(takeRequestedDraft()).toBeNull();
});
