// The times that a mail can be snoozed until with one press, in the reader's own time zone (docs/interface.md). All are ahead
// by at least an hour; one that is not is left out.
import { SCHEDULE_MAX_DAYS } from '@keyfold/contract/limits';
import { toWall } from '../../../lib/time-zone.ts';
import { fromFieldValue, onDay } from '../../../lib/wall-time.ts';

export type SnoozeChoice = 'later' | 'tomorrow' | 'weekend' | 'week';

const EVENING_HOUR = 18;
const MORNING_HOUR = 8;
const SATURDAY = 6;
const MONDAY = 1;
const HOUR_MS = 3_600_000;

/** Days until the next such weekday, never today. */
const daysUntil = (now: Date, weekday: number): number => (weekday - toWall(now).getUTCDay() + 7) % 7 || 7;

/** The choices that make sense now, soonest first. */
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
    // Later today is no longer today; on a Friday "tomorrow" is the weekend, on a Sunday it is next week.
    if (choice === 'later' && toWall(at).getUTCDate() !== toWall(now).getUTCDate()) return false;
    if (days.has(at.getTime())) return false;
    days.add(at.getTime());
    return true;
  });
}

/** The time that a date-and-time field says, or null when that is not ahead within a year. */
export function snoozeTimeOf(value: string, now: Date): Date | null {
  const at = fromFieldValue(value);
  const ahead = at.getTime() - now.getTime();
  return ahead > 0 && ahead < SCHEDULE_MAX_DAYS * 24 * HOUR_MS ? at : null;
}
