// Builds text/calendar (RFC 5545, 5546) for appointments and invitations, next to the message that
// carries them.

import type { Mailbox } from '@keyfold/mail/addresses';
import { compactWall } from '@keyfold/mail/ics/wall-time';
import { formatCalendar, formatInstant, formatLine, formatTextLine } from '@keyfold/mail/ics/write';
import { formatZone } from '@keyfold/mail/ics/write-zone';
import { findNamedZone, type Zone } from '@keyfold/mail/ics/zones';
import { viewOf } from '../bytes.ts';
import { type MapiItem, messageClassOf, subjectOf } from './item.ts';
import { NOBODY, type Recipients } from './people.ts';
import { findRepetition } from './recurrence.ts';
import { FAMILIES, TAGS } from './tags.ts';

/** Property numbers within their families, [MS-OXPROPS]. */
const LIDS = {
  sequence: 0x8201,
  location: 0x8208,
  start: 0x820d,
  end: 0x820e,
  isAllDay: 0x8215,
  repetition: 0x8216,
  zoneOfRepetition: 0x8260,
  uid: 0x0003,
} as const;

const ANSWERS: Readonly<Record<string, string>> = {
  'IPM.SCHEDULE.MEETING.RESP.POS': 'ACCEPTED',
  'IPM.SCHEDULE.MEETING.RESP.TENT': 'TENTATIVE',
  'IPM.SCHEDULE.MEETING.RESP.NEG': 'DECLINED',
};
/** Message class of an exception to a recurring appointment. */
const EXCEPTION = 'IPM.OLE.CLASS.{00061055-0000-0000-C000-000000000046}';

/** Prefix of the ids that Outlook generates; a foreign id follows it as text. */
const FOREIGN_UID = /^040000008200e00074c5b7101a82e008(?:[0-9a-f]{48})7643616c2d55696401000000/i;

/**
 * Returns the id of an event: the id given by another program, or Outlook's own in hex, or null.
 */
function findUid(bytes: Uint8Array | null): string | null {
  if (bytes === null || bytes.length < 16 || bytes.length > 1_000) return null;
  const hex = Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
  const foreign = FOREIGN_UID.exec(hex);
  if (foreign === null) return hex.toUpperCase();
  const text = String.fromCharCode(...bytes.subarray(foreign[0].length / 2)).replace(/\0.*$/s, '');
  return /^[\u0020-\u007e]+$/.test(text) ? text : hex.toUpperCase();
}

/**
 * Returns the name of the time zone in which an appointment recurs ([MS-OXOCAL] 2.2.1.41), or ''.
 */
function zoneName(blob: Uint8Array | null): string {
  if (blob === null || blob.length < 8) return '';
  const view = viewOf(blob);
  const length = view.getUint16(6, true);
  if (length > 255 || 8 + 2 * length > blob.length) return '';
  return Array.from({ length }, (_, index) => String.fromCharCode(view.getUint16(8 + 2 * index, true))).join(
    '',
  );
}

type Clock = {
  id: string;
  zone: Zone;
};

/** Formats a time in the local time of the zone if there is one, else in UTC. */
function timeLine(name: string, at: Date, isAllDay: boolean, clock: Clock | null): string {
  if (clock === null && !isAllDay) return formatLine(name, formatInstant(at));
  const wall = at.getTime() + (clock?.zone.offsetAt(at.getTime()) ?? 0);
  if (!isAllDay) return formatLine(name, compactWall(wall, false), { TZID: clock?.id });
  // An all-day event starts at local midnight; without its zone, the nearest UTC midnight is used.
  const day = clock === null ? Math.round(wall / 86_400_000) * 86_400_000 : wall;
  return formatLine(name, compactWall(day, true), { VALUE: 'DATE' });
}

/**
 * Returns the calendar of an item, or null when it is neither an appointment nor an invitation, or
 * has no time.
 */
