// Reading and writing invitations: zones under all their names, recurrence, answers that other
// programs can read, and hostile files. corpus.test.ts compares the results stated by the corpora.
import fc from 'fast-check';
import ICAL from 'ical.js';
import { describe, expect, test } from 'vitest';
import { ICS_MAX_BYTES } from '../limits.ts';
import { ICS_ERROR_TEXTS, IcsError } from './error.ts';
import { type Invitation, readInvitation } from './invitation.ts';
import { formatReply } from './reply.ts';
import { WINDOWS_ZONES } from './windows-zones.ts';
import { findNamedZone, toInstant } from './zones.ts';

const options = { now: new Date('2026-03-01T12:00:00Z'), zone: 'Europe/Berlin' };
const bytes = (text: string) => new TextEncoder().encode(text.replace(/\r?\n/g, '\r\n'));
const calendar = (event: string, head = 'METHOD:REQUEST') =>
  bytes(
    `BEGIN:VCALENDAR\nVERSION:2.0\n${head}\nBEGIN:VEVENT\nUID:1@example.org\n${event}\nEND:VEVENT\nEND:VCALENDAR\n`,
  );
const read = (event: string, head?: string): Invitation => readInvitation(calendar(event, head), options);
function codeOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return error instanceof IcsError ? error.message : `not an IcsError: ${String(error)}`;
  }
  return 'read';
}

describe('an invitation', () => {
  test('has its organizer, guests, text and times', () => {
    const invitation = read(
      [
        'SEQUENCE:2',
        'DTSTAMP:20260201T080000Z',
        'DTSTART;TZID=Europe/Berlin:20260320T100000',
        'DTEND;TZID=Europe/Berlin:20260320T113000',
        'SUMMARY:Planung\\, Frühling',
        'LOCATION:Room 4\\nFloor 2',
        'DESCRIPTION:First line\\nSecond; line',
        'ORGANIZER;CN="Ames, Ada":MAILTO:ada@example.org',
        'ATTENDEE;CN=Bob;PARTSTAT=ACCEPTED;ROLE=OPT-PARTICIPANT:mailto:bob@example.org',
        'ATTENDEE;CUTYPE=ROOM;RSVP=TRUE:mailto:room@example.org',
      ].join('\n'),
    );
    expect(invitation).toMatchObject({
      method: 'REQUEST',
      uid: '1@example.org',
      sequence: 2,
      summary: 'Planung, Frühling',
      location: 'Room 4 Floor 2',
      description: 'First line\nSecond; line',
      organizer: { name: 'Ames, Ada', address: 'ada@example.org' },
      start: { local: '2026-03-20T10:00:00', instant: '2026-03-20T09:00:00.000Z', zone: 'Europe/Berlin' },
      end: { instant: '2026-03-20T10:30:00.000Z' },
      isOver: false,
    });
    expect(invitation.guests).toMatchObject([
      { name: 'Bob', answer: 'ACCEPTED', role: 'optional', isAnswerWanted: false },
      { address: 'room@example.org', answer: 'NEEDS-ACTION', kind: 'room', isAnswerWanted: true },
    ]);
  });

  test('can last a whole day, have a duration, or float in the reader’s time zone', () => {
    expect(read('DTSTART;VALUE=DATE:20260320')).toMatchObject({
      start: { local: '2026-03-20', isDate: true, zone: null },
      end: { local: '2026-03-21' },
    });
    expect(read('DTSTART:20260320T100000Z\nDURATION:PT45M').end.instant).toBe('2026-03-20T10:45:00.000Z');
    expect(read('DTSTART:20260320T100000')).toMatchObject({
      start: { instant: '2026-03-20T09:00:00.000Z', zone: null, zoneName: null, isZoneUnknown: false },
    });
    expect(read('DTSTART:20260320').start.isDate).toBe(true);
    // An end before the start is ignored.
    expect(read('DTSTART:20260320T100000Z\nDTEND:20260319T100000Z').end.instant).toBe(
      '2026-03-20T10:00:00.000Z',
    );
  });

  test('takes its method from the MIME part when the file has none', () => {
    expect(
      readInvitation(calendar('DTSTART:20260320T100000Z', 'X-A:b'), { ...options, method: 'cancel' }).method,
    ).toBe('CANCEL');
    expect(read('DTSTART:20260320T100000Z', 'METHOD:NONSENSE').method).toBe('PUBLISH');
  });

  test('keeps the token of each guest separate', () => {
    const { guests } = read(
      'DTSTART:20260320T100000Z\nATTENDEE;X-KEYFOLD-TOKEN=abcdefghijklmnop.qrs_t-u:mailto:a@b.c\nATTENDEE:mailto:d@b.c',
    );
    expect(guests.map(({ token }) => token)).toEqual(['abcdefghijklmnop.qrs_t-u', null]);
  });
});

