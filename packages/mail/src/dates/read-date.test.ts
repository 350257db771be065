import { describe, expect, test } from 'vitest';
import { utf8 } from '../bytes.ts';
import { parseMessage } from '../mime/parse.ts';
import { summarize } from '../mime/summary.ts';
import { readDate } from './read-date.ts';

const NOON = '2007-08-30T11:55:12.000Z';
const UTC = '2007-08-30T13:55:12.000Z';

describe('dates with a zone', () => {
  test.each([
    ['Thu, 30 Aug 2007 13:55:12 +0200', NOON],
    ['Thu, 30 Aug 2007 13:55:12 +0200 (CEST)', NOON],
    ['30 Aug 2007 13:55:12 +0200', NOON],
    ['Thu, 30 Aug 2007 13:55:12 CEST', NOON],
    ['Thu, 30 Aug 2007 13:55:12 MESZ', NOON],
    ['Thu, 30 Aug 2007 13:55:12 (CEST)', NOON],
    ['Thu Aug 30 13:55:12 CEST 2007', NOON],
    ['Thu Aug 30 13:55:12 +0200 2007', NOON],
    ['Thu Aug 30 13:55:12 2007 +0200', NOON],
    ['Thu, 30 Aug 2007 13:55:12 GMT+2', NOON],
    ['Thu, 30 Aug 2007 13:55:12 UTC+02:00', NOON],
    ['Thu, 30 Aug 2007 13:55:12 GMT+0200 (Central European Summer Time)', NOON],
    ['Thu, 30 Aug 2007 21:55:12 AEST', NOON],
    ['Thu, 30 Aug 2007 07:55:12 EDT', NOON],
    ['Thu, 30 Aug 2007 04:55:12 PDT', NOON],
    ['Thu, 30 Aug 2007 04:55:12 Pacific Daylight Time', NOON],
    ['Thu, 30 Aug 2007 17:25:12 IST', NOON],
    ['Tue, 30 Jan 2007 13:55:12 NZDT', '2007-01-30T00:55:12.000Z'],
    ['Tue, 30 Jan 2007 13:55:12 AEDT', '2007-01-30T02:55:12.000Z'],
    ['2007-08-30T13:55:12+02:00', NOON],
    ['2007-08-30T11:55:12Z', NOON],
    ['2007-08-30 11:55:12.123 UTC', NOON],
    ['20070830T11:55:12Z', NOON],
    ['30-Aug-2007 13:55:12 +0200', NOON],
    ['Thu, 30-Aug-07 11:55:12 GMT', NOON],
    ['Thursday, August 30, 2007 1:55:12 PM +0200', NOON],
    ['Mon, 30 Aug 2007 13:55:12 +0200', NOON], // it was a Thursday
    ['Thu, 30 Aug 07 13:55:12 +0200', NOON],
    ['Thu, 30 Aug 107 13:55:12 +0200', NOON],
    ['Thu (day), 30 Aug (month) 2007 13:55:12 +0200', NOON],
    ['Thu,30 Aug 2007 13:55:12 +0200', NOON],
    ['Thu, 30 Aug 2007 13.55.12 +0200', NOON],
    ['Thu, 30 Aug 2007 13:55:12 +02', NOON],
    ['Do., 30 Aug. 2007 13:55:12 +0200', NOON],
    ['jue, 30 ago 2007 13:55:12 +0200', NOON],
    ['четверг, 30 августа 2007 г. 13:55:12 +0200', NOON],
    ['Sat, 01 Jan 94 10:00:00 -0500', '1994-01-01T15:00:00.000Z'],
    ['Thu, 30 Aug 2007 13:55:60 +0200', '2007-08-30T11:55:59.000Z'],
  ])('%s', (text, iso) => expect(readDate(text)).toEqual({ iso, hasZone: true }));
});

