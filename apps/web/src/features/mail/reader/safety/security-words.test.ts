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

test('a message that fails to open says why, and that its sender is unproven', () => {
  expect(failed('damaged').title).toBe('Failed to decrypt message');
  expect(failed('damaged').text).toMatch(/^This message is damaged/);
  expect(failed('damaged').text).not.toContain('key');
  expect(failed('no_key').text).toContain('encrypted with a key');
  expect(failed('unreadable').title).toBe('This message couldn’t be read');
  for (const cause of ['damaged', 'no_key', 'unreadable'] as const)
    expect(failed(cause).text).toContain('The sender and subject shown can’t be confirmed.');
});