describe('a time zone', () => {
  test('with a Windows name maps to a zone known on this machine', () => {
    for (const name of Object.keys(WINDOWS_ZONES)) expect(findNamedZone(name), name).not.toBeNull();
  });

  test.each([
    ['W. Europe Standard Time', '2026-07-01T08:00:00.000Z'],
    ['"Europe/Berlin"', '2026-07-01T08:00:00.000Z'],
    ['/freeassociation.sourceforge.net/Tzfile/Europe/Berlin', '2026-07-01T08:00:00.000Z'],
    ['/mozilla.org/20050126_1/America/Argentina/Ushuaia', '2026-07-01T13:00:00.000Z'],
    ['GMT+0530', '2026-07-01T04:30:00.000Z'],
    ['UTC', '2026-07-01T10:00:00.000Z'],
  ])('is found by the name %s', (name, instant) => {
    const written = /[/+]/.test(name) ? name.replaceAll('"', '') : name.replaceAll('"', '');
    expect(read(`DTSTART;TZID=${written}:20260701T100000`).start.instant).toBe(instant);
  });

  test('is taken from the file when its name is unknown', () => {
    const zone = [
      'BEGIN:VTIMEZONE',
      'TZID:Customized Time Zone',
      'BEGIN:STANDARD',
      'DTSTART:16010101T030000',
      'TZOFFSETFROM:+0200',
      'TZOFFSETTO:+0100',
      'RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10',
      'END:STANDARD',
      'BEGIN:DAYLIGHT',
      'DTSTART:16010101T020000',
      'TZOFFSETFROM:+0100',
      'TZOFFSETTO:+0200',
      'RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3',
      'END:DAYLIGHT',
      'END:VTIMEZONE',
    ].join('\n');
    const at = (wall: string) =>
      read(`DTSTART;TZID=Customized Time Zone:${wall}`, `METHOD:REQUEST\n${zone}`).start;
    expect(at('20260701T100000')).toMatchObject({
      instant: '2026-07-01T08:00:00.000Z',
      zone: null,
      zoneName: 'Customized Time Zone',
    });
    expect(at('20261201T100000').instant).toBe('2026-12-01T09:00:00.000Z');
    expect(at('20260329T013000').instant).toBe('2026-03-29T00:30:00.000Z');
    expect(at('20260329T033000').instant).toBe('2026-03-29T01:30:00.000Z');
  });

  test('that is unknown and undefined falls back to the reader’s zone and is flagged', () => {
    expect(read('DTSTART;TZID=Atlantis:20260320T100000').start).toMatchObject({
      isZoneUnknown: true,
      zone: null,
      instant: '2026-03-20T09:00:00.000Z',
    });
  });

  test('resolves a repeated hour to the first one and a skipped hour with the offset before it', () => {
    const zone = findNamedZone('Europe/Berlin');
    if (zone === null) throw new Error('no zone');
    const instant = (text: string) => new Date(toInstant(zone, Date.parse(`${text}Z`))).toISOString();
    expect(instant('2026-10-25T02:30:00')).toBe('2026-10-25T00:30:00.000Z');
    expect(instant('2026-03-29T02:30:00')).toBe('2026-03-29T01:30:00.000Z');
  });
});

