// The date of a repeating event that is on or comes next: what its rule gives, with dates taken out, added and moved.
// Works on wall times of the event's zone; how many it looks at is bounded by recurrence.ts.
import { type Rule, wallsOf } from './recurrence.ts';
import { DAY_MS, timeOfDay } from './wall-time.ts';

export type Series = {
  readonly start: number;
  readonly lengthMs: number;
  readonly rule: Rule | null;
  readonly untilWall: number | null;
  readonly removed: readonly number[];
  /** Whole days of a timed series that are taken out, as the wall times of their midnights. */
  readonly removedDays: readonly number[];
  /** Rules of what is taken out (EXRULE). */
  readonly exceptRules: readonly { readonly rule: Rule; readonly untilWall: number | null }[];
  readonly added: readonly number[];
  /** Dates that were changed; `start` null: cancelled. */
  readonly moved: readonly {
    readonly original: number;
    readonly start: number | null;
    readonly end: number | null;
  }[];
  readonly toInstant: (wall: number) => number;
};

export type Occurrence = { readonly start: number; readonly end: number };

/** Tells of wall times, asked in ascending order, whether a rule of exceptions names them. */
function exceptionsOf({ exceptRules, start }: Series, from: number): (wall: number) => boolean {
  const walks = exceptRules.map(({ rule, untilWall }) => {
    const walls = wallsOf(rule, start, {
      isPastUntil: wall => untilWall !== null && wall > untilWall,
      from,
      isStartGiven: false,
    });
    return { walls, next: walls.next() };
  });
  return wall => {
    let isNamed = false;
    for (const walk of walks) {
      while (!walk.next.done && walk.next.value < wall) walk.next = walk.walls.next();
      isNamed ||= !walk.next.done && walk.next.value === wall;
    }
    return isNamed;
  };
}

/** The first occurrence that ends after an instant; null when none does, 'unknown' when the rule goes on too far. */
export function findNext(series: Series, now: number): Occurrence | null | 'unknown' {
  const { start, lengthMs, rule, untilWall, toInstant } = series;
  const isLater = (end: number) => toInstant(end) > now;
  const named = new Set([...series.removed, ...series.moved.map(({ original }) => original)]);
  const days = new Set(series.removedDays);
  const isSkipped = (wall: number) => named.has(wall) || days.has(wall - timeOfDay(wall));
  const others: Occurrence[] = [
    ...series.added.filter(wall => !isSkipped(wall)).map(wall => ({ start: wall, end: wall + lengthMs })),
    ...series.moved.flatMap(({ start: at, end }) =>
      at === null ? [] : [{ start: at, end: end ?? at + lengthMs }],
    ),
  ]
    .filter(({ end }) => isLater(end))
    .sort((left, right) => left.start - right.start);
  const other = others[0] ?? null;
  if (rule === null) {
    const first = { start, end: start + lengthMs };
    const isFirst = !isSkipped(start) && !exceptionsOf(series, start)(start) && isLater(first.end);
    return isFirst && (other === null || other.start >= start) ? first : other;
  }
  // Asking for the zone's offset is dear; a day on either side needs no asking.
  const earliest = now - lengthMs - 2 * DAY_MS;
  const isExcepted = exceptionsOf(series, earliest);
  const isPastUntil = (wall: number) => untilWall !== null && wall > untilWall;
  const walls = wallsOf(rule, start, { isPastUntil, from: earliest });
  for (;;) {
    const { done, value } = walls.next();
    if (done) return other ?? (value === 'unknown' ? 'unknown' : null);
    if (value < earliest || isSkipped(value) || isExcepted(value)) continue;
    const end = value + lengthMs;
    if (!isLater(end)) continue;
    return other !== null && other.start < value ? other : { start: value, end };
  }
}
