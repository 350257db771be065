// An invitation out of a calendar file (RFC 5545, RFC 5546), as plain data that can cross to another thread: who, when, in
// which zone, how often, and what is asked. Hostile input: everything is bounded, and only IcsError is thrown. Words for
// people are made where they are shown; nothing here knows what the reader answered.
import { ICS_MAX_ATTENDEES, ICS_MAX_DATES, ICS_MAX_TEXT_CHARACTERS } from '../limits.ts';
import { readDescribedZone } from './described-zone.ts';
import { IcsError } from './error.ts';
import {
  type Component,
  findProperty,
  findText,
  type Property,
  propertiesOf,
  readCalendars,
} from './lines.ts';
import { findNext, type Series } from './occurrences.ts';
import { type Rule, readRule } from './recurrence.ts';
import { DAY_MS, formatWall, readDuration, readWall } from './wall-time.ts';
import { findIanaZone, findNamedZone, toInstant, toWall, UTC, type Zone } from './zones.ts';

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

export const ANSWERS = ['NEEDS-ACTION', 'ACCEPTED', 'DECLINED', 'TENTATIVE', 'DELEGATED'] as const;
export type Answer = (typeof ANSWERS)[number];

/** A point in time as an event names it. */
export type Moment = {
  /** `2026-03-01` for a whole day, else `2026-03-01T10:00:00`, on the clocks of its zone. */
  readonly local: string;
  readonly isDate: boolean;
  /** ISO 8601 in UTC; for a floating time and a whole day as the reader's zone has it. */
  readonly instant: string;
  /** IANA id of the zone; null for whole days, floating times and zones that only the file describes. */
  readonly zone: string | null;
  /** The zone as the file names it; null for whole days and floating times. */
  readonly zoneName: string | null;
  /** The file names a zone that nobody knows and does not describe it: the time is read as the reader's own. */
  readonly isZoneUnknown: boolean;
};

export type Guest = {
  readonly name: string;
  readonly address: string;
  readonly answer: Answer;
  readonly role: 'chair' | 'required' | 'optional' | 'none';
  readonly kind: 'person' | 'group' | 'resource' | 'room';
  readonly isAnswerWanted: boolean;
  /** Answers an invitation that Keyfold sent (readings 78); stands with one guest only. */
  readonly token: string | null;
};

/** Which date of a series is meant, exactly as the file says it, for answers. */
export type RecurrenceId = { readonly value: string; readonly tzid: string | null; readonly isDate: boolean };

export type Repetition = {
  readonly rule: Rule | null;
  /** UNTIL as a moment of the event's zone. */
  readonly until: Moment | null;
  /** Dates taken out, added, and moved or changed. */
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
  /** The date that a changed or cancelled one of a series replaces. */
  readonly replaces: Moment | null;
  readonly summary: string;
  readonly location: string;
  readonly description: string;
  readonly comment: string;
  readonly url: string | null;
  readonly status: 'CONFIRMED' | 'TENTATIVE' | 'CANCELLED' | null;
  readonly organizer: { readonly name: string; readonly address: string } | null;
  readonly guests: readonly Guest[];
  /** Guests beyond those kept. */
  readonly moreGuests: number;
  /** Whether the file says when; without it, as in short answers, `start` and `end` mean nothing. */
  readonly hasTime: boolean;
  readonly start: Moment;
  /** Exclusive for whole days, as files have it. */
  readonly end: Moment;
  readonly repetition: Repetition | null;
  /** The date of a series that is on or comes next; null when the event does not repeat, or nothing comes any more. */
  readonly next: { readonly start: Moment; readonly end: Moment } | null;
  readonly isOver: boolean;
  /** Other events in the same file. */
  readonly moreEvents: number;
};

export type ReadOptions = {
  readonly now: Date;
  /** IANA id of the reader's zone, for floating times and whole days. */
  readonly zone: string;
  /** The method parameter of the mail part, which stands in for a missing METHOD. */
  readonly method?: string | null;
};

type Time = {
  readonly wall: number;
  readonly isDate: boolean;
  readonly zone: Zone | null;
  readonly isZoneUnknown: boolean;
};

const CLIP = (text: string | null): string => (text ?? '').slice(0, ICS_MAX_TEXT_CHARACTERS);

const addressOf = (value: unknown): string =>
  String(value ?? '')
    .trim()
    .replace(/^mailto:/i, '')
    .trim()
    .slice(0, 320);

const ROLES: Readonly<Record<string, Guest['role']>> = {
  CHAIR: 'chair',
  'OPT-PARTICIPANT': 'optional',
  'NON-PARTICIPANT': 'none',
};
const KINDS: Readonly<Record<string, Guest['kind']>> = { GROUP: 'group', RESOURCE: 'resource', ROOM: 'room' };

