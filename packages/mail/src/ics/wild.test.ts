// Calendar files as real programs write them: Exchange all-day events, unusual forms of removed
// dates, rules beside the dates they produce, addresses with two schemes, and zones under display
// names.
import { describe, expect, test } from 'vitest';
import { type Invitation, readInvitation } from './invitation.ts';

const options = { now: new Date('2026-03-01T12:00:00Z'), zone: 'Europe/Berlin' };
const read = (event: string, head = 'METHOD:REQUEST', zone = options.zone): Invitation =>
  readInvitation(
    new TextEncoder().encode(
      `BEGIN:VCALENDAR\n${head}\nBEGIN:VEVENT\nUID:w@farm.example\n${event}\nEND:VEVENT\nEND:VCALENDAR\n`.replaceAll(
        '\n',
        '\r\n',
      ),
    ),
    { ...options, zone },
  );

describe('an all-day event of Exchange', () => {
  const cdo = 'X-MICROSOFT-CDO-ALLDAYEVENT:TRUE\n';
  test.each([
    [
      `${cdo}DTSTART;TZID=W. Europe Standard Time:20260706T000000\nDTEND;TZID=W. Europe Standard Time:20260707T000000`,
      '2026-07-06',
      '2026-07-07',
    ],
    [
      'X-MICROSOFT-MSNCALENDAR-ALLDAYEVENT:TRUE\nDTSTART;TZID=Tokyo Standard Time:20260706T000000\nDTEND;TZID=Tokyo Standard Time:20260709T000000',
      '2026-07-06',
      '2026-07-09',
    ],
    [`${cdo}DTSTART:20260705T220000Z\nDTEND:20260706T220000Z`, '2026-07-06', '2026-07-07'],
    [`${cdo}DTSTART:20260706T000000Z\nDTEND:20260707T000000Z`, '2026-07-06', '2026-07-07'],
    [`${cdo}DTSTART:20260706T000000\nDTEND:20260706T235900`, '2026-07-06', '2026-07-07'],
    [
      `${cdo}DTSTART;TZID=Nowhere:20260706T000000\nDTEND;TZID=Nowhere:20260707T000000`,
      '2026-07-06',
      '2026-07-07',
    ],
    [`${cdo}DTSTART;TZID=W. Europe Standard Time:20260706T000000`, '2026-07-06', '2026-07-07'],
  ])('is recognized, however its midnights are written: %#', (event, start, end) => {
    expect(read(event)).toMatchObject({
      start: { local: start, isDate: true, zone: null, isZoneUnknown: false },
      end: { local: end, isDate: true },
    });
  });

  test('is not recognized without the flag, with times within the day, or with a false flag', () => {
    const midnights = 'DTSTART;TZID=Europe/Berlin:20260706T000000\nDTEND;TZID=Europe/Berlin:20260707T000000';
    expect(read(midnights).start.isDate).toBe(false);
    expect(read(`X-MICROSOFT-CDO-ALLDAYEVENT:FALSE\n${midnights}`).start.isDate).toBe(false);
    expect(read(`${cdo}DTSTART:20260706T083000Z\nDTEND:20260706T093000Z`).start.isDate).toBe(false);
  });

  test('repeats by days, with exceptions written as times', () => {
    const { next, repetition } = read(
      `${cdo}DTSTART;TZID=Europe/Berlin:20260302T000000\nDTEND;TZID=Europe/Berlin:20260303T000000\nRRULE:FREQ=DAILY;UNTIL=20260304T230000Z\nEXDATE:20260301T230000Z`,
    );
    expect(next).toMatchObject({
      start: { local: '2026-03-03', isDate: true },
      end: { local: '2026-03-04' },
    });
    expect(repetition?.until).toMatchObject({ local: '2026-03-05' });
  });
});

