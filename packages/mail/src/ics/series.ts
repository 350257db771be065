// Reads the dates of a repeating event from its lines: rules, and removed, added and moved dates,
// all in the event's own wall time.
import { type Component, findProperty, findText, propertiesOf } from './lines.ts';
import type { Series } from './occurrences.ts';
import { type Rule, readRule } from './recurrence.ts';
import { endOf, type Time, type TimeReader } from './times.ts';
import { DAY_MS, timeOfDay } from './wall-time.ts';
import { toWall, type Zone } from './zones.ts';

const MAX_EXCEPT_RULES = 5;

export type SeriesLines = {
  readonly event: Component;
  readonly exceptions: readonly Component[];
  readonly start: Time;
  readonly end: Time;
  /** Zone for values with a time of day in an all-day event. */
  readonly dayZone: Zone | null;
};

/**
 * Returns the series of an event with its rule; an event that does not repeat has its single date.
 */
export function readSeries(reader: TimeReader, lines: SeriesLines): Series {
  const { event, exceptions, start, end, dayZone } = lines;
  const ownZone = start.isDate ? dayZone : start.zone;
  const startTime = timeOfDay(start.wall);
  const toOwnWall = (time: Time): number => {
    const wall =
      time.isDate || time.zone === null || ownZone === null || time.zone === ownZone
        ? time.wall
        : toWall(ownZone, reader.instantOf(time));
    if (start.isDate) return wall - timeOfDay(wall);
    // A date in a timed series refers to the occurrence on that day.
    return time.isDate ? wall + startTime : wall;
  };
  const readOwn = (line: 'rrule' | 'exrule') =>
    propertiesOf(event, line).flatMap(({ values }) => readRule(values[0]) ?? []);
  const untilWallOf = ({ until, isUntilUtc, isUntilDate }: Rule): number | null => {
    if (until === null) return null;
    if (isUntilUtc && ownZone !== null) return toWall(ownZone, until);
    return until + (isUntilDate && !start.isDate ? DAY_MS - 1000 : 0);
  };
  const rule = readOwn('rrule')[0] ?? null;
  const removed = reader.times(event, 'exdate');
  const isWholeDay = (time: Time): boolean =>
    !start.isDate && (time.isDate || (startTime !== 0 && timeOfDay(toOwnWall(time)) === 0));
  return {
    start: start.wall,
    lengthMs: reader.instantOf(end) - reader.instantOf(start),
    rule,
    untilWall: rule === null ? null : untilWallOf(rule),
    removed: removed.filter(time => !isWholeDay(time)).map(toOwnWall),
    removedDays: removed.filter(isWholeDay).map(time => {
      const wall = toOwnWall(time);
      return wall - timeOfDay(wall);
    }),
    exceptRules: readOwn('exrule')
      .slice(0, MAX_EXCEPT_RULES)
      .map(one => ({ rule: one, untilWall: untilWallOf(one) })),
    added: reader.times(event, 'rdate').map(toOwnWall),
    moved: exceptions.flatMap(one => {
      const original = reader.time(findProperty(one, 'recurrence-id'));
      const at = reader.time(findProperty(one, 'dtstart'));
      if (original === null) return [];
      const isCanceled = findText(one, 'status')?.toUpperCase() === 'CANCELLED';
      const until = at === null ? null : endOf(reader, one, at);
      return [
        {
          original: toOwnWall(original),
          start: at === null || isCanceled ? null : toOwnWall(at),
          end: until === null ? null : toOwnWall(until),
        },
      ];
    }),
    toInstant: wall => reader.instantOf({ wall, zone: start.zone }),
  };
}