function readGuest({ params, values }: Property): Guest {
  const answer = params.partstat?.toUpperCase();
  const address = params.email === undefined ? addressOf(values[0]) : addressOf(params.email);
  return {
    name: CLIP(params.cn ?? '').slice(0, 200),
    address,
    answer: ANSWERS.find(one => one === answer) ?? 'NEEDS-ACTION',
    role: ROLES[params.role?.toUpperCase() ?? ''] ?? 'required',
    kind: KINDS[params.cutype?.toUpperCase() ?? ''] ?? 'person',
    isAnswerWanted: params.rsvp?.toUpperCase() === 'TRUE',
    token: /^[A-Za-z0-9_.-]{16,1200}$/.exec(params['x-keyfold-token'] ?? '')?.[0] ?? null,
  };
}

/** Reads one file; the zones it describes are made when they are first named. */
class Reader {
  readonly #zones = new Map<string, Zone | null>();
  readonly #described: readonly Component[];
  readonly readerZone: Zone;

  constructor(calendar: Component, zone: string) {
    this.#described = calendar.children.filter(({ name }) => name === 'vtimezone');
    this.readerZone = findIanaZone(zone) ?? UTC;
  }

  #findZone(tzid: string): Zone | null {
    let zone = this.#zones.get(tzid);
    if (zone === undefined) {
      const description = this.#described.find(one => findText(one, 'tzid')?.trim() === tzid.trim());
      const location = description === undefined ? null : findText(description, 'x-lic-location');
      zone =
        findNamedZone(tzid) ??
        (location === null ? null : findNamedZone(location)) ??
        (description === undefined ? null : readDescribedZone(description));
      this.#zones.set(tzid, zone);
    }
    return zone;
  }

  time(property: Property | undefined, value: unknown = property?.values[0]): Time | null {
    if (property === undefined || value === undefined) return null;
    const read = readWall(String(Array.isArray(value) ? value[0] : value));
    if (read === null) return null;
    const isDate = read.isDate || property.type === 'date';
    const tzid = property.params.tzid;
    const zone = isDate ? null : read.isUtc ? UTC : tzid === undefined ? null : this.#findZone(tzid);
    return {
      wall: isDate ? read.wall - (((read.wall % DAY_MS) + DAY_MS) % DAY_MS) : read.wall,
      isDate,
      zone,
      isZoneUnknown: zone === null && !isDate && !read.isUtc && tzid !== undefined,
    };
  }

  times(component: Component, name: string): Time[] {
    return propertiesOf(component, name)
      .flatMap(property => property.values.map(value => this.time(property, value)))
      .filter(time => time !== null)
      .slice(0, ICS_MAX_DATES);
  }

  instantOf = (time: Pick<Time, 'wall' | 'zone'>): number =>
    toInstant(time.zone ?? this.readerZone, time.wall);

  moment(time: Time): Moment {
    const local = formatWall(time.wall);
    return {
      local: time.isDate ? local.slice(0, 10) : local,
      isDate: time.isDate,
      instant: new Date(this.instantOf(time)).toISOString(),
      zone: time.zone?.id ?? null,
      zoneName: time.zone?.name ?? null,
      isZoneUnknown: time.isZoneUnknown,
    };
  }
}

function endOf(reader: Reader, event: Component, start: Time): Time {
  const end = reader.time(findProperty(event, 'dtend'));
  if (end !== null && end.isDate === start.isDate && reader.instantOf(end) >= reader.instantOf(start)) {
    // A whole day that ends on itself is that day.
    return start.isDate && end.wall === start.wall ? { ...start, wall: start.wall + DAY_MS } : end;
  }
  const duration = readDuration(findText(event, 'duration') ?? '');
  if (start.isDate) {
    const days = Math.max(1, Math.ceil((duration ?? DAY_MS) / DAY_MS));
    return { ...start, wall: start.wall + days * DAY_MS };
  }
  const zone = start.zone ?? reader.readerZone;
  return { ...start, wall: toWall(zone, reader.instantOf(start) + (duration ?? 0)) };
}

const isInRange = (wall: number): boolean => wall > -62_135_596_800_000 && wall < 253_402_300_799_000;

function readSeries(
  reader: Reader,
  event: Component,
  exceptions: readonly Component[],
  start: Time,
  end: Time,
) {
  const rule = readRule(findProperty(event, 'rrule')?.values[0]);
  const toOwnWall = (time: Time): number =>
    time.isDate || time.zone === null || start.zone === null || time.zone === start.zone
      ? time.wall
      : toWall(start.zone, reader.instantOf(time));
  const removed = reader.times(event, 'exdate').map(toOwnWall);
  const added = reader.times(event, 'rdate').map(toOwnWall);
  const moved = exceptions.flatMap(one => {
    const original = reader.time(findProperty(one, 'recurrence-id'));
    const at = reader.time(findProperty(one, 'dtstart'));
    if (original === null) return [];
    const isCancelled = findText(one, 'status')?.toUpperCase() === 'CANCELLED';
    const until = at === null ? null : endOf(reader, one, at);
    return [
      {
        original: toOwnWall(original),
        start: at === null || isCancelled ? null : toOwnWall(at),
        end: until === null ? null : toOwnWall(until),
      },
    ];
  });
  const series: Series = {
    start: start.wall,
    lengthMs: reader.instantOf(end) - reader.instantOf(start),
    rule,
    untilWall:
      rule?.until === null || rule?.until === undefined
        ? null
        : rule.isUntilUtc && start.zone !== null && !start.isDate
          ? toWall(start.zone, rule.until)
          : rule.until + (rule.isUntilDate && !start.isDate ? DAY_MS - 1000 : 0),
    removed,
    added,
    moved,
    toInstant: wall => reader.instantOf({ wall, zone: start.zone }),
  };
  return { rule, removed, added, moved, series };
}

