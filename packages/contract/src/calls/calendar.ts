/**
 * Answers to invitations that Keyfold sent (docs/spec-map.md 7, docs/interpretations.md#78). The
 * server knows ids, attendees and answers, but not the event itself, which is in the sealed
 * message.
 */
import { z } from 'zod';
import { defineCall } from '../core/call.ts';
import { dataOf } from '../core/envelope.ts';
import { emailAddress, plainText, wholeNumber } from '../core/fields.ts';
import { ATTENDEES_MAX } from '../core/limits.ts';

const eventId = plainText(255).min(1);
export const RSVP_ANSWERS = ['accepted', 'declined', 'tentative'] as const;
const response = z.enum(RSVP_ANSWERS);
const sequence = wholeNumber(0, 2_000_000_000);

export const calendarCalls = {
  emailrsvp: defineCall({
    method: 'POST',
    path: '/auth/emailrsvp',
    access: 'public',
    about:
      'Answers an invitation that Keyfold sent, with the token in its link. The organizer is notified by mail.',
    input: z.object({ event_id: eventId, token: z.string().regex(/^[A-Za-z0-9_-]{16,1200}$/), response }),
    output: dataOf(z.object({ event_id: z.string(), attendee: z.string(), sequence: z.number(), response })),
    isRepeatable: true,
  }),
  tokens: defineCall({
    method: 'POST',
    path: '/user/event_tokens',
    access: 'user',
    about:
      'One token for each attendee of an event of the caller. Each token belongs in the invitation to that attendee only.',
    input: z.object({
      event_id: eventId,
      sequence,
      organizer: emailAddress,
      /** When the event, including all repetitions, is over; tokens are valid for one more year. */
      ends_at: z.iso.datetime().optional(),
      attendees: z.array(emailAddress).min(1).max(ATTENDEES_MAX),
    }),
    output: dataOf(z.array(z.object({ attendee: z.string(), token: z.string() }))),
  }),
} as const;
