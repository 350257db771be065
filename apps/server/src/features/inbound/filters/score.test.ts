import { parseAddressList } from '@keyfold/mail/addresses';
import { findHeaderText, readHeaders } from '@keyfold/mail/mime/headers';
import { describe, expect, test } from 'vitest';
import { SPAM_POINTS } from '../../../base/limits.ts';
import { type ArrivalVerdicts, findSigns, leastScore, type ScoredMail, scoreMail } from './score.ts';

const now = new Date('2026-11-22T10:00:00Z');
const GOOD: ArrivalVerdicts = { spf: 'pass', dkim: 'pass', dmarc: 'pass', dmarcPolicy: 'reject' };
const NONE: ArrivalVerdicts = { spf: 'none', dkim: 'none', dmarc: 'none', dmarcPolicy: 'none' };
const HEADER = [
  'From: Zoe <zoe@good.example>',
  'To: ann@keyfold.test',
  'Subject: Lunch on Friday',
  'Date: Sun, 22 Nov 2026 09:59:00 +0000',
  'Message-ID: <1@good.example>',
];

type Given = {
  header?: readonly string[];
  text?: string;
  verdicts?: Partial<ArrivalVerdicts>;
  helo?: string;
  host?: ScoredMail['host'];
};
function mail({
  header = HEADER,
  text = 'Text',
  verdicts,
  helo = 'out.good.example',
  host = 'named',
}: Given = {}): ScoredMail {
  const raw = Buffer.from(`${header.join('\r\n')}\r\n\r\n${text}\r\n`);
  const fields = readHeaders(raw);
  return {
    raw,
    fields,
    from: fields.filter(({ key }) => key === 'from').flatMap(({ value }) => parseAddressList(value)),
    subject: findHeaderText(fields, 'subject'),
    verdicts: { ...GOOD, ...verdicts },
    helo,
    host,
    ownNames: ['mail.keyfold.test', 'keyfold.test'],
    receivedAt: now,
  };
}
/**
 * Returns the header with the given lines in place of those with the same name; empty lines are
 * removed.
 */
function header(...lines: string[]): string[] {
  const name = (line: string) => line.slice(0, line.indexOf(':'));
  const kept = HEADER.filter(line => !lines.some(other => name(other) === name(line)));
  return [...kept, ...lines.filter(line => !line.endsWith(':'))];
}

test('an ordinary message from an authenticated sender has no spam signs', () => {
  expect(findSigns(mail())).toEqual(['proved']);
  expect(scoreMail(mail())).toBeLessThan(0);
});

test('an ordinary message from a small server without DNS records passes the highest sensitivity', () => {
  const points = scoreMail(mail({ verdicts: NONE }));
  expect(points).toBeLessThan(SPAM_POINTS.high);
  // A DNS outage counts against no sender.
  expect(
    scoreMail(mail({ verdicts: { spf: 'temperror', dkim: 'temperror', dmarc: 'temperror' } })),
  ).toBeLessThanOrEqual(0);
});

test('a missing PTR record counts against unauthenticated senders, a DNS outage against none', () => {
  const points = (host: ScoredMail['host'], verdicts: Partial<ArrivalVerdicts>) =>
    scoreMail(mail({ host, verdicts })) - scoreMail(mail({ verdicts }));
  expect([points('none', NONE), points('unknown', NONE), points('none', {})]).toEqual([1, 0, 0]);
});

test('a signed newsletter with an unsubscribe link is not spam', () => {
  const lines = header(
    'Precedence: bulk',
    'List-Id: <news.good.example>',
    'List-Unsubscribe: <https://good.example/u>',
  );
  expect(scoreMail(mail({ header: lines }))).toBeLessThan(1);
  expect(findSigns(mail({ header: lines, verdicts: NONE }))).toContain('bulk of nobody');
  expect(findSigns(mail({ header: header('Precedence: bulk') }))).toContain('bulk without a way out');
});

describe('authentication results', () => {
  const cases: [Partial<ArrivalVerdicts>, 'low' | 'medium' | 'high' | null][] = [
    [{ spf: 'fail', dkim: 'none', dmarc: 'fail', dmarcPolicy: 'reject' }, 'low'],
    [{ spf: 'none', dkim: 'none', dmarc: 'fail', dmarcPolicy: 'quarantine' }, 'low'],
    [{ spf: 'fail', dkim: 'none', dmarc: 'none', dmarcPolicy: 'none' }, 'medium'],
    [{ spf: 'softfail', dkim: 'none', dmarc: 'none', dmarcPolicy: 'none' }, 'high'],
    [{ spf: 'pass', dkim: 'none', dmarc: 'permerror', dmarcPolicy: 'none' }, 'high'],
    [{ spf: 'pass', dkim: 'pass', dmarc: 'fail', dmarcPolicy: 'none' }, 'high'],
    // Forwarded: SPF fails, and the signature is valid.
    [{ spf: 'fail', dkim: 'pass', dmarc: 'pass', dmarcPolicy: 'reject' }, null],
  ];
  test.each(cases)('%j are flagged from sensitivity %s on', (verdicts, from) => {
    const points = scoreMail(mail({ verdicts }));
    const flagging = (['low', 'medium', 'high'] as const).find(level => points >= SPAM_POINTS[level]);
    expect(flagging ?? null).toBe(from);
  });

  test('give a minimum score to mail that its domain asks to reject', () => {
    expect(leastScore({ ...NONE, dmarc: 'fail', dmarcPolicy: 'reject' })).toBe(SPAM_POINTS.low);
    expect(leastScore({ ...NONE, dmarc: 'fail' })).toBe(Number.NEGATIVE_INFINITY);
  });
});

