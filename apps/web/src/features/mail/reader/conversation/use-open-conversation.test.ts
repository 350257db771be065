// What the reading pane shows, depending on what is known of the conversation.
import { expect, test } from 'vitest';
import { readerPhase } from './use-open-conversation.ts';

const shown = { mailId: 'a', isMissing: false, isPending: false, problem: null, hasMails: true };

test('an existing message is shown, and a missing one counts as none open', () => {
  expect(readerPhase(shown)).toBe('shown');
  expect(readerPhase({ ...shown, mailId: null, isPending: true, hasMails: false })).toBe('empty');
  expect(readerPhase({ ...shown, isMissing: true, problem: new Error(), hasMails: false })).toBe('empty');
});

test('nothing counts as failed while loading, but a problem or a lack of messages does afterward', () => {
  expect(readerPhase({ ...shown, isPending: true, hasMails: false })).toBe('loading');
  expect(readerPhase({ ...shown, problem: new Error() })).toBe('failed');
  expect(readerPhase({ ...shown, hasMails: false })).toBe('failed');
});
