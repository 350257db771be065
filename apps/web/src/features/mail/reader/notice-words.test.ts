import { expect, test } from 'vitest';
import { noticeActions, noticeText } from './notice-words.ts';

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

test('a notice states its facts, those that people typed too, and long ones whole', () => {
  const textOf = (value: string) => noticeText({ date, headers: [header(value)] }) ?? '';
  expect(textOf('plan_set; plan="pro"; former_plan="free"')).toContain('Plan: Pro, before: Free');
  expect(textOf('admin_granted; level="super"')).toContain('Admin level: Super');
  const used = 'browser=""; system=""; address="192.0.2.7"; codes_left="1"';
  expect(textOf(`recovery_code_used; ${used}`)).toContain('1 of 10 codes left');
  expect(textOf('passkey_added; passkey="Gr%C3%BCn%20%22%3B"')).toContain('Key: Grün ";');
  expect(textOf('account_suspended; reason="It sent "; reason="spam"')).toContain('Reason: It sent spam');
  expect(textOf('account_suspended; reason="%E0%A4%A"')).toContain('Reason: %E0%A4%A');
  expect(textOf('plan_set; plan="constructor"; former_plan="free"')).not.toContain('before');
});

test('whoever did not use the kit or the second factor is told how to close that way', () => {
  const textOf = (kind: string) => noticeText({ date, headers: [header(`${kind}; browser=""; system=""`)] });
  expect(textOf('recovery_used')).toContain('the same words still open your account');
  expect(textOf('recovery_used')).toContain('make a new recovery kit under Security');
  const ofFactor = ['passkey_added', 'authenticator_on', 'recovery_code_used', 'recovery_codes_renewed'];
  for (const kind of [...ofFactor, 'second_factor_off', 'wrong_codes'])
    expect(textOf(kind)).toContain('make new recovery codes');
});

test('a notice leads to the page where one acts, and nowhere else', () => {
  const pathsOf = (value: string) => noticeActions({ headers: [header(value)] }).map(({ path }) => path);
  expect(pathsOf('new_login; browser="Firefox"')).toEqual(['/app/security/sessions?not-me']);
  expect(pathsOf('passkey_added; passkey="https://evil.test"')).toEqual([
    '/app/security/sessions?not-me',
    '/app/security/two-factor',
  ]);
  expect(pathsOf('recovery_used')).toEqual(['/app/security/sessions?not-me', '/app/security/recovery']);
  expect(pathsOf('plan_set')).toEqual(['/app/config/subscription']);
  expect(pathsOf('later; path="https://evil.test"')).toEqual([]);
  expect(pathsOf('account_suspended; reason="https://evil.test"')).toEqual([]);
});
