// Finds the current or next occurrence of a repeating event: the dates of its rule, with dates
// removed, added and moved. Works on wall times of the event's zone. recurrence.ts bounds how many
// dates it examines.
import { type Rule, wallsOf } from './recurrence.ts';
import { DAY_MS, timeOfDay } from './wall-time.ts';

export type Series = {
  readonly start: number;
  readonly lengthMs: number;
  readonly rule: Rule | null;
  readonly untilWall: number | null;
  readonly removed: readonly number[];
  /** Removed whole days of a timed series, as the wall times of their midnights. */
  readonly removedDays: readonly number[];
  /** Exclusion rules (EXRULE). */
  readonly exceptRules: readonly { readonly rule: Rule; readonly untilWall: number | null }[];
  readonly added: readonly number[];
  /** Changed dates; a null `start` means canceled. */
  readonly moved: readonly {
    readonly original: number;
    readonly start: number | null;
    readonly end: number | null;
  }[];
  readonly toInstant: (wall: number) => number;
};

export type Occurrence = { readonly start: number; readonly end: number };

/**
 * Returns a function that reports whether an exclusion rule matches a wall time. Call it with
 * ascending times.
 */
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

/**
 * Returns the first occurrence that ends after an instant, null when there is none, or 'unknown'
 * when the rule exceeds the period limit.
 */
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
  // Zone offset lookups are expensive; a day of margin on either side avoids them.
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
