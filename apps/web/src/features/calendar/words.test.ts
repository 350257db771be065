// Texts for times and repetitions in the user's language (docs/interpretations.md#79), and the link
// for guests.
import { readInvitation } from '@keyfold/mail/ics/invitation';
import { afterEach, expect, test } from 'vitest';
import { setLanguage } from '../../lib/language.ts';
import { formatMoment, formatOwnZone, formatSpan, messageLocale, tileOf } from './event-dates.ts';
import { repeatWords } from './repeat-words.ts';
import { readRsvpLink, rsvpLink } from './rsvp-link.ts';

const read = (lines: string) =>
  readInvitation(
    new TextEncoder().encode(
      `BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\n${lines}\r\nEND:VEVENT\r\nEND:VCALENDAR`,
    ),
    { now: new Date('2026-01-01T00:00:00Z'), zone: 'Europe/Berlin' },
  );
afterEach(() => setLanguage('en', {}));
const plain = (text: string | null) => text?.replaceAll('\u202f', ' ') ?? null;

test('formats times in long US English in the user’s zone, and adds the event’s own zone', () => {
  const event = read('DTSTART;TZID=Europe/Lisbon:20261127T200000\r\nDURATION:PT90M');
  expect(plain(formatSpan(event.start, event.end, 'Europe/Berlin'))).toBe(
    'Friday, November 27, 2026 at 9:00 PM – 10:30 PM',
  );
  expect(plain(formatOwnZone(event, 'Asia/Tokyo'))).toBe('Friday, November 27, 2026 at 8:00 PM – 9:30 PM');
  expect(plain(formatOwnZone(event, 'Europe/Berlin'))).toBe('8:00 PM – 9:30 PM');
  expect(formatOwnZone(event, 'Europe/London')).toBeNull();
  expect(tileOf(event.start, 'Europe/Berlin')).toEqual({ month: 'NOV', day: '27' });
});

test('formats times in the user’s language, but in English for messages', () => {
  setLanguage('de', {});
  const event = read('DTSTART;TZID=Europe/Berlin:20260715T090000\r\nDURATION:PT1H');
  expect(formatSpan(event.start, event.end, 'Europe/Berlin')).toBe(
    'Mittwoch, 15. Juli 2026 um 09:00 – 10:00',
  );
  expect(plain(formatSpan(event.start, event.end, 'Europe/Berlin', messageLocale))).toBe(
    'Wednesday, July 15, 2026 at 9:00 AM – 10:00 AM',
  );
  expect(tileOf(event.start, 'Europe/Berlin')).toEqual({ month: 'JUL', day: '15' });
  setLanguage('fr', {});
  expect(formatMoment(event.start, 'Europe/Berlin')).toMatch(/^mercredi 15 juillet 2026/);
  setLanguage('ar', {});
  expect(formatMoment(event.start, 'Europe/Berlin')).toContain('2026');
});

test('whole days have no time and are the same in every zone', () => {
  const one = read('DTSTART;VALUE=DATE:20261127');
  const more = read('DTSTART;VALUE=DATE:20261127\r\nDTEND;VALUE=DATE:20261130');
  expect(formatSpan(one.start, one.end, 'Pacific/Kiritimati')).toBe('Friday, November 27, 2026');
  expect(formatSpan(more.start, more.end, 'America/Adak')).toBe(
    'Friday, November 27, 2026 – Sunday, November 29, 2026',
  );
  expect(tileOf(one.start, 'America/Adak').day).toBe('27');
});

test.each([
  ['FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE', 'Every 2 weeks on Monday and Wednesday'],
  ['FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', 'Every week from Monday to Friday'],
  ['FREQ=MONTHLY;BYDAY=2TU;COUNT=6', 'Every month on the second Tuesday, 6 times'],
  ['FREQ=MONTHLY;BYDAY=FR;BYSETPOS=-1', 'Every month on the last Friday'],
  ['FREQ=MONTHLY;BYMONTHDAY=-1', 'Every month on the last day of the month'],
  ['FREQ=MONTHLY;BYMONTHDAY=1,15', 'Every month on day 1 and 15'],
  ['FREQ=YEARLY;BYMONTH=11;BYDAY=4TH', 'Every year on the fourth Thursday in November'],
  ['FREQ=DAILY;UNTIL=20260331', 'Every day until March 31, 2026'],
  ['FREQ=DAILY;COUNT=1', 'Every day, once'],
  ['FREQ=YEARLY;BYYEARDAY=100', 'Every year, on certain days'],
])('describes %s as "%s"', (rule, words) => {
  const { repetition } = read(`DTSTART;TZID=Europe/Berlin:20260105T090000\r\nRRULE:${rule}`);
  expect(repetition === null ? null : repeatWords(repetition)).toBe(words);
});

test('names rules for excluded dates', () => {
  const { repetition } = read('DTSTART:20260105T090000Z\r\nRRULE:FREQ=DAILY\r\nEXRULE:FREQ=WEEKLY;BYDAY=SU');
  expect(repetition === null ? null : repeatWords(repetition)).toBe(
    'Every day (except: Every week on Sunday)',
  );
});

test('counts excluded and added dates', () => {
  const { repetition } = read(
    'DTSTART:20260105T090000Z\r\nRRULE:FREQ=DAILY\r\nEXDATE:20260106T090000Z,20260107T090000Z\r\nRDATE:20260301T120000Z',
  );
  expect(repetition === null ? null : repeatWords(repetition)).toBe(
    'Every day (2 dates excluded, 1 date added)',
  );
});

test('a link holds its ticket in the fragment, and an invalid ticket is rejected', () => {
  const ticket = { eventId: 'u@x', token: 'abcdefghijklmnop-_1', title: 'Tea & cake #1', when: 'Friday' };
  const link = new URL(rsvpLink('https://mail.example', ticket));
  expect(link.search).toBe('');
  expect(link.pathname).toBe('/app/rsvp');
  expect(readRsvpLink(link.hash)).toEqual(ticket);
  for (const hash of [
    '',
    '#',
    '#e=u@x',
    '#t=abcdefghijklmnop',
    '#e=u&t=short',
    `#e=${'u'.repeat(300)}&t=abcdefghijklmnop`,
  ])
    expect(readRsvpLink(hash)).toBeNull();
});