describe('a recurrence', () => {
  const nextOf = (rule: string, start = '20250107T100000') =>
    read(`DTSTART;TZID=Europe/Berlin:${start}\nDURATION:PT1H\n${rule}`).next?.start.local ?? null;
  test.each([
    ['RRULE:FREQ=MONTHLY;BYDAY=2TU', '2026-03-10T10:00:00'],
    ['RRULE:FREQ=MONTHLY;BYDAY=-1FR', '2026-03-27T10:00:00'],
    ['RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH', '2026-03-03T10:00:00'],
    ['RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1', '2026-03-31T10:00:00'],
    ['RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=4TH', '2026-11-26T10:00:00'],
    ['RRULE:FREQ=YEARLY;BYMONTHDAY=29;BYMONTH=2', '2028-02-29T10:00:00'],
    ['RRULE:FREQ=DAILY;COUNT=3', null],
    ['RRULE:FREQ=DAILY;UNTIL=20260302T090000Z', '2026-03-02T10:00:00'],
    ['RRULE:FREQ=DAILY\nEXDATE;TZID=Europe/Berlin:20260302T100000', '2026-03-03T10:00:00'],
    ['RRULE:FREQ=DAILY;COUNT=1\nRDATE;TZID=Europe/Berlin:20260405T100000', '2026-04-05T10:00:00'],
    ['RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30', null],
  ])('%s', (rule, local) => {
    expect(nextOf(rule)).toBe(local);
  });

  test('respects moved and canceled dates', () => {
    const invitation = readInvitation(
      bytes(
        [
          'BEGIN:VCALENDAR',
          'BEGIN:VEVENT\nUID:s\nDTSTART:20260301T090000Z\nDURATION:PT1H\nRRULE:FREQ=DAILY\nEND:VEVENT',
          'BEGIN:VEVENT\nUID:s\nRECURRENCE-ID:20260302T090000Z\nSTATUS:CANCELLED\nDTSTART:20260302T090000Z\nEND:VEVENT',
          'BEGIN:VEVENT\nUID:s\nRECURRENCE-ID:20260303T090000Z\nDTSTART:20260303T150000Z\nDURATION:PT1H\nEND:VEVENT',
          'END:VCALENDAR',
        ].join('\n'),
      ),
      options,
    );
    expect(invitation.next?.start.instant).toBe('2026-03-03T15:00:00.000Z');
    expect(invitation.moreEvents).toBe(0);
  });

  test('is over after its last date', () => {
    expect(read('DTSTART:20250101T090000Z\nRRULE:FREQ=DAILY;COUNT=5')).toMatchObject({
      isOver: true,
      next: null,
    });
    expect(read('DTSTART:20250101T090000Z\nRRULE:FREQ=DAILY')).toMatchObject({ isOver: false });
  });
});

describe('a reply', () => {
  const component = (text: string) => new ICAL.Component(ICAL.parse(text) as never);
  test('repeats the identifying fields of the event and states who answers what', () => {
    const event = read(
      'SEQUENCE:3\nRECURRENCE-ID;TZID=Europe/Berlin:20260320T100000\nDTSTART;TZID=Europe/Berlin:20260320T110000\nSUMMARY:Tea\\, cake\nORGANIZER;CN="A; B":mailto:ada@example.org',
    );
    const text = formatReply({
      event,
      guest: { name: 'Böb "the" Builder', address: 'bob@example.org' },
      answer: 'TENTATIVE',
      comment: 'Perhaps; later,\nsorry',
      now: new Date('2026-03-02T10:00:00Z'),
    });
    const root = component(text);
    const written = root.getFirstSubcomponent('vevent');
    const attendee = written?.getFirstProperty('attendee');
    expect(root.getFirstPropertyValue('method')).toBe('REPLY');
    expect(written?.getFirstPropertyValue('uid')).toBe('1@example.org');
    expect(written?.getFirstPropertyValue('sequence')).toBe(3);
    expect(written?.getFirstProperty('recurrence-id')?.toICALString()).toBe(
      'RECURRENCE-ID;TZID=Europe/Berlin:20260320T100000',
    );
    expect(attendee?.getFirstValue()).toBe('mailto:bob@example.org');
    expect(attendee?.getParameter('partstat')).toBe('TENTATIVE');
    expect(attendee?.getParameter('cn')).toBe("Böb 'the' Builder");
    expect(written?.getFirstPropertyValue('comment')).toBe('Perhaps; later,\nsorry');
    expect(readInvitation(bytes(text), options)).toMatchObject({ method: 'REPLY', summary: 'Tea, cake' });
  });

  test('is folded at 75 bytes without bare line ends, whatever the texts', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 300 }),
        fc.string({ unit: 'binary', maxLength: 100 }),
        (summary, name) => {
          const text = formatReply({
            event: {
              uid: 'u@x',
              sequence: 0,
              recurrenceId: null,
              organizer: { name, address: 'a@b.c' },
              summary,
            },
            guest: { name, address: 'g@b.c' },
            answer: 'ACCEPTED',
            now: options.now,
          });
          expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
          for (const line of text.split('\r\n'))
            expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75);
          const lines = text.replaceAll('\r\n ', '').split('\r\n');
          expect(lines.filter(line => line.startsWith('ATTENDEE'))).toHaveLength(1);
          expect(lines.filter(line => line.startsWith('BEGIN'))).toHaveLength(2);
        },
      ),
      { numRuns: 80 },
    );
  });
});

