// The times that are offered for sending later, by the clock of whoever writes. Pure.
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
/** Hours until "later today", and the last hour of the day at which that is still today. */
const LATER_HOURS = 3;
const LAST_HOUR = 21;

const morningIn = (now: Date, days: number): Date => onDay(now, days, MORNING_HOUR);

/** Days until the next Monday that is not today. */
const daysToMonday = (now: Date): number => (8 - toWall(now).getUTCDay()) % 7 || 7;

/** The choices at this moment. */
export function laterChoices(now: Date): readonly LaterChoice[] {
  const hour = toWall(now).getUTCHours() + LATER_HOURS;
  const today = onDay(now, 0, hour);
  const isToday = hour <= LAST_HOUR;
  return [
    ...(isToday ? [{ id: 'today' as const, label: t('Later today'), at: today }] : []),
    { id: 'tomorrow' as const, label: t('Tomorrow morning'), at: morningIn(now, 1) },
    // On a Sunday both would be the same.
    ...(daysToMonday(now) === 1
      ? []
      : [{ id: 'monday' as const, label: t('Monday morning'), at: morningIn(now, daysToMonday(now)) }]),
  ];
}

/** A moment as people read it: day and clock. */
export const whenWords = (at: Date): string =>
  at.toLocaleString(formatLocale(), {
    ...zoneOption(),
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...clockOptions(formatLocale()),
  });

const DAY_MS = 24 * 60 * 60 * 1000;

/** Why a letter cannot be sent at this moment, or null. */
export function findScheduleProblem(at: Date, now: Date): string | null {
  if (Number.isNaN(at.getTime())) return t('Choose a day and a time');
  if (at <= now) return t('This moment has passed');
  if (at.getTime() - now.getTime() > SCHEDULE_MAX_DAYS * DAY_MS)
    return t('At most {days} days ahead', { days: SCHEDULE_MAX_DAYS });
  return null;
}
