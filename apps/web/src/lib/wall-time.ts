// Converts wall time in the user's zone (time-zone.ts) to moments, for choosing a time.
import { chosenZone, toWall, wallMs } from './time-zone.ts';

const DAY_MS = 86_400_000;

/** Returns the zone of this device (IANA), whatever the user chose. */
export const deviceZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Returns the effective zone (IANA). */
export const readerZone = (): string => chosenZone() ?? deviceZone();

/**
 * Returns the moment of a wall time. A wall time that occurs twice, in autumn, is the first
 * occurrence. One that is skipped, in spring, is read by the clocks before the change.
 */
export function fromWall(wall: Date): Date {
  const shown = wall.getTime();
  const by = (near: number) => shown - (wallMs(near) - near);
  const [early, late] = [by(shown - DAY_MS), by(shown + DAY_MS)];
  return new Date(wallMs(early) !== shown && wallMs(late) === shown ? late : early);
}

/** Returns the full hour `hour` on the day that is `days` after that of `now`. */
export function onDay(now: Date, days: number, hour: number): Date {
  const wall = toWall(now);
  wall.setUTCDate(wall.getUTCDate() + days);
  wall.setUTCHours(hour, 0, 0, 0);
  return fromWall(wall);
}

/** Parses the value of a date-and-time field; returns an invalid date for an invalid value. */
export function fromFieldValue(value: string): Date {
  const wall = new Date(`${value}Z`);
  return Number.isNaN(wall.getTime()) ? wall : fromWall(wall);
}
