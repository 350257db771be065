// Writes the answer to an invitation (iTIP METHOD:REPLY, RFC 5546 section 3.2.3), and the refusal
// of a proposed time. Repeats the invitation's UID, SEQUENCE and RECURRENCE-ID, by which the
// organizer's calendar finds the event.
import type { Invitation } from './invitation.ts';
import { formatCalendar, formatInstant, formatLine, formatTextLine } from './write.ts';

export type ReplyAnswer = 'ACCEPTED' | 'DECLINED' | 'TENTATIVE';

type Person = { readonly name: string; readonly address: string };

/** Event fields that an answer repeats. */
export type AnsweredEvent = Pick<Invitation, 'uid' | 'sequence' | 'recurrenceId' | 'organizer' | 'summary'> &
  Partial<Pick<Invitation, 'start' | 'end' | 'repetition'>>;

const mailto = ({ address }: Person): string => `mailto:${address}`;

const compact = (iso: string): string => iso.slice(0, 19).replace(/[-:]/g, '');

/** Returns the line that identifies one date of a series, as the invitation wrote it. */
export function recurrenceLine({ recurrenceId }: Pick<Invitation, 'recurrenceId'>): string {
  if (recurrenceId === null) return '';
  const { value, tzid, isDate } = recurrenceId;
  return formatLine('RECURRENCE-ID', value, isDate ? { VALUE: 'DATE' } : { TZID: tzid });
}

/**
 * Returns the event's time for people who read the message. A series is identified by its UID only
 * because its zone is not repeated here.
 */
function timeLines({ start, end, repetition, recurrenceId }: AnsweredEvent): string {
  if (start === undefined || end === undefined || repetition !== null || recurrenceId !== null) return '';
  const line = (name: string, at: typeof start): string => {
    if (at.isDate) return formatLine(name, compact(at.local), { VALUE: 'DATE' });
    if (at.zoneName === null) return formatLine(name, compact(at.local));
    return formatLine(name, formatInstant(new Date(at.instant)));
  };
  return line('DTSTART', start) + line('DTEND', end);
}

export type ReplyInput = {
  readonly event: AnsweredEvent;
  readonly guest: Person;
  readonly answer: ReplyAnswer;
  readonly comment?: string;
  readonly now: Date;
};

/** Returns the calendar text of an answer. */
export function formatReply({ event, guest, answer, comment, now }: ReplyInput): string {
  const { organizer } = event;
  return formatCalendar('REPLY', [
    'BEGIN:VEVENT\r\n',
    formatLine('UID', event.uid),
    formatLine('SEQUENCE', String(event.sequence)),
    formatLine('DTSTAMP', formatInstant(now)),
    recurrenceLine(event),
    timeLines(event),
    organizer === null ? '' : formatLine('ORGANIZER', mailto(organizer), { CN: organizer.name }),
    formatLine('ATTENDEE', mailto(guest), { PARTSTAT: answer, CN: guest.name }),
    formatTextLine('SUMMARY', event.summary),
    formatTextLine('COMMENT', comment ?? ''),
    'END:VEVENT\r\n',
  ]);
}

/**
 * Returns the organizer's refusal of a time that a guest proposed (METHOD:DECLINECOUNTER, RFC 5546
 * section 3.2.8).
 */
export function formatDeclineCounter(input: Omit<ReplyInput, 'answer'>): string {
  const { event, guest, comment, now } = input;
  const { organizer } = event;
  return formatCalendar('DECLINECOUNTER', [
    'BEGIN:VEVENT\r\n',
    formatLine('UID', event.uid),
    formatLine('SEQUENCE', String(event.sequence)),
    formatLine('DTSTAMP', formatInstant(now)),
    recurrenceLine(event),
    organizer === null ? '' : formatLine('ORGANIZER', mailto(organizer), { CN: organizer.name }),
    formatLine('ATTENDEE', mailto(guest), { CN: guest.name }),
    formatTextLine('SUMMARY', event.summary),
    formatTextLine('COMMENT', comment ?? ''),
    'END:VEVENT\r\n',
  ]);
}
