import { expect, test } from 'vitest';
import { endText } from './end-words.ts';

test('endText explains why a session ended and gives the reason for a suspension', () => {
  const why = (message: string) => ({ path: 'why', message });
  expect(endText([why('signed_out')])).toBe('You were signed out from another device.');
  expect(endText([why('password_changed')])).toContain('Your password was changed');
  expect(endText([why('too_many')])).toContain('too many devices');
  expect(endText([why('suspended'), { path: 'reason', message: 'It sent spam' }])).toBe(
    'This account is suspended. Reason: It sent spam',
  );
  expect(endText([why('suspended')])).toContain('Contact the administrator');
});

test('endText returns nothing for unknown reasons', () => {
  for (const problems of [undefined, null, 'x', {}, [], [null], [{ path: 'why', message: 'constructor' }]])
    expect(endText(problems)).toBeUndefined();
});
