// Writes an invitation (METHOD:REQUEST), its updates and its cancellation (RFC 5546 section 3.2.2,
// 3.2.5). One file per guest: the token that answers it (docs/interpretations.md#78) appears with
// that guest only. Sends nothing.
import { compactWall, fieldsOf, readWall } from './wall-time.ts';
import { formatCalendar, formatInstant, formatLine, formatTextLine } from './write.ts';
import { formatZone } from './write-zone.ts';
import { findIanaZone, toInstant, UTC } from './zones.ts';

type Person = { readonly name: string; readonly address: string };

export type RepeatPlan = {
  readonly frequency: 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY';
  /** Last day, `2026-03-01`; null for no end. */
  readonly lastDay: string | null;
};

/** An event as planned by its organizer. */
export type EventPlan = {
  readonly uid: string;
  readonly sequence: number;
  readonly organizer: Person;
  readonly summary: string;
  readonly location: string;
  readonly description: string;
  /** `2026-03-01` for all-day events, else `2026-03-01T10:00:00` in the local time of the zone. */
  readonly start: string;
  /** Exclusive for all-day events. */
  readonly end: string;
  readonly isAllDay: boolean;
  /** IANA id; ignored for all-day events. */
  readonly zone: string;
  readonly repeat: RepeatPlan | null;
};

export type InvitedGuest = Person & { readonly answer?: string; readonly token?: string | null };

export type EventFile = {
  readonly method: 'REQUEST' | 'CANCEL';
  readonly plan: EventPlan;
  readonly guests: readonly InvitedGuest[];
  readonly now: Date;
};

function untilOf(plan: EventPlan): string {
  const last = plan.repeat?.lastDay ?? null;
  if (last === null) return '';
  const day = last.replaceAll('-', '');
  if (plan.isAllDay) return `;UNTIL=${day}`;
  // UNTIL of a time with a zone is in UTC (RFC 5545 section 3.3.10): the last second of that day in
  // the event's local time.
  const wall = readWall(`${day}T235959`)?.wall ?? 0;
  return `;UNTIL=${formatInstant(new Date(toInstant(findIanaZone(plan.zone) ?? UTC, wall)))}`;
}

function timeLine(name: string, at: string, { isAllDay, zone }: EventPlan): string {
  const wall = readWall(at)?.wall ?? 0;
  if (isAllDay) return formatLine(name, compactWall(wall, true), { VALUE: 'DATE' });
  if (zone === 'UTC') return formatLine(name, `${compactWall(wall, false)}Z`);
  return formatLine(name, compactWall(wall, false), { TZID: zone });
}

/** Returns the calendar text of an invitation, an update (a higher sequence) or a cancellation. */
export function formatEvent({ method, plan, guests, now }: EventFile): string {
  const zone = plan.isAllDay || plan.zone === 'UTC' ? null : findIanaZone(plan.zone);
  const year = fieldsOf(readWall(plan.start)?.wall ?? now.getTime()).year;
  const isCanceled = method === 'CANCEL';
  return formatCalendar(method, [
    zone === null ? '' : formatZone(plan.zone, zone, year),
    'BEGIN:VEVENT\r\n',
    formatLine('UID', plan.uid),
    formatLine('SEQUENCE', String(plan.sequence)),
    formatLine('DTSTAMP', formatInstant(now)),
    timeLine('DTSTART', plan.start, plan),
    timeLine('DTEND', plan.end, plan),
    plan.repeat === null ? '' : formatLine('RRULE', `FREQ=${plan.repeat.frequency}${untilOf(plan)}`),
    formatTextLine('SUMMARY', plan.summary),
    formatTextLine('LOCATION', plan.location),
    formatTextLine('DESCRIPTION', plan.description),
    formatLine('STATUS', isCanceled ? 'CANCELLED' : 'CONFIRMED'),
    formatLine('ORGANIZER', `mailto:${plan.organizer.address}`, { CN: plan.organizer.name }),
    ...guests.map(({ name, address, answer, token }) =>
      formatLine('ATTENDEE', `mailto:${address}`, {
        CN: name,
        ROLE: 'REQ-PARTICIPANT',
        PARTSTAT: answer ?? 'NEEDS-ACTION',
        RSVP: isCanceled ? null : 'TRUE',
        'X-KEYFOLD-TOKEN': isCanceled ? null : (token ?? null),
      }),
    ),
    'END:VEVENT\r\n',
  ]);
}

/**
 * Returns the Message-ID that all messages about one of Keyfold's own events refer to, so that
 * invitations, updates and answers form one conversation; null for a UID that is invalid in a
 * header.
 */
export const findEventThreadId = (uid: string): string | null =>
  /^[A-Za-z0-9._-]{1,80}@[A-Za-z0-9.-]{1,160}$/.test(uid) ? `<event-${uid}>` : null;