const sequenceOf = (event: Component): number => {
  const value = Number(findProperty(event, 'sequence')?.values[0] ?? 0);
  return Number.isInteger(value) && value >= 0 && value <= 2_000_000_000 ? value : 0;
};

const statusOf = (event: Component): Invitation['status'] => {
  const status = findText(event, 'status')?.toUpperCase();
  return status === 'CONFIRMED' || status === 'TENTATIVE' || status === 'CANCELLED' ? status : null;
};

const webAddressOf = (text: string | null): string | null =>
  text !== null && /^https?:\/\/[^\s]+$/i.test(text.trim()) ? text.trim().slice(0, 2000) : null;

function methodOf(calendar: Component, given: string | null | undefined): Method {
  const named = (findText(calendar, 'method') ?? given ?? '').trim().toUpperCase();
  return METHODS.find(method => method === named) ?? 'PUBLISH';
}

function readEvent(calendar: Component, options: ReadOptions): Invitation {
  const events = calendar.children.filter(({ name }) => name === 'vevent');
  const isException = (event: Component) => findProperty(event, 'recurrence-id') !== undefined;
  const event = events.find(one => !isException(one)) ?? events[0];
  if (event === undefined) throw new IcsError('no_event');
  const reader = new Reader(calendar, options.zone);
  const method = methodOf(calendar, options.method);
  const recurrence = findProperty(event, 'recurrence-id');
  const replaced = reader.time(recurrence);
  // An answer or a cancellation may leave the time out of what it is about; the date replaced stands in for it.
  const written = reader.time(findProperty(event, 'dtstart')) ?? replaced;
  const isShort =
    method === 'REPLY' || method === 'CANCEL' || method === 'REFRESH' || method === 'DECLINECOUNTER';
  const hasNone = written === null && isShort && findProperty(event, 'dtstart') === undefined;
  const start = hasNone ? { wall: 0, isDate: true, zone: null, isZoneUnknown: false } : written;
  if (start === null || !isInRange(start.wall)) throw new IcsError('bad_event');
  const end = endOf(reader, event, start);
  if (!isInRange(end.wall)) throw new IcsError('bad_event');
  const uid = (findText(event, 'uid') ?? '').trim();
  const exceptions = events.filter(
    one => one !== event && isException(one) && (findText(one, 'uid') ?? '').trim() === uid,
  );
  const { rule, removed, added, moved, series } = readSeries(reader, event, exceptions, start, end);
  const repeats = replaced === null && (rule !== null || added.length > 0);
  const next = repeats ? findNext(series, options.now.getTime()) : null;
  const momentAt = (wall: number) => reader.moment({ ...start, wall });
  const guests = propertiesOf(event, 'attendee');
  const organizer = findProperty(event, 'organizer');
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
    summary: CLIP(findText(event, 'summary')).replace(/\s+/g, ' ').trim().slice(0, 1000),
    location: CLIP(findText(event, 'location')).replace(/\s+/g, ' ').trim().slice(0, 1000),
    description: CLIP(findText(event, 'description')).trim(),
    comment: CLIP(findText(event, 'comment')).trim(),
    url: webAddressOf(findText(event, 'url')),
    status: statusOf(event),
    organizer:
      organizer === undefined
        ? null
        : { name: CLIP(organizer.params.cn ?? '').slice(0, 200), address: addressOf(organizer.values[0]) },
    guests: guests.slice(0, ICS_MAX_ATTENDEES).map(readGuest),
    moreGuests: Math.max(0, guests.length - ICS_MAX_ATTENDEES),
    hasTime: written !== null,
    start: reader.moment(start),
    end: reader.moment(end),
    repetition: repeats
      ? {
          rule,
          until: series.untilWall === null ? null : momentAt(series.untilWall),
          removed: removed.length,
          added: added.length,
          changed: moved.length,
        }
      : null,
    next:
      next === null || next === 'unknown'
        ? null
        : { start: momentAt(next.start), end: reader.moment({ ...end, wall: next.end }) },
    isOver: written !== null && (repeats ? next === null : reader.instantOf(end) < options.now.getTime()),
    moreEvents: events.length - 1 - exceptions.length,
  };
}

function stampOf(reader: Reader, event: Component): string | null {
  const stamp = reader.time(findProperty(event, 'dtstamp'));
  return stamp === null || !isInRange(stamp.wall) ? null : new Date(reader.instantOf(stamp)).toISOString();
}

/** Reads an invitation. Throws IcsError and nothing else. */
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