describe('a series', () => {
  const nextOf = (lines: string, start = 'DTSTART;TZID=Europe/Berlin:20260202T100000') =>
    read(`${start}\nDURATION:PT30M\n${lines}`).next?.start.local ?? null;
  test.each([
    ['EXDATE;VALUE=DATE:20260302', '2026-03-03T10:00:00'],
    ['EXDATE;VALUE=DATE:20260302,20260303', '2026-03-04T10:00:00'],
    ['EXDATE:20260302', '2026-03-03T10:00:00'],
    ['EXDATE;TZID=Europe/Berlin:20260302T000000', '2026-03-03T10:00:00'],
    ['EXDATE:20260302T090000Z', '2026-03-03T10:00:00'],
    ['EXDATE;TZID=America/New_York:20260302T040000', '2026-03-03T10:00:00'],
    ['EXRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE', '2026-03-05T10:00:00'],
    ['EXRULE:FREQ=DAILY;INTERVAL=2', '2026-03-03T10:00:00'],
    ['EXRULE:FREQ=DAILY;UNTIL=20260310T235959Z', '2026-03-11T10:00:00'],
    ['EXRULE:FREQ=WEEKLY;BYDAY=MO\nEXRULE:FREQ=WEEKLY;BYDAY=TU', '2026-03-04T10:00:00'],
  ])('leaves out the dates of %s', (lines, local) => {
    expect(nextOf(`RRULE:FREQ=DAILY\n${lines}`)).toBe(local);
  });

  test('lists the rules that exclude dates', () => {
    const { repetition } = read('DTSTART:20260302T090000Z\nRRULE:FREQ=DAILY\nEXRULE:FREQ=WEEKLY;BYDAY=SU');
    expect(repetition?.exceptRules).toMatchObject([{ frequency: 'WEEKLY', days: [{ weekday: 0 }] }]);
    expect(
      read('DTSTART:20260302T090000Z\nRRULE:FREQ=DAILY\nEXDATE;VALUE=DATE:20260303').repetition?.removed,
    ).toBe(1);
  });

  test('can add a date by its day alone', () => {
    expect(nextOf('RRULE:FREQ=DAILY;COUNT=1\nRDATE;VALUE=DATE:20260405')).toBe('2026-04-05T10:00:00');
  });

  const start = 'DTSTART:20260301T120500Z';
  test.each([
    ['FREQ=HOURLY;BYMINUTE=5,35', '2026-03-01T12:05:00', '2026-03-01T12:35:00'],
    ['FREQ=HOURLY;BYMINUTE=5,35;BYHOUR=9,10', '2026-03-01T12:05:00', '2026-03-02T09:05:00'],
    ['FREQ=HOURLY;INTERVAL=6;BYMINUTE=0', '2026-03-01T12:05:00', '2026-03-01T18:00:00'],
    ['FREQ=MINUTELY;INTERVAL=15;BYHOUR=13', '2026-03-01T12:05:00', '2026-03-01T13:05:00'],
    ['FREQ=MINUTELY;BYMINUTE=50', '2026-03-01T12:05:00', '2026-03-01T12:50:00'],
    ['FREQ=HOURLY;BYSECOND=30', '2026-03-01T12:05:00', '2026-03-01T12:05:30'],
    ['FREQ=HOURLY;BYMINUTE=10,20,30;BYSETPOS=-1', '2026-03-01T12:05:00', '2026-03-01T12:30:00'],
    ['FREQ=HOURLY;BYDAY=TU;BYHOUR=8', '2026-03-01T12:05:00', '2026-03-03T08:05:00'],
    ['FREQ=DAILY;BYHOUR=9,17;BYMINUTE=0,30', '2026-03-01T12:05:00', '2026-03-01T17:00:00'],
  ])('RRULE:%s continues after its start', (rule, first, second) => {
    const at = (now: string) =>
      readInvitation(
        new TextEncoder().encode(
          `BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\n${start}\r\nDURATION:PT1S\r\nRRULE:${rule}\r\nEND:VEVENT\r\nEND:VCALENDAR`,
        ),
        { ...options, now: new Date(now) },
      ).next?.start.local;
    expect(at('2026-03-01T12:00:00Z')).toBe(first);
    expect(at('2026-03-01T12:05:10Z')).toBe(second);
  });

  test('with hourly dates since years ago has a next date, and one with a count ends', () => {
    expect(nextOf('RRULE:FREQ=HOURLY;BYMINUTE=5,35', 'DTSTART:20180101T000500Z')).toBe('2026-03-01T11:35:00');
    expect(nextOf('RRULE:FREQ=MINUTELY;INTERVAL=7', 'DTSTART:20180101T000500Z')).not.toBeNull();
    expect(nextOf('RRULE:FREQ=HOURLY;BYMINUTE=5,35;COUNT=4', 'DTSTART:20260301T110500Z')).toBe(
      '2026-03-01T11:35:00',
    );
    expect(read('DTSTART:20260101T110500Z\nRRULE:FREQ=HOURLY;BYMINUTE=5,35;COUNT=4').isOver).toBe(true);
  });

  test('keeps a rule with one invalid part', () => {
    expect(nextOf('RRULE:FREQ=WEEKLY;BYDAY=MO;BYSECOND=75;X-A=1')).toBe('2026-03-02T10:00:00');
  });
});

