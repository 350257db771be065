import { expect, test } from 'vitest';
import { endText } from './end-words.ts';

test('an end is told by its kind, a suspension with the reason that the admin typed', () => {
  const why = (message: string) => ({ path: 'why', message });
  expect(endText([why('signed_out')])).toBe('You were signed out on another device.');
  expect(endText([why('password_changed')])).toContain('Your password was changed');
  expect(endText([why('too_many')])).toContain('so many devices');
  expect(endText([why('suspended'), { path: 'reason', message: 'It sent spam' }])).toBe(
    'This account is suspended. Reason: It sent spam',
  );
  expect(endText([why('suspended')])).toContain('Please ask those who run this service');
});

test('what is no known end says nothing', () => {
  for (const problems of [undefined, null, 'x', {}, [], [null], [{ path: 'why', message: 'constructor' }]])
    expect(endText(problems)).toBeUndefined();
});
