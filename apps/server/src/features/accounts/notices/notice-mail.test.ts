// Content of notices: user-supplied values stay inside their quotes, and no header line grows too
// long.
import { expect, test } from 'vitest';
import { formatNotice, type NoticeFacts, type NoticeKind } from './notice-mail.ts';

const format = (facts: NoticeFacts, kind: NoticeKind = 'account_suspended') =>
  formatNotice({
    kind,
    place: null,
    facts,
    from: 'no-reply@keyfold.test',
    to: 'ann@keyfold.test',
    messageId: '<1@keyfold.test>',
    now: new Date('2026-11-27T12:00:00Z'),
  });

test('a suspension notice states the reason in its header and its text', () => {
  const { headers, body } = format({ reason: 'It sent spam' });
  expect(headers).toContain('account_suspended; reason="It%20sent%20spam"');
  expect(body.toString()).toContain('Reason: It sent spam');
});

test('a reason can neither inject a header nor create an overlong line', () => {
  const reason = `"; kind="new\r\nX-Evil: 1\n${'漢'.repeat(400)}`;
  const { headers } = format({ reason });
  expect(headers).not.toContain('X-Evil: 1');
  for (const line of headers.split('\r\n')) expect(line.length).toBeLessThan(998);
  const parts = [...headers.replace(/\r\n /g, ' ').matchAll(/; reason="([^"]*)"/g)];
  expect(parts.map(([, part]) => decodeURIComponent(part ?? '')).join('')).toBe(reason);
});

test('a notice about the kit or the second factor says how to disable that access', () => {
  const kit = format({}, 'recovery_used').body.toString();
  expect(kit).toContain('the same recovery words still open your account');
  expect(kit).toContain('create a new recovery kit under Security');
  expect(format({}, 'recovery_code_used').body.toString()).toContain('recovery codes');
});