describe('dates without a zone, in many languages', () => {
  test.each([
    ['jue ago 30 13:55:12 2007', UTC],
    ['Do Aug 30 13:55:12 2007', UTC],
    ['jeu., 30 août 2007 13:55:12', UTC],
    ['jeudi 30 août 2007 à 13:55:12', UTC],
    ['gio, 30 ago 2007 13:55:12', UTC],
    ['qui, 30 ago 2007 13:55:12', UTC],
    ['czw., 30 sie 2007 13:55:12', UTC],
    ['30 sierpnia 2007 13:55:12', UTC],
    ['čt 30. srpna 2007 13:55:12', UTC],
    ['do 30 aug. 2007 13:55:12', UTC],
    ['tors 30 aug 2007 13:55:12', UTC],
    ['2007. aug. 30. 13:55:12', UTC],
    ['30 Ağustos 2007 Perşembe 13:55:12', UTC],
    ['Πέμ 30 Αυγ 2007 13:55:12', UTC],
    ['чт, 30 авг 2007 13:55:12', UTC],
    ['30 серпня 2007 13:55:12', UTC],
    ['30 elokuuta 2007 13:55:12', UTC],
    ['2007年8月30日 13:55:12', UTC],
    ['2007年8月30日(木) 13:55:12', UTC],
    ['2007年8月30日 下午1:55:12', UTC],
    ['周四, 30 8月 2007 13:55:12', UTC],
    ['2007년 8월 30일 오후 1:55:12', UTC],
    ['목, 30 8월 2007 13:55:12', UTC],
    ['30 أغسطس 2007 13:55:12', UTC],
    ['٣٠ أغسطس ٢٠٠٧ ١٣:٥٥:١٢', UTC],
    ['30 באוגוסט 2007 13:55:12', UTC],
    ['30 ส.ค. 2550 13:55:12', UTC],
    ['30 thg 8 2007 13:55:12', UTC],
    ['30 अगस्त 2007 13:55:12', UTC],
    ['mar. 6 mars 2007 13:55:12', '2007-03-06T13:55:12.000Z'],
    ['mar mar 6 13:55:12 2007', '2007-03-06T13:55:12.000Z'],
    ['lis 5 2007 10:00', '2007-11-05T10:00:00.000Z'],
    ['Di, 01 Mrz 2016 10:00:00', '2016-03-01T10:00:00.000Z'],
    ['30.08.2007 13:55:12', UTC],
    ['30/08/2007 13:55:12', UTC],
    ['8/30/2007 1:55:12 PM', UTC],
    ['jeu. 06/09/2007 13:55:12', '2007-09-06T13:55:12.000Z'],
    ['2007-08-30 13:55:12', UTC],
    ['2007/08/30 13:55:12', UTC],
    ['Thu, 30 Aug 2007 13:55:12', UTC],
    ['Thu, 30 Aug 2007 13:55:12 XYZ', UTC],
    ['30 Aug 2007', '2007-08-30T00:00:00.000Z'],
  ])('%s', (text, iso) => expect(readDate(text)).toEqual({ iso, hasZone: false }));
});

test.each([
  '',
  'yesterday',
  'Thu',
  '13:55',
  '31 Feb 2007 10:00:00 +0000',
  '30 Aug 2007 25:00:00 +0000',
  'x'.repeat(5_000),
  '(',
  'Aug Aug Aug',
])('%s is not a date', text => expect(readDate(text)).toBe(null));

const message = (date: string, received = '') =>
  utf8(`${received}From: Ana <ana@x.example>\r\nSubject: Fotos\r\n${date}\r\n\r\nHola`);
const ARRIVED = '2026-11-28T00:00:00.000Z';

test('list and reader show the same date', async () => {
  for (const date of ['Date: jue ago 30 13:55:12 2007', 'Date: Thu, 30 Aug 2007 15:55:12 CEST']) {
    const raw = message(date);
    expect((await parseMessage(raw)).date).toBe(UTC);
    expect((await summarize(raw, ARRIVED)).date).toBe(UTC);
  }
});

test('an unreadable date falls back to the time of the last server', async () => {
  const received =
    'Received: from b.example by c.example; Fri, 31 Aug 2007 08:00:00 +0200\r\nReceived: from a by b.example; Thu, 30 Aug 2007 08:00:00 +0200\r\n';
  for (const date of ['Date: gestern', 'X-Nothing: 1']) {
    const raw = message(date, received);
    expect((await parseMessage(raw)).date).toBe('2007-08-31T06:00:00.000Z');
    expect((await summarize(raw, ARRIVED)).date).toBe('2007-08-31T06:00:00.000Z');
  }
  expect((await summarize(message('Date: gestern'), ARRIVED)).date).toBe(ARRIVED);
});
