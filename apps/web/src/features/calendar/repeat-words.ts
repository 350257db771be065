// Describes a repetition: "Every 2 weeks on Monday and Wednesday until March 31, 2026". Complex
// rules get a short description. event-dates.ts formats days and months.
import type { Repetition } from '@keyfold/mail/ics/invitation';
import type { Rule, RuleDay } from '@keyfold/mail/ics/recurrence';
import { t } from '../../lib/language.ts';
import { joinNames, joinParts } from '../../lib/words.ts';
import { formatDay, monthName, weekdayName } from './event-dates.ts';

function everyWords({ frequency, interval }: Rule): string {
  switch (frequency) {
    case 'YEARLY':
      return t('{count, plural, one {Every year} other {Every # years}}', { count: interval });
    case 'MONTHLY':
      return t('{count, plural, one {Every month} other {Every # months}}', { count: interval });
    case 'WEEKLY':
      return t('{count, plural, one {Every week} other {Every # weeks}}', { count: interval });
    case 'DAILY':
      return t('{count, plural, one {Every day} other {Every # days}}', { count: interval });
    case 'HOURLY':
      return t('{count, plural, one {Every hour} other {Every # hours}}', { count: interval });
    default:
      return t('Several times an hour');
  }
}

function nthWord(nth: number): string {
  switch (nth) {
    case 1:
      return t('first');
    case 2:
      return t('second');
    case 3:
      return t('third');
    case 4:
      return t('fourth');
    case 5:
      return t('fifth');
    case -1:
      return t('last');
    case -2:
      return t('second to last');
    default:
      return String(nth);
  }
}

const isWorkdays = (days: readonly RuleDay[]): boolean =>
  days.length === 5 && days.every(({ weekday, nth }) => nth === 0 && weekday >= 1 && weekday <= 5);

function dayWords({ days, positions }: Rule): string {
  const [position] = positions;
  if (isWorkdays(days)) {
    return position === undefined
      ? t('from Monday to Friday')
      : t('on the {nth} weekday', { nth: nthWord(position) });
  }
  const named = days.map(({ weekday, nth }) => {
    const day = weekdayName(weekday);
    const place = nth === 0 ? position : nth;
    return place === undefined ? day : t('the {nth} {day}', { nth: nthWord(place), day });
  });
  return t('on {days}', { days: joinNames(named) });
}

function monthDayWords({ monthDays }: Rule): string {
  if (monthDays.length === 1 && monthDays[0] === -1) return t('on the last day of the month');
  return t('on day {days}', { days: joinNames(monthDays.map(String)) });
}

const isPlain = (rule: Rule): boolean =>
  rule.yearDays.length === 0 &&
  rule.weekNumbers.length === 0 &&
  rule.hours.length === 0 &&
  rule.minutes.length === 0 &&
  rule.positions.length < 2 &&
  rule.monthDays.length < 8;

function ruleWords(rule: Rule): string {
  const parts = [everyWords(rule)];
  if (!isPlain(rule)) return t('{every}, on certain days', { every: everyWords(rule) });
  if (rule.days.length > 0) parts.push(dayWords(rule));
  else if (rule.monthDays.length > 0) parts.push(monthDayWords(rule));
  if (rule.months.length > 0) parts.push(t('in {months}', { months: joinNames(rule.months.map(monthName)) }));
  return parts.join(' ');
}

/** Returns the complete description. */
export function repeatWords({ rule, until, exceptRules, removed, added, changed }: Repetition): string {
  const parts = rule === null ? [t('On several dates')] : [ruleWords(rule)];
  if (rule?.count !== null && rule !== null) {
    parts.push(t('{count, plural, one {once} other {# times}}', { count: rule.count }));
  } else if (until !== null) {
    parts.push(t('until {day}', { day: formatDay(until) }));
  }
  const sentence = rule?.count !== null ? joinParts(parts) : parts.join(' ');
  const more = [
    ...exceptRules.map(one => t('except: {rule}', { rule: ruleWords(one) })),
    removed > 0
      ? t('{count, plural, one {# date excluded} other {# dates excluded}}', { count: removed })
      : '',
    added > 0 && rule !== null
      ? t('{count, plural, one {# date added} other {# dates added}}', { count: added })
      : '',
    changed > 0 ? t('{count, plural, one {# date changed} other {# dates changed}}', { count: changed }) : '',
  ].filter(part => part !== '');
  return more.length === 0 ? sentence : `${sentence} (${joinParts(more)})`;
}