describe('hostile calendar data', () => {
  test('is refused with the matching error text', () => {
    expect(codeOf(() => readInvitation(bytes('hello'), options))).toBe(ICS_ERROR_TEXTS.not_calendar);
    expect(codeOf(() => readInvitation(new Uint8Array(0), options))).toBe('Invalid calendar data.');
    expect(codeOf(() => readInvitation(new Uint8Array(ICS_MAX_BYTES + 1), options))).toBe(
      'Invalid calendar data.',
    );
    expect(codeOf(() => readInvitation(bytes('BEGIN:VCALENDAR\nEND:VCALENDAR'), options))).toBe(
      'Event details could not be parsed.',
    );
    expect(codeOf(() => read('SUMMARY:no time'))).toBe('Error parsing event details.');
    expect(codeOf(() => read('DTSTART:20261341T996099Z'))).toBe('Error parsing event details.');
  });

  test.each([
    'RRULE:FREQ=SECONDLY',
    'RRULE:FREQ=YEARLY;BYHOUR=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYMINUTE=1,2,3,4,5,6,7,8,9',
    'RRULE:FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=2',
    'RRULE:FREQ=DAILY;COUNT=2000000000',
    'RRULE:FREQ=WEEKLY;INTERVAL=999999999',
    'RRULE:FREQ=YEARLY;BYWEEKNO=53,-53;BYDAY=SU',
    `EXDATE:${Array.from({ length: 20_000 }, () => '20260101T000000Z').join(',')}`,
    `X-A:${'a'.repeat(1_000_000)}`,
    Array.from({ length: 20_000 }, (_, index) => `ATTENDEE:mailto:${index}@example.org`).join('\n'),
    'BEGIN:VEVENT\n'.repeat(20_000),
    'BEGIN:VALARM\n'.repeat(20_000),
  ])('is handled in little time: %#', lines => {
    const start = performance.now();
    codeOf(() => read(`DTSTART:19700101T000000Z\n${lines}`));
    expect(performance.now() - start).toBeLessThan(30_000);
  });

  test('throws only its own error, however it is damaged', () => {
    const whole = bytes(
      'BEGIN:VCALENDAR\nMETHOD:REQUEST\nBEGIN:VTIMEZONE\nTZID:X\nBEGIN:STANDARD\nDTSTART:19701025T030000\nTZOFFSETFROM:+0200\nTZOFFSETTO:+0100\nRRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU\nEND:STANDARD\nEND:VTIMEZONE\nBEGIN:VEVENT\nUID:1\nDTSTART;TZID=X:20260320T100000\nDURATION:PT1H\nRRULE:FREQ=MONTHLY;BYDAY=2TU;COUNT=9\nEXDATE;TZID=X:20260414T100000\nATTENDEE;CN=B;PARTSTAT=ACCEPTED:mailto:b@c.d\nSUMMARY:Tea\nEND:VEVENT\nEND:VCALENDAR\n',
    );
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 12 }),
        flips => {
          const damaged = whole.slice();
          for (const [at, value] of flips) damaged[at] = value;
          expect(codeOf(() => readInvitation(damaged, options))).not.toContain('not an IcsError');
        },
      ),
      { numRuns: 800 },
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), noise => {
        expect(codeOf(() => readInvitation(noise, options))).not.toContain('not an IcsError');
      }),
    );
  });
});
