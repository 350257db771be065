// Answers an invitation: by its token if this service sent it and the answer has no additions,
// otherwise by an iTIP REPLY message to the organizer (docs/interpretations.md#78). Also sends the
// organizer's refusal of a proposed time.
import type { Guest } from '@keyfold/mail/ics/guests';
import type { Invitation } from '@keyfold/mail/ics/invitation';
import { formatDeclineCounter, formatReply } from '@keyfold/mail/ics/reply';
import { readerZone } from '../../lib/wall-time.ts';
import { calendarClient } from '../../session/calls/clients/calendar.ts';
import { getUser } from '../../session/state/current-user.ts';
import { formatSpan, messageLocale } from './event-dates.ts';
import type { RsvpAnswer } from './own-answers.ts';
import { isOurs, sendMessage } from './send-message.ts';

/**
 * Text in the message itself, which the organizer's client may show: English, like the terms of the
 * calendar standard.
 */
const subjects = { accepted: 'Accepted', tentative: 'Maybe', declined: 'Declined' } as const;
const sentences = {
  accepted: 'has accepted this invitation.',
  tentative: 'has answered Maybe to this invitation.',
  declined: 'has declined this invitation.',
} as const;
const itip = { accepted: 'ACCEPTED', tentative: 'TENTATIVE', declined: 'DECLINED' } as const;

export type AnswerInput = {
  readonly invitation: Invitation;
  readonly me: Guest;
  readonly answer: RsvpAnswer;
  readonly comment: string;
  /** Message-ID of the message with the invitation. */
  readonly messageId: string;
};

const whenLine = ({ hasTime, start, end }: Invitation): string =>
  hasTime ? `\n${formatSpan(start, end, readerZone(), messageLocale)}` : '';

/** Sends the answer. Rejects when it could not be sent. */
export async function sendAnswer({ invitation, me, answer, comment, messageId }: AnswerInput): Promise<void> {
  const { organizer, uid } = invitation;
  if (organizer === null || organizer.address === '') throw new Error('RSVP failed');
  if (me.token !== null && comment.trim() === '' && (await isOurs(organizer.address))) {
    await calendarClient.emailrsvp({ event_id: uid, token: me.token, response: answer });
    return;
  }
  const guest = { name: getUser().name, address: me.address.toLowerCase() };
  const title = invitation.summary || 'invitation';
  await sendMessage({
    from: guest,
    to: [organizer],
    cc: [],
    bcc: [],
    subject: `${subjects[answer]}: ${title}`,
    text: [
      `${guest.name || guest.address} ${sentences[answer]}`,
      ...(comment.trim() === '' ? [] : ['', comment.trim()]),
      '',
      `${title}${whenLine(invitation)}`,
      '',
    ].join('\n'),
    ...(messageId === '' ? {} : { inReplyTo: messageId }),
    references: messageId === '' ? [] : [messageId],
    files: [],
    calendar: {
      method: 'REPLY',
      content: formatReply({
        event: invitation,
        guest,
        answer: itip[answer],
        comment: comment.trim(),
        now: new Date(),
      }),
    },
  });
}

/** Notifies a guest that the proposed time is declined. */
export async function declineProposal(counter: Invitation, messageId: string): Promise<void> {
  const [guest] = counter.guests;
  const { organizer } = counter;
  if (guest === undefined || organizer === null) throw new Error('RSVP failed');
  const from = { name: getUser().name, address: organizer.address.toLowerCase() };
  await sendMessage({
    from,
    to: [guest],
    cc: [],
    bcc: [],
    subject: `Proposed time declined: ${counter.summary || 'invitation'}`,
    text: `${from.name || from.address} cannot take the time you proposed. The event stays as it was.\n`,
    ...(messageId === '' ? {} : { inReplyTo: messageId }),
    references: messageId === '' ? [] : [messageId],
    files: [],
    calendar: {
      method: 'DECLINECOUNTER',
      content: formatDeclineCounter({ event: counter, guest, now: new Date() }),
    },
  });
}
