// What stands in the reading pane, by what is known of the conversation.
import { expect, test } from 'vitest';
import { readerPhase } from './use-open-conversation.ts';

const shown = { mailId: 'a', isMissing: false, isPending: false, problem: null, hasMails: true };

test('a mail that is there is shown, and one that is gone is as if none were open', () => {
  expect(readerPhase(shown)).toBe('shown');
  expect(readerPhase({ ...shown, mailId: null, isPending: true, hasMails: false })).toBe('empty');
  expect(readerPhase({ ...shown, isMissing: true, problem: new Error(), hasMails: false })).toBe('empty');
});

test('while it is asked for nothing counts as failed; after that a problem does, and a lack of mails', () => {
  expect(readerPhase({ ...shown, isPending: true, hasMails: false })).toBe('loading');
  expect(readerPhase({ ...shown, problem: new Error() })).toBe('failed');
  expect(readerPhase({ ...shown, hasMails: false })).toBe('failed');
});
