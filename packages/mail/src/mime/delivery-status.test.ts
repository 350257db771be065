import { describe, expect, test } from 'vitest';
import { bytesOfLatin1, utf8 } from '../bytes.ts';
import { isReportPart, readDeliveryReport } from './delivery-status.ts';
import { type ParsedAttachment, parseMessage } from './parse.ts';

const message = (...lines: string[]): Uint8Array => bytesOfLatin1(lines.join('\r\n'));

const ours = message(
  'From: Mail Delivery System <mailer-daemon@mail.keyfold.test>',
  'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
  '',
  '--b',
  'Content-Type: text/plain; charset=utf-8',
  '',
  'Your message could not be delivered',
  '--b',
  'Content-Type: message/delivery-status',
  '',
  'Reporting-MTA: dns;mail.keyfold.test',
  '',
  'Final-Recipient: rfc822;nobody@outside.test',
  'Action: failed',
  'Status: 5.1.1',
  'Remote-MTA: dns;mx.outside.test',
  'Diagnostic-Code: smtp;550 5.1.1 No such user',
  '',
  'Final-Recipient: rfc822;full@outside.test',
  'Action: failed',
  'Status: 5.2.2',
  'Diagnostic-Code: smtp;552 5.2.2 Mailbox full',
  '',
  '--b',
  'Content-Type: text/rfc822-headers; charset=utf-8',
  '',
  'From: alice@keyfold.test',
  'Message-ID: <original@keyfold.test>',
  '',
  '--b--',
  '',
);

describe('a delivery report', () => {
  test('of Keyfold names its recipients, their states and the message', async () => {
    const { attachments } = await parseMessage(ours);
    expect(readDeliveryReport(attachments)).toEqual({
      recipients: [
        {
          address: 'nobody@outside.test',
          action: 'failed',
          status: '5.1.1',
          remoteHost: 'mx.outside.test',
          diagnostic: '550 5.1.1 No such user',
        },
        {
          address: 'full@outside.test',
          action: 'failed',
          status: '5.2.2',
          remoteHost: null,
          diagnostic: '552 5.2.2 Mailbox full',
        },
      ],
      originalId: '<original@keyfold.test>',
      retriedUntil: null,
    });
    expect(attachments.filter(file => !isReportPart(file))).toEqual([]);
  });

  test('of Postfix is read with the whole message and folded fields', async () => {
    const { attachments } = await parseMessage(
      message(
        'From: MAILER-DAEMON@mx.firm.example (Mail Delivery System)',
        'Content-Type: multipart/report; report-type=delivery-status;',
        '\tboundary="4F2.1"',
        '',
        '--4F2.1',
        'Content-Description: Notification',
        'Content-Type: text/plain; charset=us-ascii',
        '',
        'This is the mail system at host mx.firm.example.',
        '--4F2.1',
        'Content-Description: Delivery report',
        'Content-Type: message/delivery-status',
        '',
        'Reporting-MTA: dns; mx.firm.example',
        'X-Postfix-Queue-ID: 4F2',
        '',
        'Final-Recipient: rfc822; new@elsewhere.example',
        'Original-Recipient: rfc822;old@firm.example',
        'Action: delayed',
        'Status: 4.0.0',
        'Diagnostic-Code: smtp; 451 4.7.1 Greylisted,',
        '    try again',
        'Will-Retry-Until: Sat, 28 Nov 2026 10:00:00 +0000',
        '',
        '--4F2.1',
        'Content-Type: message/rfc822',
        '',
        'Message-ID: <m@firm.example>',
        'Subject: Hello',
        '',
        'Body',
        '--4F2.1--',
        '',
      ),
    );
    expect(readDeliveryReport(attachments)).toEqual({
      recipients: [
        {
          address: 'old@firm.example',
          action: 'delayed',
          status: '4.7.1',
          remoteHost: null,
          diagnostic: '451 4.7.1 Greylisted, try again',
        },
      ],
      originalId: '<m@firm.example>',
      retriedUntil: 'Sat, 28 Nov 2026 10:00:00 +0000',
    });
  });

  test('is ignored without a failed recipient', () => {
    const part = (text: string) => [
      { mimeType: 'message/delivery-status', content: utf8(text), external: null } as ParsedAttachment,
    ];
    expect(readDeliveryReport([])).toBeNull();
    expect(readDeliveryReport(part('Reporting-MTA: dns;a'))).toBeNull();
    expect(
      readDeliveryReport(
        part('A: b\n\nFinal-Recipient: rfc822;a@b.example\nAction: delivered\nStatus: 2.0.0\n'),
      ),
    ).toBeNull();
  });
});
