// Reads an invitation from a calendar file (RFC 5545, RFC 5546) as plain data that can be passed
// between threads: participants, time, zone, recurrence, and the requested action. The input is
// hostile: everything is bounded, and only IcsError is thrown. Display texts are created by the UI.
// Does not know what the reader answered.
import { ICS_MAX_ATTENDEES, ICS_MAX_TEXT_CHARACTERS } from '../limits.ts';
import { IcsError } from './error.ts';
import { type Guest, readGuest, readOrganizer } from './guests.ts';
import { type Component, findProperty, findText, propertiesOf, readCalendars } from './lines.ts';
import { findNext } from './occurrences.ts';
import type { Rule } from './recurrence.ts';
import { readSeries } from './series.ts';
import { endOf, findWholeDays, isInRange, type Moment, type Time, TimeReader } from './times.ts';

export const METHODS = [
  'PUBLISH',
  'REQUEST',
  'REPLY',
  'ADD',
  'CANCEL',
  'REFRESH',
  'COUNTER',
  'DECLINECOUNTER',
] as const;
export type Method = (typeof METHODS)[number];

/** The date of a series, exactly as stated in the file; used in answers. */
export type RecurrenceId = { readonly value: string; readonly tzid: string | null; readonly isDate: boolean };

export type Repetition = {
  readonly rule: Rule | null;
  /** UNTIL as an instant in the event's zone. */
  readonly until: Moment | null;
  /** Rules whose dates are excluded. */
  readonly exceptRules: readonly Rule[];
  /** Numbers of dates removed, added, and moved or changed. */
  readonly removed: number;
  readonly added: number;
  readonly changed: number;
};

export type Invitation = {
  readonly method: Method;
  readonly uid: string;
  readonly sequence: number;
  /** DTSTAMP, ISO 8601. */
  readonly stampedAt: string | null;
  readonly recurrenceId: RecurrenceId | null;
  /** The original date that a changed or canceled occurrence of a series replaces. */
  readonly replaces: Moment | null;
  /** Whether it also replaces all later dates (RANGE=THISANDFUTURE). */
  readonly isFromThereOn: boolean;
  readonly summary: string;
  readonly location: string;
  readonly description: string;
  readonly comment: string;
  readonly url: string | null;
  /** Address of the video meeting, if the file has a line for it. */
  readonly conference: string | null;
  readonly status: 'CONFIRMED' | 'TENTATIVE' | 'CANCELLED' | null;
  readonly organizer: { readonly name: string; readonly address: string } | null;
  readonly guests: readonly Guest[];
  /** Number of guests beyond those kept. */
  readonly moreGuests: number;
  /**
   * Whether the file states a time; without one, as in short answers, `start` and `end` are
   * meaningless.
   */
  readonly hasTime: boolean;
  readonly start: Moment;
  /** Exclusive for all-day events, as in files. */
  readonly end: Moment;
  readonly repetition: Repetition | null;
  /** The current or next date of a series; null when the event does not recur or is over. */
  readonly next: { readonly start: Moment; readonly end: Moment } | null;
  readonly isOver: boolean;
  /** Number of other events in the same file. */
  readonly moreEvents: number;
};

export type ReadOptions = {
  readonly now: Date;
  /** IANA id of the reader's zone, for floating times and all-day events. */
  readonly zone: string;
  /** The method parameter of the message part, used when METHOD is missing. */
  readonly method?: string | null;
};

const CLIP = (text: string | null): string => (text ?? '').slice(0, ICS_MAX_TEXT_CHARACTERS);

function sequenceOf(event: Component): number {
  const value = Number(findProperty(event, 'sequence')?.values[0] ?? 0);
  return Number.isInteger(value) && value >= 0 && value <= 2_000_000_000 ? value : 0;
}

function statusOf(event: Component): Invitation['status'] {
  const status = findText(event, 'status')?.toUpperCase();
  return status === 'CONFIRMED' || status === 'TENTATIVE' || status === 'CANCELLED' ? status : null;
}

const webAddressOf = (text: string | null): string | null =>
  text !== null && /^https?:\/\/[^\s]+$/i.test(text.trim()) ? text.trim().slice(0, 2000) : null;

const CONFERENCES = [
  'x-microsoft-skypeteamsmeetingurl',
  'x-google-conference',
  'x-microsoft-onlinemeetingconflink',
  'conference',
];

const conferenceOf = (event: Component): string | null =>
  CONFERENCES.map(name => webAddressOf(findText(event, name))).find(one => one !== null) ?? null;

function methodOf(calendar: Component, given: string | null | undefined): Method {
  const named = (findText(calendar, 'method') ?? given ?? '').trim().toUpperCase();
  return METHODS.find(method => method === named) ?? 'PUBLISH';
}

const isException = (event: Component): boolean => findProperty(event, 'recurrence-id') !== undefined;
const hasRule = (event: Component): boolean => findProperty(event, 'rrule') !== undefined;

/**
 * Finds the main event of a file: the series takes precedence over its changed dates. An event with
 * both a RECURRENCE-ID and a rule also counts as a series.
 */
const findMain = (events: readonly Component[]): Component | undefined =>
  events.find(one => !isException(one)) ?? events.find(hasRule) ?? events[0];

