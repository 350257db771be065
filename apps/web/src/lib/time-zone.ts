// The time zone in which times are written and chosen: that of this device, or another one that its user prefers. It counts
// from the next load of the page. What chooses times is in wall-time.ts, so that a list need not bring it along.
// Clocks are told as a Date whose UTC fields are what the zone's clocks show ("wall").
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

/** The zone that was chosen in place of the device's; null without a choice. */
export function chosenZone(): string | null {
  if (chosen === undefined) {
    const kept = findSetting(key);
    chosen = kept !== null && isZone(kept) ? kept : null;
  }
  return chosen;
}

/** Keeps a choice; null for the zone of the device. Texts that stand already stay as they are until the page is loaded anew. */
export function keepZone(zone: string | null): void {
  chosen = zone;
  clock = undefined;
  keepSetting(key, zone ?? '');
}

/** For Intl formatters; nothing without a choice, which they know best themselves. */
export function zoneOption(): { timeZone?: string } {
  const zone = chosenZone();
  return zone === null ? {} : { timeZone: zone };
}

/** What the zone's clocks show, as milliseconds of UTC. */
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

/** The wall of a moment. */
export const toWall = (at: Date): Date => new Date(wallMs(at.getTime()));

/** The value of a date-and-time field, as in `2026-11-19T18:00`. */
export const toFieldValue = (at: Date): string => toWall(at).toISOString().slice(0, 16);

/** The day, as in `2026-11-19`. */
export const dayText = (at: Date): string => toFieldValue(at).slice(0, 10);
