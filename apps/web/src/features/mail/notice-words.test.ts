import { expect, test } from 'vitest';
import { noticeText } from './notice-words.ts';

const header = (value: string) => ({ key: 'x-keyfold-notice', name: 'X-Keyfold-Notice', value });
const date = '2026-11-22T06:00:00.000Z';

test('a notice is told by its kind and its facts', () => {
  const facts = 'new_login; browser="Firefox"; system="Linux"; address="192.0.2.7"';
  const text = noticeText({ date, headers: [header(facts)] }) ?? '';
  expect(text).toContain('a browser that was not used for it before');
  expect(text).toContain('Device: Firefox, Linux');
  expect(text).toContain('Network: 192.0.2.7');
  expect(text).toContain('under Security');
});

test('what is not known is said, and an unknown kind is left to its own text', () => {
  const text = noticeText({ date: null, headers: [header('password_changed; browser=""; system=""')] });
  expect(text).toContain('Device: Unknown device');
  expect(text).not.toContain('Time:');
  for (const value of ['', 'constructor', 'later; address="1"'])
    expect(noticeText({ date, headers: [header(value)] })).toBeNull();
  expect(noticeText({ date, headers: [] })).toBeNull();
});

test('what the operator did names no device, and says what to do about it', () => {
  const text = noticeText({ date, headers: [header('second_factor_reset')] }) ?? '';
  expect(text).toContain('your password alone opens your account');
  expect(text).toContain('ask the operator');
  expect(text).not.toMatch(/Device|Network|If this was you/);
});
