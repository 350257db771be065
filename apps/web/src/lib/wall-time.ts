// From what clocks of the reader's zone show (time-zone.ts) to moments: for whoever chooses a time.
import { chosenZone, toWall, wallMs } from './time-zone.ts';

const DAY_MS = 86_400_000;

/** The zone of this device (IANA), whatever was chosen. */
export const deviceZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The zone that counts (IANA). */
export const readerZone = (): string => chosenZone() ?? deviceZone();

/**
 * The moment of a wall. One that comes twice, in autumn, is the first; one that is left out, in spring, is read by the
 * clocks before the change.
 */
export function fromWall(wall: Date): Date {
  const shown = wall.getTime();
  const by = (near: number) => shown - (wallMs(near) - near);
  const [early, late] = [by(shown - DAY_MS), by(shown + DAY_MS)];
  return new Date(wallMs(early) !== shown && wallMs(late) === shown ? late : early);
}

/** A moment of the day that is `days` after that of `now`, on the full hour. */
export function onDay(now: Date, days: number, hour: number): Date {
  const wall = toWall(now);
  wall.setUTCDate(wall.getUTCDate() + days);
  wall.setUTCHours(hour, 0, 0, 0);
  return fromWall(wall);
}

/** What a date-and-time field says; an invalid date when it says none. */
export function fromFieldValue(value: string): Date {
  const wall = new Date(`${value}Z`);
  return Number.isNaN(wall.getTime()) ? wall : fromWall(wall);
}
