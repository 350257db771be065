// Time zones of calendar files: IANA ids as the machine knows them, names of Windows and Outlook, ids with a path before
// them, and the zone that the file itself describes (VTIMEZONE). Wall times become instants here. Nothing is fetched.

import { DAY_MS, wallOf } from './wall-time.ts';
import { WINDOWS_ZONES } from './windows-zones.ts';

export type Zone = {
  /** IANA id, by which everybody can show a time in it; null for a zone that only the file describes. */
  readonly id: string | null;
  /** As the file names it. */
  readonly name: string;
  /** Milliseconds that its clocks are ahead of UTC at an instant. */
  readonly offsetAt: (instant: number) => number;
};

export const UTC: Zone = { id: 'UTC', name: 'UTC', offsetAt: () => 0 };

/**
 * The instant of a wall time. One that comes twice, in autumn, is the first; one that is left out, in spring, is read
 * with the offset before the change (RFC 5545 section 3.3.5).
 */
export function toInstant(zone: Zone, wall: number): number {
  const early = wall - zone.offsetAt(wall - DAY_MS);
  if (early + zone.offsetAt(early) === wall) return early;
  const late = wall - zone.offsetAt(wall + DAY_MS);
  return late + zone.offsetAt(late) === wall ? late : early;
}

export const toWall = (zone: Zone, instant: number): number => instant + zone.offsetAt(instant);

const known = new Map<string, Zone | null>();

/** The zone of an IANA id that this machine knows; null when it knows none of that name. */
export function findIanaZone(name: string): Zone | null {
  const key = name.toLowerCase();
  const before = known.get(key);
  if (before !== undefined) return before;
  const zone = makeIanaZone(name);
  // Names come from strangers: the list of those once seen must not grow for ever.
  if (known.size > 1000) known.clear();
  known.set(key, zone);
  return zone;
}

function makeIanaZone(name: string): Zone | null {
  if (!/^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+){0,3}$/.test(name)) return null;
  if (name.toUpperCase() === 'UTC') return UTC;
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    return null;
  }
  const offsetAt = (instant: number): number => {
    const seconds = Math.floor(instant / 1000) * 1000;
    if (Math.abs(seconds) > 8.6e15) return 0;
    const fields: Record<string, number> = {};
    let isBeforeChrist = false;
    for (const { type, value } of format.formatToParts(seconds)) {
      if (type === 'era') isBeforeChrist = value.startsWith('B');
      else fields[type] = Number(value);
    }
    const { year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = fields;
    return wallOf(isBeforeChrist ? 1 - year : year, month, day, hour, minute, second) - seconds;
  };
  // Some machines answer with the older of two names (Asia/Calcutta); what the file says is the better one to show.
  const canonical = format.resolvedOptions().timeZone;
  const isSame = canonical.toLowerCase() === name.toLowerCase();
  return { id: isSame ? canonical : name, name, offsetAt };
}

const windowsNames = new Map(
  Object.entries(WINDOWS_ZONES).map(([name, id]) => [name.toLowerCase(), id] as const),
);

const FIXED = /^\(?(?:GMT|UTC|Z)?\s*([-+])(\d{1,2})(?:[:.]?(\d\d))?\)?$/i;

/** A zone whose clocks never change. */
export const fixedZone = (name: string, minutes: number): Zone => ({
  id: null,
  name,
  offsetAt: () => minutes * 60_000,
});

function findFixedZone(name: string): Zone | null {
  const found = FIXED.exec(name);
  if (found === null) return null;
  const minutes = Number(found[2]) * 60 + Number(found[3] ?? 0);
  if (minutes > 14 * 60) return null;
  return fixedZone(name, found[1] === '-' ? -minutes : minutes);
}

/** Abbreviations that some machines take for ids of another part of the world. */
const AMBIGUOUS = /^[A-Za-z]{2,4}$/;

/** Whether a name is a mere abbreviation: what the file describes says better what it means. */
export const isAbbreviation = (tzid: string): boolean => AMBIGUOUS.test(tzid.trim());

/** The zone of a TZID, found by its name alone; null when the name tells nothing. */
export function findNamedZone(tzid: string): Zone | null {
  const name = tzid
    .trim()
    .replace(/^["']+|["']+$/g, '')
    .replaceAll('\\', '');
  if (/^(?:z|utc|gmt|etc\/utc|coordinated universal time|tzone:\/\/microsoft\/utc)$/i.test(name)) return UTC;
  const windows = windowsNames.get(name.toLowerCase());
  if (windows !== undefined) return findIanaZone(windows);
  const fixed = findFixedZone(name);
  if (fixed !== null) return fixed;
  const direct = /^(?:BST|AST)$/i.test(name) ? null : findIanaZone(name);
  if (direct !== null) return direct;
  // "/freeassociation.sourceforge.net/Tzfile/Europe/Berlin", "/mozilla.org/20050126_1/America/Argentina/Ushuaia"
  const path = name.split(/[/:]/).filter(part => part !== '');
  if (!/[/:]/.test(name)) return null;
  for (const length of [3, 2, 1]) {
    const zone = path.length >= length ? findIanaZone(path.slice(-length).join('/')) : null;
    if (zone !== null) return zone;
  }
  return null;
}