describe('suspicious headers and greetings', () => {
  const cases: [string, Given][] = [
    ['no date', { header: header('Date:') }],
    ['odd date', { header: header('Date: Fri, 01 Jan 2038 00:00:00 +0000') }],
    ['odd date', { header: header('Date: soon') }],
    ['late date', { header: header('Date: Thu, 01 Jan 1970 00:00:00 +0000') }],
    ['odd date', { header: header('Date: vie, 1 ene 2038 00:00:00 +0000') }],
    ['odd date', { header: header('Date: Mon, 32 Nov 2026 10:00:00 +0000') }],
    ['late date', { header: header('Date: Tue, 03 Mar 2026 10:15:00 +0100') }],
    ['no message-id', { header: header('Message-ID:') }],
    ['no recipient', { header: header('To:') }],
    ['no author', { header: header('From:') }],
    ['other address as name', { header: header('From: "service@bank.example" <x@good.example>') }],
    ['field twice', { header: [...HEADER, 'Subject: Another'] }],
    ['hidden marks in subject', { header: header('Subject: =?utf-8?b?UGF5wq1wYWw=?=') }],
    ['shouted subject', { header: header('Subject: READ THIS AT ONCE PLEASE') }],
    ['greets with our name', { helo: 'MAIL.keyfold.test' }],
    ['greets with no name', { helo: 'localhost' }],
    ['greets with no name', { helo: '203.0.113.9' }],
  ];
  test.each(cases)('%s', (sign, given) => {
    expect(findSigns(mail(given))).toContain(sign);
    expect(scoreMail(mail(given))).toBeGreaterThan(scoreMail(mail()));
  });

  test('do not include names, address literals and abbreviations', () => {
    expect(findSigns(mail({ helo: '[203.0.113.9]' }))).toEqual(['proved']);
    expect(findSigns(mail({ header: header('Subject: RE: FYI 2026') }))).toEqual(['proved']);
    expect(findSigns(mail({ header: header('From: "zoe@good.example" <zoe@good.example>') }))).toEqual([
      'proved',
    ]);
  });

  test.each([
    'Sun, 22 Nov 2026 20:00:00 +1200 (NZST)',
    'dom., 22 nov. 2026 10:59:00 +0100',
    'So, 22 Nov 2026 10:59:00 MEZ',
    'Sun Nov 22 09:59:00 2026 -0000',
    '22-Nov-2026 09:59:00 +0000',
    'Sun, 22 Nov 26 09:59 GMT',
    '2026-11-22T09:59:00Z',
    'Sun, 22 Nov 2026 09:59:00',
    'Mon, 22 Nov 2026 09:59:00 +0000 (Coordinated (Universal) Time)',
  ])('the date %j is acceptable', date => {
    expect(findSigns(mail({ header: header(`Date: ${date}`) }))).toEqual(['proved']);
  });

  test('an unauthenticated plain list that resends old mail stays below medium', () => {
    const lines = header(
      'Date: Tue, 03 Mar 2026 10:15:00 +0100',
      'Message-ID:',
      'List-Unsubscribe: https://lists.example/u/1',
    );
    expect(scoreMail(mail({ header: lines, verdicts: NONE }))).toBeLessThan(SPAM_POINTS.medium);
  });
});

test('the GTUBE test line is spam for every sensitivity', () => {
  const text = 'XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X';
  expect(scoreMail(mail({ text }))).toBeGreaterThanOrEqual(SPAM_POINTS.low);
});

test('a hostile header of 2 MB is scored quickly', () => {
  const lines = [
    `From: ${'"a@'.repeat(100_000)} <x@y.example>`,
    `Subject: ${'A'.repeat(500_000)}`,
    `Date: ${'('.repeat(300_000)}`,
    ...Array.from({ length: 20_000 }, (_, index) => `X-${index}: y`),
  ];
  const given = mail({ header: lines });
  const startedAt = performance.now();
  expect(Number.isFinite(scoreMail(given))).toBe(true);
  expect(performance.now() - startedAt).toBeLessThan(100);
});
