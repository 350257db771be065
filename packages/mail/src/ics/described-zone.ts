// A time zone described in a file (VTIMEZONE, RFC 5545 section 3.6.5), for unknown zone names.
// Changes are computed only for the requested years; a rule that is not yearly counts as the single
// change it starts with.
import { type Component, findProperty, findText, propertiesOf } from './lines.ts';
import { type Rule, readRule, wallsInYear } from './recurrence.ts';
import { readWall } from './wall-time.ts';
import type { Zone } from './zones.ts';

type Change = {
  readonly start: number;
  readonly from: number;
  readonly to: number;
  readonly rule: Rule | null;
  readonly extra: readonly number[];
};

const MAX_EXTRA = 500;

/** Parses `+0130`, which ical.js writes as `+01:30`, into milliseconds. */
function readOffset(text: string | null): number | null {
  const found = /^([-+])(\d\d):?(\d\d)(?::?(\d\d))?$/.exec(text?.trim() ?? '');
  if (found === null) return null;
  const seconds = (Number(found[2]) * 60 + Number(found[3])) * 60 + Number(found[4] ?? 0);
  return seconds > 16 * 3600 ? null : (found[1] === '-' ? -seconds : seconds) * 1000;
}

function readChange(part: Component): Change | null {
  const start = readWall(findText(part, 'dtstart') ?? '');
  const to = readOffset(findText(part, 'tzoffsetto'));
  if (start === null || to === null) return null;
  const rule = readRule(findProperty(part, 'rrule')?.values[0]);
  return {
    start: start.wall,
    from: readOffset(findText(part, 'tzoffsetfrom')) ?? to,
    to,
    rule: rule?.frequency === 'YEARLY' ? rule : null,
    extra: propertiesOf(part, 'rdate')
      .flatMap(({ values }) => values)
      .slice(0, MAX_EXTRA)
      .flatMap(value => readWall(String(value))?.wall ?? []),
  };
}

/**
 * Returns the instants at which a change takes place in the years around an instant, with the
 * offset from then on.
 */
function changesAround(change: Change, year: number): { at: number; to: number }[] {
  const { start, from, to, rule, extra } = change;
  const walls = [start, ...extra];
  if (rule !== null) {
    for (const one of [year - 1, year, year + 1]) {
      const limit =
        rule.until === null ? Number.POSITIVE_INFINITY : rule.until + (rule.isUntilUtc ? from : 0);
      walls.push(...wallsInYear(rule, start, one).filter(wall => wall >= start && wall <= limit));
    }
  }
  return walls.map(wall => ({ at: wall - from, to }));
}

/** Returns the zone that a VTIMEZONE describes; null when it describes none. */
export function readDescribedZone(component: Component): Zone | null {
  const changes = component.children.flatMap(part => readChange(part) ?? []);
  const earliest = changes.toSorted((left, right) => left.start - right.start)[0];
  if (earliest === undefined) return null;
  const byYear = new Map<number, { at: number; to: number }[]>();
  const around = (year: number) => {
    let found = byYear.get(year);
    if (found === undefined) {
      found = changes
        .flatMap(change => changesAround(change, year))
        .sort((left, right) => left.at - right.at);
      if (byYear.size > 200) byYear.clear();
      byYear.set(year, found);
    }
    return found;
  };
  return {
    id: null,
    name: findText(component, 'tzid') ?? '',
    offsetAt: instant =>
      around(new Date(instant).getUTCFullYear()).findLast(({ at }) => at <= instant)?.to ?? earliest.from,
  };
}
