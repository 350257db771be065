import PostalMime from 'postal-mime';
import { describe, expect, test } from 'vitest';
import { buildReport, type Report } from './dsn.ts';

const NOW = new Date('2026-11-21T10:00:00Z');

const report = (changed: Partial<Report> = {}): Report => ({
  action: 'failed',
  to: 'ann@keyfold.test',
  reportingHost: 'mail.keyfold.test',
  messageId: '<notice@mail.keyfold.test>',
  now: NOW,
  arrivedAt: new Date('2026-11-21T09:00:00Z'),
  recipients: [{ address: 'bob@outside.test', status: '5.1.1', text: 'No such user', replyCode: 550 }],
  original: Buffer.from(
    'From: ann@keyfold.test\r\nSubject: Plans\r\nMessage-ID: <m@keyfold.test>\r\n\r\nThe body\r\n',
  ),
  ...changed,
});

async function parts(raw: Buffer) {
  const parsed = await PostalMime.parse(raw);
  const text = (type: string) =>
    new TextDecoder().decode(
      parsed.attachments.find(({ mimeType }) => mimeType === type)?.content as ArrayBuffer,
    );
  return { parsed, text };
}

describe('a failure notice', () => {
  test('is a multipart/report of text, status and the original’s headers', async () => {
    const raw = buildReport(report());
    expect(raw.toString()).toMatch(/Content-Type: multipart\/report; report-type=delivery-status;/);
    const { parsed, text } = await parts(raw);
    expect(parsed.text).toContain('bob@outside.test');
    expect(text('message/delivery-status').split(/\r?\n/).filter(Boolean)).toEqual([
      'Reporting-MTA: dns;mail.keyfold.test',
      'Arrival-Date: Sat, 21 Nov 2026 09:00:00 +0000',
      'Final-Recipient: rfc822;bob@outside.test',
      'Action: failed',
      'Status: 5.1.1',
      'Diagnostic-Code: smtp;No such user',
      'Last-Attempt-Date: Sat, 21 Nov 2026 10:00:00 +0000',
    ]);
    expect(text('text/rfc822-headers')).toContain('Subject: Plans');
    expect(raw.toString()).not.toContain('The body');
  });

  test('replies to the original and requests no reply', async () => {
    const { parsed } = await parts(buildReport(report()));
    expect(parsed.inReplyTo).toBe('<m@keyfold.test>');
    expect(parsed.headers.find(({ key }) => key === 'auto-submitted')?.value).toBe('auto-replied');
  });

  test('takes no header field from a remote server’s text', async () => {
    const text = `no\r\nAction: delivered\r\n\r\n--x ${'y'.repeat(5000)}\u0000é`;
    const raw = buildReport(report({ recipients: [{ address: 'bob@outside.test', status: '5.0.0', text }] }));
    const status = (await parts(raw)).text('message/delivery-status');
    expect(status.match(/^Action:.*$/gm)).toEqual(['Action: failed']);
    expect(status).toContain('Diagnostic-Code: x-keyfold;no Action: delivered --x');
    expect(status).not.toMatch(/[^\r\n\u0020-\u007e]/);
    expect(status.length).toBeLessThan(1500);
  });

  test('reports an international address with the UTF-8 address type', () => {
    const raw = buildReport(
      report({ recipients: [{ address: 'bücher@outside.test', status: '5.6.7', text: 'no' }] }),
    );
    expect(raw.toString()).toContain(
      'Content-Type: message/global-delivery-status\r\nContent-Transfer-Encoding: 8bit\r\n\r\n',
    );
    expect(raw.toString()).toContain('Final-Recipient: utf-8;bücher@outside.test');
    expect(raw.toString()).toContain(
      'Content-Type: message/global-headers\r\nContent-Transfer-Encoding: 8bit\r\n\r\nFrom: ann@keyfold.test\r\n',
    );
    expect(raw.toString()).not.toContain('text/rfc822-headers');
  });

  test('includes UTF-8 headers as message/global-headers and other bytes unchanged', () => {
    const withSubject = (bytes: Buffer) =>
      buildReport(
        report({ original: Buffer.concat([Buffer.from('Subject: '), bytes, Buffer.from('\r\n\r\nbody')]) }),
      );
    const utf8 = withSubject(Buffer.from('Bücher'));
    expect(utf8.toString()).toContain(
      'Content-Type: message/global-headers\r\nContent-Transfer-Encoding: 8bit\r\n\r\nSubject: Bücher\r\n',
    );
    // The addresses are plain ASCII.
    expect(utf8.toString()).toContain('Content-Type: message/delivery-status\r\n');
    const latin1 = withSubject(Buffer.from('Bücher', 'latin1')).toString('latin1');
    expect(latin1).toContain('Content-Type: text/rfc822-headers; charset=utf-8\r\n');
    expect(latin1).toContain('Subject: Bücher\r\n');
    expect(latin1).not.toContain('global-headers');
  });

  test('is complete even when the original has no Message-ID or body', async () => {
    const { parsed } = await parts(buildReport(report({ original: Buffer.from('From: ann@keyfold.test') })));
    expect(parsed.inReplyTo).toBeUndefined();
    expect(parsed.attachments).toHaveLength(2);
  });
});

test('a delay notice says until when the message is tried', () => {
  const raw = buildReport(report({ action: 'delayed', willRetryUntil: new Date('2026-11-26T09:00:00Z') }));
  expect(raw.toString()).toContain('Action: delayed');
  expect(raw.toString()).toContain('Will-Retry-Until: Thu, 26 Nov 2026 09:00:00 +0000');
});
