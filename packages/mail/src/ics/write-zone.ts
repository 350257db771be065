// Describes an IANA zone for a calendar file (VTIMEZONE), because some programs do not recognize
// zone names. Takes the transitions from the machine's own zone table and writes a rule where they
// follow a yearly one.
import { compactWall, DAY_MS, daysInMonth, fieldsOf, timeOfDay, wallOf } from './wall-time.ts';
import { formatLine } from './write.ts';
import type { Zone } from './zones.ts';

type Change = { readonly wall: number; readonly from: number; readonly to: number };

/** Years after the event's year in which a rule must hold to be written as a rule. */
const YEARS = 5;
const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

function formatOffset(offset: number): string {
  const seconds = Math.abs(offset) / 1000;
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const rest = seconds % 60;
  return `${offset < 0 ? '-' : '+'}${two(seconds / 3600)}${two((seconds / 60) % 60)}${rest > 0 ? two(rest) : ''}`;
}

function changesOf(zone: Zone, year: number): Change[] {
  const changes: Change[] = [];
  let before = wallOf(year, 1, 1);
  const end = wallOf(year + 1, 1, 1);
  for (let at = before + DAY_MS; at <= end; at += DAY_MS) {
    const from = zone.offsetAt(before);
    if (zone.offsetAt(at) !== from) {
      let low = before;
      let high = at;
      while (high - low > 1000) {
        const middle = Math.floor((low + high) / 2000) * 1000;
        if (zone.offsetAt(middle) === from) low = middle;
        else high = middle;
      }
      changes.push({ wall: high + from, from, to: zone.offsetAt(high) });
    }
    before = at;
  }
  return changes;
}

/** Returns the weekday rules that fit a day of a month: the nth, and the last. */
function rulesOf(wall: number): string[] {
  const { year, month, day, weekday } = fieldsOf(wall);
  const nth = Math.ceil(day / 7);
  const isLast = day + 7 > daysInMonth(year, month);
  return [...(nth < 5 ? [`${nth}`] : []), ...(isLast ? ['-1'] : [])].map(
    one => `FREQ=YEARLY;BYMONTH=${month};BYDAY=${one}${WEEKDAYS[weekday]}`,
  );
}

function findYearlyRules(years: readonly (readonly Change[])[]): string[] | null {
  const first = years[0] ?? [];
  if (first.length !== 2) return null;
  const rules = first.map((change, index) =>
    rulesOf(change.wall).find(rule =>
      years.every(changes => {
        const other = changes[index];
        return (
          changes.length === 2 &&
          other !== undefined &&
          other.to === change.to &&
          timeOfDay(other.wall) === timeOfDay(change.wall) &&
          rulesOf(other.wall).includes(rule)
        );
      }),
    ),
  );
  return rules.every(rule => rule !== undefined) ? rules : null;
}

function formatChange({ wall, from, to }: Change, rule: string | null, usual: number): string {
  const name = to > usual ? 'DAYLIGHT' : 'STANDARD';
  return [
    `BEGIN:${name}\r\n`,
    formatLine('DTSTART', compactWall(wall, false)),
    formatLine('TZOFFSETFROM', formatOffset(from)),
    formatLine('TZOFFSETTO', formatOffset(to)),
    rule === null ? '' : formatLine('RRULE', rule),
    `END:${name}\r\n`,
  ].join('');
}

/**
 * Returns the VTIMEZONE of a zone, correct from the given year on as far as its transitions can be
 * foreseen.
 */
export function formatZone(id: string, zone: Zone, year: number): string {
  // Starts in the previous year: a series that starts in January needs that autumn's transition.
  const years = Array.from({ length: YEARS + 1 }, (_, index) => changesOf(zone, year - 1 + index));
  const offset = zone.offsetAt(wallOf(year - 1, 1, 1));
  const usual = Math.min(offset, ...years.flat().map(({ to }) => to));
  const rules = findYearlyRules(years);
  const parts =
    rules !== null
      ? (years[0] ?? []).map((change, index) => formatChange(change, rules[index] ?? null, usual))
      : [
          formatChange({ wall: wallOf(year - 1, 1, 1), from: offset, to: offset }, null, usual),
          ...years.flat().map(change => formatChange(change, null, usual)),
        ];
  return ['BEGIN:VTIMEZONE\r\n', formatLine('TZID', id), ...parts, 'END:VTIMEZONE\r\n'].join('');
}
