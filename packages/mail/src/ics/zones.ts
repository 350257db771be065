// Time zones of calendar files: IANA IDs known to the machine, Windows and Outlook names, IDs with
// a path prefix, and zones that the file describes (VTIMEZONE). Converts wall times to instants.
// Fetches nothing.

import { DAY_MS, wallOf } from './wall-time.ts';
import { WINDOWS_ZONES } from './windows-zones.ts';

export type Zone = {
  /**
   * IANA ID that any client can use to display the time; null for a zone that only the file
   * describes.
   */
  readonly id: string | null;
  /** Name as written in the file. */
  readonly name: string;
  /** Offset from UTC at an instant, in milliseconds, positive when ahead. */
  readonly offsetAt: (instant: number) => number;
};

export const UTC: Zone = { id: 'UTC', name: 'UTC', offsetAt: () => 0 };

/**
 * Returns the instant of a wall time. A time that occurs twice, in autumn, is the first one. A
 * skipped time, in spring, is read with the offset before the transition (RFC 5545 section 3.3.5).
 */
export function toInstant(zone: Zone, wall: number): number {
  const early = wall - zone.offsetAt(wall - DAY_MS);
  if (early + zone.offsetAt(early) === wall) return early;
  const late = wall - zone.offsetAt(wall + DAY_MS);
  return late + zone.offsetAt(late) === wall ? late : early;
}

export const toWall = (zone: Zone, instant: number): number => instant + zone.offsetAt(instant);

const known = new Map<string, Zone | null>();

/** Returns the zone of an IANA ID; null when the machine does not know it. */
export function findIanaZone(name: string): Zone | null {
  const key = name.toLowerCase();
  const before = known.get(key);
  if (before !== undefined) return before;
  const zone = makeIanaZone(name);
  // Names are untrusted input, so the cache must not grow without bound.
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
  // Some machines return the older of two names (Asia/Calcutta); the name in the file is better to
  // display.
  const canonical = format.resolvedOptions().timeZone;
  const isSame = canonical.toLowerCase() === name.toLowerCase();
  return { id: isSame ? canonical : name, name, offsetAt };
}

const windowsNames = new Map(
  Object.entries(WINDOWS_ZONES).map(([name, id]) => [name.toLowerCase(), id] as const),
);

const FIXED = /^\(?(?:GMT|UTC|Z)?\s*([-+])(\d{1,2})(?:[:.]?(\d\d))?\)?$/i;

/** Returns a zone with a constant offset. */
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

/** Abbreviations that some machines take for IDs of another part of the world. */
const AMBIGUOUS = /^[A-Za-z]{2,4}$/;

/**
 * Reports whether a name is only an abbreviation: the file's own description takes precedence over
 * it.
 */
export const isAbbreviation = (tzid: string): boolean => AMBIGUOUS.test(tzid.trim());

/** Finds the zone of a TZID by its name alone; null when the name is not recognized. */
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
  // "/freeassociation.sourceforge.net/Tzfile/Europe/Berlin",
  // "/mozilla.org/20050126_1/America/Argentina/Ushuaia"
  const path = name.split(/[/:]/).filter(part => part !== '');
  if (!/[/:]/.test(name)) return null;
  for (const length of [3, 2, 1]) {
    const zone = path.length >= length ? findIanaZone(path.slice(-length).join('/')) : null;
    if (zone !== null) return zone;
  }
  return null;
}
