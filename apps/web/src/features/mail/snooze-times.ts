// The times that a mail can be snoozed until with one press, in the reader's own time zone (ux section 1). All are ahead
// by at least an hour; one that is not is left out.
import { SCHEDULE_MAX_DAYS } from '@keyfold/contract/limits';

export type SnoozeChoice = 'later' | 'tomorrow' | 'weekend' | 'week';

const eveningHour = 18;
const morningHour = 8;
const saturday = 6;
const monday = 1;
const hourMs = 3_600_000;

const onDay = (now: Date, days: number, hour: number): Date =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour);

/** Days until the next such weekday, never today. */
const daysUntil = (now: Date, weekday: number): number => (weekday - now.getDay() + 7) % 7 || 7;

/** The choices that make sense now, soonest first. */
export function snoozeTimes(now: Date): { readonly choice: SnoozeChoice; readonly at: Date }[] {
  const evening = onDay(now, 0, eveningHour);
  const inThree = new Date(now.getFullYear(), now.getMonth(), now.getDate(), now.getHours() + 3);
  const later = now.getTime() < evening.getTime() - hourMs ? evening : inThree;
  const choices = [
    { choice: 'later' as const, at: later },
    { choice: 'tomorrow' as const, at: onDay(now, 1, morningHour) },
    { choice: 'weekend' as const, at: onDay(now, daysUntil(now, saturday), morningHour) },
    { choice: 'week' as const, at: onDay(now, daysUntil(now, monday), morningHour) },
  ];
  const days = new Set<number>();
  return choices.filter(({ choice, at }) => {
    // Later today is no longer today; on a Friday "tomorrow" is the weekend, on a Sunday it is next week.
    if (choice === 'later' && at.getDate() !== now.getDate()) return false;
    if (days.has(at.getTime())) return false;
    days.add(at.getTime());
    return true;
  });
}

/** The value of a date-and-time field, in the reader's time zone. */
export function toFieldValue(at: Date): string {
  const two = (number: number) => String(number).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** What a date-and-time field says, or null when that is no time ahead within a year. */
export function fromFieldValue(value: string, now: Date): Date | null {
  const at = new Date(value);
  const ahead = at.getTime() - now.getTime();
  return ahead > 0 && ahead < SCHEDULE_MAX_DAYS * 24 * hourMs ? at : null;
}
