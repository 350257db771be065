// Sends an invitation, an update or a cancellation: one message per guest, because each guest gets
// a separate token for the answer (docs/interpretations.md#78). External guests also get a link,
// whose fragment contains the data for the answer page.
import {
  type EventPlan,
  findEventThreadId,
  formatEvent,
  type InvitedGuest,
} from '@keyfold/mail/ics/compose-event';
import { type Invitation, readInvitation } from '@keyfold/mail/ics/invitation';
import { readerZone } from '../../lib/wall-time.ts';
import { calendarClient } from '../../session/calls/clients/calendar.ts';
import { serverOrigin } from '../../session/calls/server-origin.ts';
import { formatSpan, messageLocale } from './event-dates.ts';
import { repeatWords } from './repeat-words.ts';
import { rsvpLink } from './rsvp-link.ts';
import { findUnknown, sendMessage } from './send-message.ts';

export type EventSend = {
  readonly kind: 'invite' | 'update' | 'cancel';
  readonly plan: EventPlan;
  readonly guests: readonly InvitedGuest[];
  /** Guests to send to, if not all. */
  readonly to?: readonly InvitedGuest[];
  /** Text by the organizer above the event. */
  readonly message: string;
};

/** Guests whom an invitation did not reach. */
export class GuestsMissedError extends Error {
  override readonly name = 'GuestsMissedError';
  readonly guests: readonly InvitedGuest[];

  constructor(guests: readonly InvitedGuest[], cause: unknown) {
    super(cause instanceof Error ? cause.message : 'Something failed', { cause });
    this.guests = guests;
  }
}

/** Guests whose address does not exist: no invitation was sent. */
export class UnknownGuestsError extends Error {
  override readonly name = 'UnknownGuestsError';
  readonly addresses: readonly string[];

  constructor(addresses: readonly string[]) {
    super('One guest’s address doesn’t exist');
    this.addresses = addresses;
  }
}

const subjects = { invite: 'Invitation', update: 'Changed invitation', cancel: 'Cancelled' } as const;

/** Describes the plan by parsing the data to be sent, so that both cannot differ. */
function readBack(plan: EventPlan): Invitation {
  const text = formatEvent({ method: 'REQUEST', plan, guests: [], now: new Date() });
  return readInvitation(new TextEncoder().encode(text), { now: new Date(), zone: readerZone() });
}

function textOf({ kind, plan, message }: EventSend, event: Invitation, link: string | null): string {
  const zone = event.start.zone ?? readerZone();
  const lines = [
    ...(message.trim() === '' ? [] : [message.trim(), '']),
    ...(kind === 'cancel'
      ? ['This event was canceled.', '']
      : kind === 'update'
        ? ['This event was updated.', '']
        : []),
    plan.summary,
    `${formatSpan(event.start, event.end, zone, messageLocale)}${plan.isAllDay ? '' : ` (${zone})`}`,
    ...(event.repetition === null ? [] : [repeatWords(event.repetition)]),
    ...(plan.location === '' ? [] : [plan.location]),
    ...(plan.description === '' ? [] : ['', plan.description]),
    ...(link === null ? [] : ['', 'Answer here:', link]),
    '',
  ];
  return lines.join('\n');
}

async function tokensFor(
  { kind, plan, guests }: EventSend,
  event: Invitation,
): Promise<ReadonlyMap<string, string>> {
  if (kind === 'cancel' || guests.length === 0) return new Map();
  const { repetition, end } = event;
  const lastAt =
    repetition === null
      ? end.instant
      : (repetition.until?.instant ?? new Date(Date.now() + 5 * 366 * 86_400_000).toISOString());
  const { data } = await calendarClient.tokens({
    event_id: plan.uid,
    sequence: plan.sequence,
    organizer: plan.organizer.address,
    attendees: guests.map(({ address }) => address),
    ends_at: lastAt,
  });
  return new Map(data.map(({ attendee, token }) => [attendee, token]));
}

/**
 * Sends to every guest. Rejects with GuestsMissedError naming the guests who got nothing; the
 * others have it. A new invitation is sent to no guest while one guest's address does not exist
 * (UnknownGuestsError): all guests receive the guest list, so the user must correct it first.
 */
export async function sendEvent(input: EventSend): Promise<void> {
  const { kind, plan, guests, to = guests } = input;
  const unknown = kind === 'invite' ? await findUnknown(to.map(({ address }) => address)) : [];
  if (unknown.length > 0) throw new UnknownGuestsError(unknown);
  const event = readBack(plan);
  const tokens = await tokensFor(input, event);
  const thread = findEventThreadId(plan.uid);
  const missed: InvitedGuest[] = [];
  let cause: unknown = null;
  for (const guest of to) {
    const token = tokens.get(guest.address.trim().toLowerCase()) ?? null;
    const link =
      token === null
        ? null
        : rsvpLink(serverOrigin(), {
            eventId: plan.uid,
            token,
            title: plan.summary,
            when: formatSpan(event.start, event.end, event.start.zone ?? readerZone(), messageLocale),
          });
    try {
      await sendMessage({
        from: plan.organizer,
        to: [{ name: guest.name, address: guest.address }],
        cc: [],
        bcc: [],
        subject: `${subjects[kind]}: ${plan.summary}`,
        text: textOf(input, event, link),
        references: thread === null ? [] : [thread],
        ...(thread === null ? {} : { inReplyTo: thread }),
        files: [],
        calendar: {
          method: kind === 'cancel' ? 'CANCEL' : 'REQUEST',
          content: formatEvent({
            method: kind === 'cancel' ? 'CANCEL' : 'REQUEST',
            plan,
            // All guests see who is invited; each token is only in the message to its guest.
            guests: guests.map(one => ({ ...one, token: one.address === guest.address ? token : null })),
            now: new Date(),
          }),
        },
      });
    } catch (error) {
      missed.push(guest);
      cause = error;
    }
  }
  if (missed.length > 0) throw new GuestsMissedError(missed, cause);
}
