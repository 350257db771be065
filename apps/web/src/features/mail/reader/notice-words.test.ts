import { expect, test } from 'vitest';
import { noticeActions, noticeText } from './notice-words.ts';

const header = (value: string) => ({ key: 'x-keyfold-notice', name: 'X-Keyfold-Notice', value });
const date = '2026-11-22T06:00:00.000Z';

test('a notice is written from its kind and its facts', () => {
  const facts = 'new_login; browser="Firefox"; system="Linux"; address="192.0.2.7"';
  const text = noticeText({ date, headers: [header(facts)] }) ?? '';
  expect(text).toContain('a browser that hadn’t been used with your account before');
  expect(text).toContain('Device: Firefox, Linux');
  expect(text).toContain('Network: 192.0.2.7');
  expect(text).toContain('under Security');
});

test('a missing fact is named, and an unknown kind keeps its own text', () => {
  const text = noticeText({ date: null, headers: [header('password_changed; browser=""; system=""')] });
  expect(text).toContain('Device: Unknown device');
  expect(text).not.toContain('Time:');
  for (const value of ['', 'constructor', 'later; address="1"'])
    expect(noticeText({ date, headers: [header(value)] })).toBeNull();
  expect(noticeText({ date, headers: [] })).toBeNull();
});

test('a notice about an action of the operator names no device and says what to do', () => {
  const text = noticeText({ date, headers: [header('second_factor_reset')] }) ?? '';
  expect(text).toContain('your password alone opens your account');
  expect(text).toContain('contact the administrator of this service');
  expect(text).not.toMatch(/Device|Network|If this was you/);
});

test('a notice states its facts in full, including those that users typed', () => {
  const textOf = (value: string) => noticeText({ date, headers: [header(value)] }) ?? '';
  expect(textOf('plan_set; plan="pro"; former_plan="free"')).toContain('Plan: Pro (previously Free)');
  expect(textOf('admin_granted; level="super"')).toContain('Admin level: Super');
  const used = 'browser=""; system=""; address="192.0.2.7"; codes_left="1"';
  expect(textOf(`recovery_code_used; ${used}`)).toContain('1 of 10 codes left');
  expect(textOf('passkey_added; passkey="Gr%C3%BCn%20%22%3B"')).toContain('Key: Grün ";');
  expect(textOf('account_suspended; reason="It sent "; reason="spam"')).toContain('Reason: It sent spam');
  expect(textOf('account_suspended; reason="%E0%A4%A"')).toContain('Reason: %E0%A4%A');
  expect(textOf('plan_set; plan="constructor"; former_plan="free"')).not.toContain('previously');
});

test('notices about recovery and second factors tell users who did not act how to revoke access', () => {
  const textOf = (kind: string) => noticeText({ date, headers: [header(`${kind}; browser=""; system=""`)] });
  expect(textOf('recovery_used')).toContain('the same recovery words still open your account');
  expect(textOf('recovery_used')).toContain('create a new recovery kit under Security');
  const ofFactor = ['passkey_added', 'authenticator_on', 'recovery_code_used', 'recovery_codes_renewed'];
  for (const kind of [...ofFactor, 'second_factor_off', 'wrong_codes'])
    expect(textOf(kind)).toContain('create new recovery codes');
});

test('a notice leads to the page where the user can act, and to no other address', () => {
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
