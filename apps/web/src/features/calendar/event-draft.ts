// An event as its organizer enters it, and the plan that is written into invitations. Pure; the
// form is EventForm.tsx.
import type { EventPlan } from '@keyfold/mail/ics/compose-event';
import type { Invitation } from '@keyfold/mail/ics/invitation';
import { t } from '../../lib/language.ts';
import { randomId } from '../../lib/random-id.ts';
import { dayText, toFieldValue, toWall } from '../../lib/time-zone.ts';
import { onDay, readerZone } from '../../lib/wall-time.ts';

export type RepeatChoice = 'none' | 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY';

/** The fields of the form: `day` is `2026-03-01`, `time` is `10:00`. */
export type EventDraft = {
  readonly summary: string;
  readonly location: string;
  readonly description: string;
  readonly isAllDay: boolean;
  readonly startDay: string;
  readonly startTime: string;
  readonly endDay: string;
  readonly endTime: string;
  readonly zone: string;
  readonly repeat: RepeatChoice;
  /** Last day of the repetition; empty for no end. */
  readonly lastDay: string;
};

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const timeOf = (at: Date): string => toFieldValue(at).slice(11);

/** Returns a day moved by a number of days. */
const moveDay = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

/** Usual meeting hours; a form opened at night suggests the morning. */
const FIRST_HOUR = 8;
const LAST_HOUR = 18;
const MORNING_HOUR = 9;

/** Returns an event tomorrow at the next full hour, for one hour. */
export function newEventDraft(now: Date, summary = ''): EventDraft {
  const next = new Date(Math.ceil(now.getTime() / HOUR_MS) * HOUR_MS + DAY_MS);
  const hour = toWall(next).getUTCHours();
  const start = hour < FIRST_HOUR || hour > LAST_HOUR ? onDay(next, 0, MORNING_HOUR) : next;
  const end = new Date(start.getTime() + HOUR_MS);
  return {
    summary,
    location: '',
    description: '',
    isAllDay: false,
    startDay: dayText(start),
    startTime: timeOf(start),
    endDay: dayText(end),
    endTime: timeOf(end),
    zone: readerZone(),
    repeat: 'none',
    lastDay: '',
  };
}

/**
 * Returns the editable draft of the user's own event; null when it contains more than the form
 * supports.
 */
export function findEventDraft(invitation: Invitation): EventDraft | null {
  const { start, end, repetition, recurrenceId } = invitation;
  const rule = repetition?.rule ?? null;
  const isSimple =
    repetition === null ||
    (rule !== null &&
      rule.count === null &&
      rule.interval === 1 &&
      rule.days.length + rule.monthDays.length + rule.months.length + rule.positions.length === 0 &&
      repetition.removed + repetition.added + repetition.changed === 0 &&
      rule.frequency !== 'HOURLY' &&
      rule.frequency !== 'MINUTELY' &&
      rule.frequency !== 'SECONDLY');
  if (!isSimple || recurrenceId !== null || !invitation.hasTime) return null;
  const endDay = start.isDate ? moveDay(end.local, -1) : end.local.slice(0, 10);
  const frequency = rule?.frequency;
  return {
    summary: invitation.summary,
    location: invitation.location,
    description: invitation.description,
    isAllDay: start.isDate,
    startDay: start.local.slice(0, 10),
    startTime: start.isDate ? '09:00' : start.local.slice(11, 16),
    endDay,
    endTime: start.isDate ? '10:00' : end.local.slice(11, 16),
    zone: start.zone ?? readerZone(),
    repeat:
      frequency === 'DAILY' || frequency === 'WEEKLY' || frequency === 'MONTHLY' || frequency === 'YEARLY'
        ? frequency
        : 'none',
    lastDay: repetition?.until?.local.slice(0, 10) ?? '',
  };
}

const startOf = (draft: EventDraft): string =>
  draft.isAllDay ? draft.startDay : `${draft.startDay}T${draft.startTime}:00`;
/** Exclusive for all-day events. */
const endOf = (draft: EventDraft): string =>
  draft.isAllDay ? moveDay(draft.endDay, 1) : `${draft.endDay}T${draft.endTime}:00`;

const isDay = (day: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(`${day}T00:00:00Z`));
const isTime = (time: string): boolean => /^\d\d:\d\d$/.test(time);

/** Returns the error texts of the fields; empty when there are none. */
export function findDraftProblems(draft: EventDraft): {
  readonly summary?: string;
  readonly end?: string;
  readonly lastDay?: string;
} {
  const hasTimes = draft.isAllDay || (isTime(draft.startTime) && isTime(draft.endTime));
  const hasDays = isDay(draft.startDay) && isDay(draft.endDay);
  const isForward = draft.isAllDay ? draft.endDay >= draft.startDay : endOf(draft) >= startOf(draft);
  return {
    ...(draft.summary.trim() === '' ? { summary: t('Enter a title') } : {}),
    ...(!hasDays || !hasTimes
      ? { end: t('Enter when the event starts and ends') }
      : isForward
        ? {}
        : { end: t('The event ends before it starts') }),
    ...(draft.repeat !== 'none' &&
    draft.lastDay !== '' &&
    !(isDay(draft.lastDay) && draft.lastDay >= draft.startDay)
      ? { lastDay: t('The repetition ends before the event starts') }
      : {}),
  };
}

/** Returns the plan of a draft: a new event, or the next version of one. */
export function toPlan(
  draft: EventDraft,
  organizer: { readonly name: string; readonly address: string },
  before: { readonly uid: string; readonly sequence: number } | null,
): EventPlan {
  return {
    uid: before?.uid ?? `${randomId()}@${organizer.address.split('@')[1] ?? 'localhost'}`,
    sequence: before === null ? 0 : before.sequence + 1,
    organizer,
    summary: draft.summary.trim(),
    location: draft.location.trim(),
    description: draft.description.trim(),
    start: startOf(draft),
    end: endOf(draft),
    isAllDay: draft.isAllDay,
    zone: draft.zone,
    repeat:
      draft.repeat === 'none'
        ? null
        : { frequency: draft.repeat, lastDay: draft.lastDay === '' ? null : draft.lastDay },
  };
}