describe('a rule beside a RECURRENCE-ID', () => {
  const series = 'DTSTART;TZID=Europe/Berlin:20260202T100000\nDURATION:PT1H\nRRULE:FREQ=WEEKLY;BYDAY=MO';
  test('updates the whole series when the id is its start', () => {
    expect(read(`${series}\nRECURRENCE-ID;TZID=Europe/Berlin:20260202T100000`)).toMatchObject({
      recurrenceId: null,
      replaces: null,
      repetition: { rule: { frequency: 'WEEKLY' } },
      next: { start: { local: '2026-03-02T10:00:00' } },
      moreEvents: 0,
    });
  });

  test('is ignored for a single change and kept for all later dates', () => {
    expect(read('DTSTART:20260302T100000Z\nRECURRENCE-ID:20260302T090000Z')).toMatchObject({
      repetition: null,
      isFromThereOn: false,
      replaces: { instant: '2026-03-02T09:00:00.000Z' },
    });
    expect(
      read(`${series}\nRECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20260302T100000`),
    ).toMatchObject({
      isFromThereOn: true,
      replaces: { local: '2026-03-02T10:00:00' },
      repetition: { rule: { frequency: 'WEEKLY' } },
    });
  });
});

describe('people', () => {
  test.each([
    ['mailto:MAILTO:ada@farm.example', 'ada@farm.example'],
    ['MAILTO: mailto:mailto:ada@farm.example', 'ada@farm.example'],
    ['mailto:<ada@farm.example>', 'ada@farm.example'],
    ['mailto:ada%2Bcal@farm.example', 'ada+cal@farm.example'],
    ['mailto:ada@farm.example?cc=x@farm.example', 'ada@farm.example'],
    ['ada@farm.example', 'ada@farm.example'],
  ])('are read from %s', (value, address) => {
    const { organizer, guests } = read(
      `DTSTART:20260320T100000Z\nORGANIZER;CN=Ada:${value}\nATTENDEE;CN="MAILTO:bob@farm.example":${value}`,
    );
    expect(organizer).toEqual({ name: 'Ada', address });
    expect(guests).toMatchObject([{ name: 'bob@farm.example', address }]);
  });
});

