// The suggested times for scheduled sending, in the user's time zone. Pure.
import { SCHEDULE_MAX_DAYS } from '@keyfold/contract/limits';
import { clockOptions } from '../../../lib/dates.ts';
import { formatLocale, t } from '../../../lib/language.ts';
import { toWall, zoneOption } from '../../../lib/time-zone.ts';
import { onDay } from '../../../lib/wall-time.ts';

export type LaterChoice = {
  readonly id: 'today' | 'tomorrow' | 'monday';
  readonly label: string;
  readonly at: Date;
};

const MORNING_HOUR = 8;
/** Offset of "later today" in hours, and the last hour at which the result is still today. */
const LATER_HOURS = 3;
const LAST_HOUR = 21;

const morningIn = (now: Date, days: number): Date => onDay(now, days, MORNING_HOUR);

/** Returns the days until the next Monday, excluding today. */
const daysToMonday = (now: Date): number => (8 - toWall(now).getUTCDay()) % 7 || 7;

/** Returns the current choices. */
export function laterChoices(now: Date): readonly LaterChoice[] {
  const hour = toWall(now).getUTCHours() + LATER_HOURS;
  const today = onDay(now, 0, hour);
  const isToday = hour <= LAST_HOUR;
  return [
    ...(isToday ? [{ id: 'today' as const, label: t('Later today'), at: today }] : []),
    { id: 'tomorrow' as const, label: t('Tomorrow morning'), at: morningIn(now, 1) },
    // On a Sunday both choices would be the same.
    ...(daysToMonday(now) === 1
      ? []
      : [{ id: 'monday' as const, label: t('Monday morning'), at: morningIn(now, daysToMonday(now)) }]),
  ];
}

/** Formats a time for display: day and clock time. */
export const whenWords = (at: Date): string =>
  at.toLocaleString(formatLocale(), {
    ...zoneOption(),
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...clockOptions(formatLocale()),
  });

const DAY_MS = 24 * 60 * 60 * 1000;

/** Returns why a message cannot be scheduled for this time, or null. */
export function findScheduleProblem(at: Date, now: Date): string | null {
  if (Number.isNaN(at.getTime())) return t('Choose a date and time');
  if (at <= now) return t('Choose a time in the future');
  if (at.getTime() - now.getTime() > SCHEDULE_MAX_DAYS * DAY_MS)
    return t('Choose a time within the next {days} days', { days: SCHEDULE_MAX_DAYS });
  return null;
}
