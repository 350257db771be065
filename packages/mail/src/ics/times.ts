// Reads the points in time of one calendar file, the zones it names or describes, and which points
// are whole days. Does not format them for display.
import { ICS_MAX_DATES } from '../limits.ts';
import { readDescribedZone } from './described-zone.ts';
import { type Component, findProperty, findText, type Property, propertiesOf } from './lines.ts';
import { DAY_MS, formatWall, readDuration, readWall, timeOfDay } from './wall-time.ts';
import { findDisplayZone } from './zone-names.ts';
import { findIanaZone, findNamedZone, isAbbreviation, toInstant, toWall, UTC, type Zone } from './zones.ts';

/** Point in time as an event gives it. */
export type Moment = {
  /**
   * `2026-03-01` for a whole day, otherwise `2026-03-01T10:00:00`, in the wall time of its zone.
   */
  readonly local: string;
  readonly isDate: boolean;
  /** ISO 8601 in UTC; floating times and whole days are read in the reader's zone. */
  readonly instant: string;
  /**
   * IANA ID of the zone; null for whole days, floating times and zones that only the file
   * describes.
   */
  readonly zone: string | null;
  /** The zone as the file names it; null for whole days and floating times. */
  readonly zoneName: string | null;
  /**
   * The file names an unknown zone and does not describe it: the time is read in the reader's zone.
   */
  readonly isZoneUnknown: boolean;
};

export type Time = {
  readonly wall: number;
  readonly isDate: boolean;
  readonly zone: Zone | null;
  readonly isZoneUnknown: boolean;
};

const plainId = (tzid: string): string =>
  tzid
    .replace(/["'\\]/g, '')
    .trim()
    .toLowerCase();

/** Reads the times of one file. Zones it describes are built when they are first named. */
export class TimeReader {
  readonly #zones = new Map<string, Zone | null>();
  readonly #described: readonly Component[];
  /** Zone of times that name none (X-WR-TIMEZONE); null when the file has no such default. */
  readonly #calendarZone: Zone | null;
  readonly readerZone: Zone;

  constructor(calendar: Component, zone: string) {
    this.#described = calendar.children.filter(({ name }) => name === 'vtimezone');
    this.readerZone = findIanaZone(zone) ?? UTC;
    const named = findText(calendar, 'x-wr-timezone');
    this.#calendarZone = named === null ? null : this.#findZone(named);
  }

  /** Zones in which a time of this file may be meant although it is written as UTC. */
  likelyZones = (): Zone[] => [
    ...this.#described
      .map(one => this.#findZone(findText(one, 'tzid') ?? ''))
      .filter(zone => zone !== null)
      .slice(0, 20),
    ...(this.#calendarZone === null ? [] : [this.#calendarZone]),
    this.readerZone,
  ];

  #findZone(tzid: string): Zone | null {
    let zone = this.#zones.get(tzid);
    if (zone === undefined) {
      const wanted = plainId(tzid);
      const description = this.#described.find(one => plainId(findText(one, 'tzid') ?? '') === wanted);
      const location = description === undefined ? null : findText(description, 'x-lic-location');
      const described = () =>
        (location === null ? null : findNamedZone(location)) ??
        (description === undefined ? null : readDescribedZone(description));
      zone =
        (isAbbreviation(tzid) ? described() : null) ??
        findNamedZone(tzid) ??
        described() ??
        findDisplayZone(tzid, this.readerZone);
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
    const zone = isDate
      ? null
      : read.isUtc
        ? UTC
        : ((tzid === undefined ? null : this.#findZone(tzid)) ?? this.#calendarZone);
    return {
      wall: isDate ? read.wall - timeOfDay(read.wall) : read.wall,
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

/** Returns when an event ends: its stated end, or its start plus its duration. */
export function endOf(reader: TimeReader, event: Component, start: Time): Time {
  const end = reader.time(findProperty(event, 'dtend'));
  if (end !== null && end.isDate === start.isDate && reader.instantOf(end) >= reader.instantOf(start)) {
    // An all-day event that ends on its start date lasts that day.
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

/** Reports whether a Date can hold a wall time, with a safety margin. */
export const isInRange = (wall: number): boolean => wall > -62_135_596_800_000 && wall < 253_402_300_799_000;

const FLAGS = ['x-microsoft-cdo-alldayevent', 'x-microsoft-msncalendar-alldayevent', 'x-funambol-allday'];

const isMidnight = (wall: number): boolean => timeOfDay(wall) === 0;

export type Days = {
  readonly start: Time;
  readonly end: Time /** Zone of the midnights. */;
  readonly zone: Zone;
};

/**
 * Returns the whole days of an event that Exchange marks as all-day but writes from midnight to
 * midnight; null for other events. When the times are written as UTC, searches for the zone in
 * which they are midnights.
 */
export function findWholeDays(reader: TimeReader, event: Component, start: Time, end: Time): Days | null {
  const isMarked = FLAGS.some(name => /^(?:true|1)$/i.test(findText(event, name)?.trim() ?? ''));
  if (!isMarked || start.isDate || end.isDate) return null;
  const zones = start.zone === UTC ? [UTC, ...reader.likelyZones()] : [start.zone ?? reader.readerZone];
  for (const zone of zones) {
    const [from, to] = [start, end].map(time => toWall(zone, reader.instantOf(time))) as [number, number];
    // An end in the last minute of a day means its midnight.
    const last = isMidnight(to + 60_000) ? to + 60_000 : isMidnight(to + 1000) ? to + 1000 : to;
    if (!isMidnight(from) || !isMidnight(last)) continue;
    const day = { isDate: true, zone: null, isZoneUnknown: false } as const;
    return { start: { ...day, wall: from }, end: { ...day, wall: Math.max(last, from + DAY_MS) }, zone };
  }
  return null;
}