describe('a time zone', () => {
  const instantOf = (line: string, head?: string, zone?: string) => read(line, head, zone).start;
  test.each([
    ['"(UTC+01:00) Amsterdam, Berlin, Bern, Rom, Stockholm, Wien"', '2026-07-15T07:00:00.000Z'],
    ['(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna', '2026-07-15T07:00:00.000Z'],
    ['"(GMT-05:00) Eastern Time (US & Canada)"', '2026-07-15T13:00:00.000Z'],
    ['"(UTC-08:00) Pacifique (É.-U. et Canada)"', '2026-07-15T16:00:00.000Z'],
    ['"(UTC+02:00) Athènes, Bucarest"', '2026-07-15T06:00:00.000Z'],
    ['"(UTC+05:30) Chennai, Kolkata, Mumbai, New Delhi"', '2026-07-15T03:30:00.000Z'],
    ['"(UTC) Dublin, Edinburgh, Lissabon, London"', '2026-07-15T08:00:00.000Z'],
    ['"(GMT+01.00) Sarajevo/Warsaw/Zagreb"', '2026-07-15T07:00:00.000Z'],
    ['"(UTC-07:00) Arizona"', '2026-07-15T16:00:00.000Z'],
    ['W. Europe Daylight Time', '2026-07-15T07:00:00.000Z'],
    ['Eastern', '2026-07-15T13:00:00.000Z'],
    ['Mitteleuropäische Zeit', '2026-07-15T07:00:00.000Z'],
    ['CEST', '2026-07-15T07:00:00.000Z'],
    ['/freeassociation.sourceforge.net/Europe/Berlin', '2026-07-15T07:00:00.000Z'],
    ['/mozilla.org/20070129_1/Europe/Berlin', '2026-07-15T07:00:00.000Z'],
    ['/Europe/Berlin', '2026-07-15T07:00:00.000Z'],
    ['tzone://Microsoft/Utc', '2026-07-15T09:00:00.000Z'],
    ['GMT+0100', '2026-07-15T08:00:00.000Z'],
    ['"GMT -05:00"', '2026-07-15T14:00:00.000Z'],
    ['"(UTC+05:00) Somewhere"', '2026-07-15T04:00:00.000Z'],
  ])('is known by the name %s', (name, instant) => {
    expect(instantOf(`DTSTART;TZID=${name}:20260715T090000`, undefined, 'Asia/Tokyo')).toMatchObject({
      instant,
      isZoneUnknown: false,
    });
  });

  test('with an offset and no place is the reader’s own if the offset matches', () => {
    const line = 'DTSTART;TZID="(UTC+01:00) Anywhere":20260715T090000';
    expect(instantOf(line).instant).toBe('2026-07-15T07:00:00.000Z');
    expect(instantOf(line, undefined, 'Asia/Tokyo').instant).toBe('2026-07-15T08:00:00.000Z');
  });

  test('of the calendar applies only to times without a known zone', () => {
    const head = 'METHOD:REQUEST\nX-WR-TIMEZONE:America/New_York';
    expect(instantOf('DTSTART:20260715T090000', head)).toMatchObject({
      instant: '2026-07-15T13:00:00.000Z',
      zone: 'America/New_York',
    });
    expect(instantOf('DTSTART:20260715T090000Z', head).instant).toBe('2026-07-15T09:00:00.000Z');
    expect(instantOf('DTSTART;TZID=Europe/Berlin:20260715T090000', head).instant).toBe(
      '2026-07-15T07:00:00.000Z',
    );
    expect(instantOf('DTSTART;VALUE=DATE:20260715', head)).toMatchObject({ local: '2026-07-15', zone: null });
    expect(instantOf('DTSTART;TZID=Nowhere:20260715T090000', head)).toMatchObject({
      instant: '2026-07-15T13:00:00.000Z',
      isZoneUnknown: false,
    });
    expect(instantOf('DTSTART:20260715T090000', 'X-WR-TIMEZONE:Nowhere').zone).toBeNull();
  });

  test('defined under an abbreviation uses that definition', () => {
    const described =
      'METHOD:REQUEST\nBEGIN:VTIMEZONE\nTZID:CST\nBEGIN:STANDARD\nDTSTART:19700101T000000\nTZOFFSETFROM:+0800\nTZOFFSETTO:+0800\nEND:STANDARD\nEND:VTIMEZONE';
    expect(instantOf('DTSTART;TZID=CST:20260715T090000', described).instant).toBe('2026-07-15T01:00:00.000Z');
    expect(instantOf('DTSTART;TZID=CST:20260715T090000').instant).toBe('2026-07-15T14:00:00.000Z');
  });
});

test('the link of a video meeting is kept, a script link is not', () => {
  expect(
    read('DTSTART:20260715T090000Z\nX-GOOGLE-CONFERENCE:https://meet.google.com/abc-defg-hij').conference,
  ).toBe('https://meet.google.com/abc-defg-hij');
  expect(read('DTSTART:20260715T090000Z\nX-GOOGLE-CONFERENCE:javascript:alert(1)').conference).toBeNull();
});
