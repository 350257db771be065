// The time zone for displaying and choosing times: that of this device, or another one that the
// user prefers. A change takes effect with the next page load. Code for choosing times is in
// wall-time.ts, so that a list does not load it. Wall time is represented as a Date whose UTC
// fields are what the zone's clocks show ("wall").
import { findSetting, keepSetting } from './local-storage.ts';

const key = 'time_zone';

/** Whether this browser knows a zone of that name. */
export function isZone(zone: string): boolean {
  try {
    Intl.DateTimeFormat('en', { timeZone: zone });
    return zone !== '';
  } catch {
    return false;
  }
}

let chosen: string | null | undefined;
let clock: Intl.DateTimeFormat | undefined;

/** Returns the zone that the user chose instead of the device's, or null. */
export function chosenZone(): string | null {
  if (chosen === undefined) {
    const kept = findSetting(key);
    chosen = kept !== null && isZone(kept) ? kept : null;
  }
  return chosen;
}

/**
 * Saves the choice; null for the zone of the device. Displayed times do not change until the page
 * is reloaded.
 */
export function keepZone(zone: string | null): void {
  chosen = zone;
  clock = undefined;
  keepSetting(key, zone ?? '');
}

/** Returns the option for Intl formatters, which use the device's zone when it is missing. */
export function zoneOption(): { timeZone?: string } {
  const zone = chosenZone();
  return zone === null ? {} : { timeZone: zone };
}

/** Returns the wall time of the zone, as milliseconds of UTC. */
export function wallMs(at: number): number {
  const zone = chosenZone();
  if (zone === null) return at - new Date(at).getTimezoneOffset() * 60_000;
  clock ??= new Intl.DateTimeFormat('en', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const {
    year = 1970,
    month = 1,
    day,
    hour,
    minute,
    second,
  } = Object.fromEntries(clock.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  return Date.UTC(year, month - 1, day, hour, minute, second) + (at - Math.floor(at / 1000) * 1000);
}

/** Returns the wall time of a moment. */
export const toWall = (at: Date): Date => new Date(wallMs(at.getTime()));

/** Returns the value of a date-and-time field, as in `2026-11-19T18:00`. */
export const toFieldValue = (at: Date): string => toWall(at).toISOString().slice(0, 16);

/** Returns the day, as in `2026-11-19`. */
export const dayText = (at: Date): string => toFieldValue(at).slice(0, 10);
