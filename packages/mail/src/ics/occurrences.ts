// The date of a repeating event that is on or comes next: what its rule gives, with dates taken out, added and moved.
// Works on wall times of the event's zone; how many it looks at is bounded by recurrence.ts.
import { type Rule, wallsOf } from './recurrence.ts';

export type Series = {
  readonly start: number;
  readonly lengthMs: number;
  readonly rule: Rule | null;
  readonly untilWall: number | null;
  readonly removed: readonly number[];
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

/** The first occurrence that ends after an instant; null when none does, 'unknown' when the rule goes on too far. */
export function findNext(series: Series, now: number): Occurrence | null | 'unknown' {
  const { start, lengthMs, rule, untilWall, toInstant } = series;
  const isLater = (end: number) => toInstant(end) > now;
  const skipped = new Set([...series.removed, ...series.moved.map(({ original }) => original)]);
  const others: Occurrence[] = [
    ...series.added.filter(wall => !skipped.has(wall)).map(wall => ({ start: wall, end: wall + lengthMs })),
    ...series.moved.flatMap(({ start: at, end }) =>
      at === null ? [] : [{ start: at, end: end ?? at + lengthMs }],
    ),
  ]
    .filter(({ end }) => isLater(end))
    .sort((left, right) => left.start - right.start);
  const other = others[0] ?? null;
  if (rule === null) {
    const first = { start, end: start + lengthMs };
    return !skipped.has(start) && isLater(first.end) ? first : other;
  }
  // Asking for the zone's offset is dear; a day on either side needs no asking.
  const earliest = now - lengthMs - 2 * 86_400_000;
  const walls = wallsOf(rule, start, wall => untilWall !== null && wall > untilWall);
  for (;;) {
    const { done, value } = walls.next();
    if (done) return other ?? (value === 'unknown' ? 'unknown' : null);
    if (value < earliest || skipped.has(value)) continue;
    const end = value + lengthMs;
    if (!isLater(end)) continue;
    return other !== null && other.start < value ? other : { start: value, end };
  }
}
