/**
 * The mail by which an organiser hears of an answer that was given with a token: an iTIP REPLY from the guest
 * (RFC 5546 section 3.2.3). The event's title is not in it: the server never learned it. Builds bytes; it seals and
 * stores nothing.
 */

import { findEventThreadId } from '@keyfold/mail/ics/compose-event';
import { formatReply } from '@keyfold/mail/ics/reply';
import { composeMessage } from '@keyfold/mail/mime/compose';
import { createMessageId } from '@keyfold/mail/mime/stored-headers';

export type AnswerMail = {
  readonly eventId: string;
  readonly sequence: number;
  readonly attendee: string;
  readonly organizer: string;
  readonly response: 'accepted' | 'declined' | 'tentative';
  readonly hostname: string;
  readonly now: Date;
};

const WORDS = {
  accepted: { answer: 'ACCEPTED', subject: 'Accepted', sentence: 'has accepted your invitation.' },
  tentative: {
    answer: 'TENTATIVE',
    subject: 'Maybe',
    sentence: 'may come: the answer to your invitation is Maybe.',
  },
  declined: { answer: 'DECLINED', subject: 'Declined', sentence: 'has declined your invitation.' },
} as const;

export function buildAnswerMail(mail: AnswerMail): Uint8Array {
  const { answer, subject, sentence } = WORDS[mail.response];
  const guest = { name: '', address: mail.attendee };
  const organizer = { name: '', address: mail.organizer };
  const thread = findEventThreadId(mail.eventId);
  return composeMessage({
    from: guest,
    // Who really wrote it: the service, on the word of a token that only this guest was given.
    sender: { name: '', address: `invitations@${mail.hostname}` },
    to: [organizer],
    subject: `${subject}: your invitation`,
    date: mail.now,
    messageId: createMessageId(mail.hostname),
    ...(thread === null ? {} : { inReplyTo: thread, references: [thread] }),
    text: `${mail.attendee} ${sentence}\r\n`,
    calendar: {
      method: 'REPLY',
      content: formatReply({
        event: {
          uid: mail.eventId,
          sequence: mail.sequence,
          recurrenceId: null,
          organizer,
          summary: '',
        },
        guest,
        answer,
        now: mail.now,
      }),
    },
    extraHeaders: [['Auto-Submitted', 'auto-generated']],
  });
}
