// What notices state: facts that people typed stay inside their quotes, and no header line grows too long.
import { expect, test } from 'vitest';
import { formatNotice, type NoticeFacts } from './notice-mail.ts';

const format = (facts: NoticeFacts) =>
  formatNotice({
    kind: 'account_suspended',
    place: null,
    facts,
    from: 'no-reply@keyfold.test',
    to: 'ann@keyfold.test',
    messageId: '<1@keyfold.test>',
    now: new Date('2026-11-27T12:00:00Z'),
  });

test('states the reason of a suspension in its header and in its text', () => {
  const { headers, body } = format({ reason: 'It sent spam' });
  expect(headers).toContain('account_suspended; reason="It%20sent%20spam"');
  expect(body.toString()).toContain('Reason: It sent spam');
});

test('a reason can neither end its header nor make a long line', () => {
  const reason = `"; kind="new\r\nX-Evil: 1\n${'漢'.repeat(400)}`;
  const { headers } = format({ reason });
  expect(headers).not.toContain('X-Evil: 1');
  for (const line of headers.split('\r\n')) expect(line.length).toBeLessThan(998);
  const parts = [...headers.replace(/\r\n /g, ' ').matchAll(/; reason="([^"]*)"/g)];
  expect(parts.map(([, part]) => decodeURIComponent(part ?? '')).join('')).toBe(reason);
});