/**
 * Returns the stated time of an event or its substitute; `isMissing` when a short answer omits it.
 */
function timesOf(reader: TimeReader, event: Component, method: Method, replaced: Time | null) {
  const written = reader.time(findProperty(event, 'dtstart')) ?? replaced;
  const isShort =
    method === 'REPLY' || method === 'CANCEL' || method === 'REFRESH' || method === 'DECLINECOUNTER';
  const isMissing = written === null && isShort && findProperty(event, 'dtstart') === undefined;
  const from: Time | null = isMissing ? { wall: 0, isDate: true, zone: null, isZoneUnknown: false } : written;
  if (from === null || !isInRange(from.wall)) throw new IcsError('bad_event');
  const to = endOf(reader, event, from);
  if (!isInRange(to.wall)) throw new IcsError('bad_event');
  const days = findWholeDays(reader, event, from, to);
  return { start: days?.start ?? from, end: days?.end ?? to, dayZone: days?.zone ?? null, isMissing };
}

function readEvent(calendar: Component, options: ReadOptions): Invitation {
  const events = calendar.children.filter(({ name }) => name === 'vevent');
  const event = findMain(events);
  if (event === undefined) throw new IcsError('no_event');
  const reader = new TimeReader(calendar, options.zone);
  const method = methodOf(calendar, options.method);
  const recurrence = findProperty(event, 'recurrence-id');
  const isFromThereOn = recurrence?.params.range?.toUpperCase() === 'THISANDFUTURE';
  // A rule next to it makes the event a series: the whole series is meant, not one date.
  const isOneDate = recurrence !== undefined && (isFromThereOn || !hasRule(event));
  const named = reader.time(recurrence);
  const replaced = isOneDate ? named : null;
  // An answer or a cancellation may omit the time of its event; the replaced date is used instead.
  const { start, end, dayZone, isMissing } = timesOf(reader, event, method, named);
  const uid = (findText(event, 'uid') ?? '').trim();
  const exceptions = events.filter(
    one => one !== event && isException(one) && (findText(one, 'uid') ?? '').trim() === uid,
  );
  const series = readSeries(reader, { event, exceptions, start, end, dayZone });
  const { rule } = series;
  const repeats = (replaced === null || isFromThereOn) && (rule !== null || series.added.length > 0);
  const next = repeats ? findNext(series, options.now.getTime()) : null;
  const momentAt = (wall: number) => reader.moment({ ...start, wall });
  const guests = propertiesOf(event, 'attendee');
  return {
    method,
    uid: uid.slice(0, 1000),
    sequence: sequenceOf(event),
    stampedAt: stampOf(reader, event),
    recurrenceId:
      recurrence === undefined || replaced === null
        ? null
        : {
            value: String(recurrence.values[0]).replace(/[-:]/g, ''),
            tzid: recurrence.params.tzid ?? null,
            isDate: replaced.isDate,
          },
    replaces: replaced === null ? null : reader.moment(replaced),
    isFromThereOn: isFromThereOn && replaced !== null,
    summary: CLIP(findText(event, 'summary')).replace(/\s+/g, ' ').trim().slice(0, 1000),
    location: CLIP(findText(event, 'location')).replace(/\s+/g, ' ').trim().slice(0, 1000),
    description: CLIP(findText(event, 'description')).trim(),
    comment: CLIP(findText(event, 'comment')).trim(),
    url: webAddressOf(findText(event, 'url')),
    conference: conferenceOf(event),
    status: statusOf(event),
    organizer: readOrganizer(findProperty(event, 'organizer')),
    guests: guests.slice(0, ICS_MAX_ATTENDEES).map(readGuest),
    moreGuests: Math.max(0, guests.length - ICS_MAX_ATTENDEES),
    hasTime: !isMissing,
    start: reader.moment(start),
    end: reader.moment(end),
    repetition: repeats
      ? {
          rule,
          until: series.untilWall === null ? null : momentAt(series.untilWall),
          exceptRules: series.exceptRules.map(one => one.rule),
          removed: series.removed.length + series.removedDays.length,
          added: series.added.length,
          changed: series.moved.length,
        }
      : null,
    next:
      next === null || next === 'unknown'
        ? null
        : { start: momentAt(next.start), end: reader.moment({ ...end, wall: next.end }) },
    isOver: !isMissing && (repeats ? next === null : reader.instantOf(end) < options.now.getTime()),
    moreEvents: events.length - 1 - exceptions.length,
  };
}

function stampOf(reader: TimeReader, event: Component): string | null {
  const stamp = reader.time(findProperty(event, 'dtstamp'));
  return stamp === null || !isInRange(stamp.wall) ? null : new Date(reader.instantOf(stamp)).toISOString();
}

/** Reads an invitation. Throws only IcsError. */
export function readInvitation(bytes: Uint8Array, options: ReadOptions): Invitation {
  const calendars = readCalendars(bytes);
  const calendar = calendars
    .flatMap(one => [one, ...one.children.filter(({ name }) => name === 'vcalendar')])
    .find(one => one.children.some(({ name }) => name === 'vevent'));
  if (calendar === undefined) throw new IcsError('no_event');
  try {
    return readEvent(calendar, options);
  } catch (error) {
    throw error instanceof IcsError ? error : new IcsError('bad_event');
  }
}
