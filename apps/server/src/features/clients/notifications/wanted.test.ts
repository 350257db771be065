import { pushPreferences } from '@keyfold/contract';
import { expect, test } from 'vitest';
import { isQuiet, isWanted } from './wanted.ts';

const own = new Set(['me@keyfold.test', 'alias@keyfold.test']);
const mail = (to: string) => ({ isNotice: false, headers: `From: a@example.org\r\nTo: ${to}\r\nDate: x` });
const notice = { isNotice: true, headers: 'From: no-reply@keyfold.test\r\nTo: me@keyfold.test' };
const choose = (some: object) => pushPreferences.parse(some);

test('by default every message is pushed and there are no quiet hours', () => {
  expect(isWanted(choose({}), mail('list@example.org'), own)).toBe(true);
  expect(isWanted(choose({}), notice, own)).toBe(true);
  expect(isQuiet(choose({}), new Date())).toBe(false);
});

test('with new messages off, only mentions are pushed', () => {
  const choice = choose({ newEmails: false });
  expect(isWanted(choice, mail('list@example.org'), own)).toBe(false);
  expect(isWanted(choice, mail('"Me, myself" <ME@keyfold.test>, x@example.org'), own)).toBe(true);
  expect(isWanted(choose({ newEmails: false, mentions: false }), mail('me@keyfold.test'), own)).toBe(false);
});

test('notices follow their own choice', () => {
  expect(isWanted(choose({ security: false }), notice, own)).toBe(false);
  expect(isWanted(choose({ newEmails: false, mentions: false }), notice, own)).toBe(true);
});

test('quiet hours follow their time zone and may span midnight', () => {
  const at = (from: string, to: string, time_zone: string, now: string) =>
    isQuiet(choose({ quiet: { from, to, time_zone } }), new Date(now));
  expect(at('22:00', '07:00', 'Europe/Berlin', '2026-01-10T21:30:00Z')).toBe(true);
  expect(at('22:00', '07:00', 'Europe/Berlin', '2026-01-10T20:30:00Z')).toBe(false);
  expect(at('22:00', '07:00', 'UTC', '2026-01-10T00:00:00Z')).toBe(true);
  expect(at('22:00', '07:00', 'UTC', '2026-01-10T07:00:00Z')).toBe(false);
  expect(at('12:00', '13:00', 'America/New_York', '2026-07-10T16:30:00Z')).toBe(true);
  expect(at('12:00', '12:00', 'UTC', '2026-07-10T12:00:00Z')).toBe(false);
});
