/**
 * Message that informs an organizer of an answer given with a token: an iTIP REPLY from the guest
 * (RFC 5546 section 3.2.3). It omits the event's title, which the server never knows. Builds bytes
 * only; does not seal or store.
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
    sentence: 'has tentatively accepted your invitation.',
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
    // The service is the actual author, on the authority of a token that only this guest received.
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
