// Preset snooze times in the user's time zone (docs/interface.md). Each is at least an hour ahead;
// others are left out.
import { SCHEDULE_MAX_DAYS } from '@keyfold/contract/limits';
import { toWall } from '../../../lib/time-zone.ts';
import { fromFieldValue, onDay } from '../../../lib/wall-time.ts';

export type SnoozeChoice = 'later' | 'tomorrow' | 'weekend' | 'week';

const EVENING_HOUR = 18;
const MORNING_HOUR = 8;
const SATURDAY = 6;
const MONDAY = 1;
const HOUR_MS = 3_600_000;

/** Returns the number of days until the next such weekday, never 0. */
const daysUntil = (now: Date, weekday: number): number => (weekday - toWall(now).getUTCDay() + 7) % 7 || 7;

/** Returns the currently applicable presets, soonest first. */
export function snoozeTimes(now: Date): { readonly choice: SnoozeChoice; readonly at: Date }[] {
  const evening = onDay(now, 0, EVENING_HOUR);
  const inThree = onDay(now, 0, toWall(now).getUTCHours() + 3);
  const later = now.getTime() < evening.getTime() - HOUR_MS ? evening : inThree;
  const choices = [
    { choice: 'later' as const, at: later },
    { choice: 'tomorrow' as const, at: onDay(now, 1, MORNING_HOUR) },
    { choice: 'weekend' as const, at: onDay(now, daysUntil(now, SATURDAY), MORNING_HOUR) },
    { choice: 'week' as const, at: onDay(now, daysUntil(now, MONDAY), MORNING_HOUR) },
  ];
  const days = new Set<number>();
  return choices.filter(({ choice, at }) => {
    // Leaves out "later" when it would fall on the next day. On a Friday "tomorrow" is the weekend,
    // on a Sunday it is next week.
    if (choice === 'later' && toWall(at).getUTCDate() !== toWall(now).getUTCDate()) return false;
    if (days.has(at.getTime())) return false;
    days.add(at.getTime());
    return true;
  });
}

/**
 * Parses the value of a date-and-time field. Returns null unless the time is in the future and
 * within a year.
 */
export function snoozeTimeOf(value: string, now: Date): Date | null {
  const at = fromFieldValue(value);
  const ahead = at.getTime() - now.getTime();
  return ahead > 0 && ahead < SCHEDULE_MAX_DAYS * 24 * HOUR_MS ? at : null;
}
