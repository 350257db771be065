import { expect, test } from 'vitest';
import type { SecurityView } from '../../state/view-model.ts';
import { securityWords } from './security-words.ts';

const failed = (cause: NonNullable<SecurityView['cause']>) =>
  securityWords({
    kind: 'failed',
    cause,
    person: 'Bob',
    details: [],
    confirmedDomain: null,
    sendAt: null,
    isSenderProven: false,
    inContacts: false,
    warnings: [],
  });

test('a mail that does not open says why, and that nothing proves its sender', () => {
  expect(failed('damaged').title).toBe('Failed to decrypt message');
  expect(failed('damaged').text).toMatch(/^The message is damaged/);
  expect(failed('damaged').text).not.toContain('key');
  expect(failed('no_key').text).toContain('sealed for a key this device does not have');
  expect(failed('unreadable').title).toBe('This message could not be read');
  for (const cause of ['damaged', 'no_key', 'unreadable'] as const)
    expect(failed(cause).text).toContain('Nothing proves the sender and subject shown.');
});