export async function readCalendar(
  item: MapiItem,
  from: Mailbox,
  people: Recipients,
): Promise<{ method: string; content: string } | null> {
  const kind = await messageClassOf(item);
  const isInvitation = kind.startsWith('IPM.SCHEDULE.MEETING');
  if (!isInvitation && !kind.startsWith('IPM.APPOINTMENT') && kind !== EXCEPTION) return null;
  const bag = item.properties;
  const lid = (number: number): number => item.idOf(FAMILIES.appointment, number);
  const start = await bag.date(lid(LIDS.start));
  const end = await bag.date(lid(LIDS.end));
  if (start === null) return null;
  const isAllDay = bag.flag(lid(LIDS.isAllDay));
  const blob = await bag.bytes(lid(LIDS.repetition));
  const repetition = blob === null ? null : findRepetition(blob);
  const name = zoneName(await bag.bytes(lid(LIDS.zoneOfRepetition)));
  const zone = name === '' ? null : findNamedZone(name);
  // Only recurring and all-day events need their zone: other times are instants, and days are
  // local.
  const clock = zone === null || (repetition === null && !isAllDay) ? null : { id: zone.id ?? name, zone };
  const answer = ANSWERS[kind];
  const method = isInvitation
    ? answer !== undefined
      ? 'REPLY'
      : kind.startsWith('IPM.SCHEDULE.MEETING.CANCELED')
        ? 'CANCEL'
        : 'REQUEST'
    : 'PUBLISH';
  const uid = findUid(await bag.bytes(item.idOf(FAMILIES.meeting, LIDS.uid)));
  const guests = answer === undefined ? [...people.to, ...people.cc] : [from];
  const [organizer] = answer === undefined ? [from] : people.to;
  const years = start.getUTCFullYear();
  const leftOut = (repetition?.leftOut ?? []).map(day => {
    // An exclusion is stored as a day; the file format wants the instant at which the occurrence
    // would have started.
    const startWall = start.getTime() + (clock?.zone.offsetAt(start.getTime()) ?? 0);
    const wall = day.getTime() + (startWall % 86_400_000);
    return isAllDay
      ? formatLine('EXDATE', compactWall(wall, true), { VALUE: 'DATE' })
      : clock === null
        ? formatLine('EXDATE', formatInstant(new Date(wall)))
        : formatLine('EXDATE', compactWall(wall, false), { TZID: clock.id });
  });
  const content = formatCalendar(method, [
    clock === null || isAllDay ? '' : formatZone(clock.id, clock.zone, years),
    'BEGIN:VEVENT\r\n',
    formatLine('UID', uid ?? `${item.origin}-${item.name}`),
    formatLine('SEQUENCE', String(Math.max(0, bag.number(lid(LIDS.sequence)) ?? 0))),
    formatLine('DTSTAMP', formatInstant((await bag.date(TAGS.createdAt)) ?? start)),
    timeLine('DTSTART', start, isAllDay, clock),
    end === null || end < start ? '' : timeLine('DTEND', end, isAllDay, clock),
    repetition === null ? '' : formatLine('RRULE', repetition.rule),
    ...leftOut,
    formatTextLine('SUMMARY', await subjectOf(item)),
    formatTextLine('LOCATION', await bag.text(lid(LIDS.location))),
    formatTextLine('DESCRIPTION', await bag.text(TAGS.body)),
    formatLine('STATUS', method === 'CANCEL' ? 'CANCELLED' : 'CONFIRMED'),
    organizer === undefined || organizer.address === NOBODY
      ? ''
      : formatLine('ORGANIZER', `mailto:${organizer.address}`, { CN: organizer.name }),
    ...guests
      .filter(({ address }) => address !== organizer?.address && address !== NOBODY)
      .slice(0, 500)
      .map(guest =>
        formatLine('ATTENDEE', `mailto:${guest.address}`, {
          CN: guest.name,
          PARTSTAT: answer ?? 'NEEDS-ACTION',
        }),
      ),
    'END:VEVENT\r\n',
  ]);
  return { method, content };
}
