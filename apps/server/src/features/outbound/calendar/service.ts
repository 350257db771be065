/**
 * Answers to invitations that Keyfold sent (docs/spec-map.md 7.18, docs/interpretations.md#78):
 * creates tokens for an organizer's guests and accepts an answer with such a token. The event
 * itself stays in the sealed message; this module sees only keyed digests, sequences and answers.
 */
import type { api, InputOf } from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import { normalizeAddress } from '@keyfold/mail/address-form';
import {
  EVENT_ANSWER_CHANGES_MAX,
  EVENT_GUESTS_MAX,
  EVENT_GUESTS_PER_USER_MAX,
  EVENT_TOKEN_KEPT_MAX_MS,
  EVENT_TOKEN_KEPT_MS,
} from '../../../base/limits.ts';
import type { Deps } from '../../../context/deps.ts';
import { addressesOf, findOwnersOf } from '../../accounts/users/index.ts';
import { sealNotice } from '../../inbound/ingest/index.ts';
import { lockMailboxes, storeMails } from '../../mailbox/messages/index.ts';
import { buildAnswerMail } from './answer-mail.ts';
import {
  countGuests,
  findNewestSequence,
  type GuestKey,
  lockGuest,
  noteInvited,
  setAnswer,
} from './store.ts';
import { createToken, readToken } from './token.ts';

type Answer = InputOf<typeof api.calendar.emailrsvp>;
type Answered = {
  readonly event_id: string;
  readonly attendee: string;
  readonly sequence: number;
  readonly response: Answer['response'];
};

const keyOf = (
  { masterKey }: Pick<Deps, 'masterKey'>,
  userId: string,
  eventId: string,
  attendee: string,
): GuestKey => ({
  userId,
  // Both digests include the organizer, so identical events of two users share no digest.
  eventDigest: masterKey.digest('event', userId, eventId),
  guestDigest: masterKey.digest('event guest', userId, eventId, attendee),
});

function refuse(): never {
  throw new AppError('rsvp_refused');
}

/**
 * Creates one token per guest. Throws sender_refused when the organizer is not one of the caller's
 * addresses, and limit_reached when the event, or all events of the caller together, have too many
 * guests. In that case nothing is written.
 */
export async function createTokens(
  deps: Deps,
  userId: string,
  input: InputOf<typeof api.calendar.tokens>,
): Promise<{ readonly attendee: string; readonly token: string }[]> {
  const { db, clock, masterKey } = deps;
  const organizer = normalizeAddress(input.organizer);
  if (!(await addressesOf(db, userId)).includes(organizer)) throw new AppError('sender_refused');
  const now = clock.now().getTime();
  const endsAt = input.ends_at === undefined ? now : Math.max(now, Date.parse(input.ends_at));
  const expiresAt = Math.min(endsAt + EVENT_TOKEN_KEPT_MS, now + EVENT_TOKEN_KEPT_MAX_MS);
  const attendees = [...new Set(input.attendees.map(normalizeAddress))];
  const key = { userId, eventDigest: keyOf(deps, userId, input.event_id, '').eventDigest };
  await db.transaction().execute(async trx => {
    // Locks the mailbox before the guests' rows, in the same order as an answer, so that concurrent
    // calls count each other's rows.
    await lockMailboxes(trx, [userId]);
    const newest = await findNewestSequence(trx, key);
    if (newest !== null && newest > input.sequence) refuse();
    await noteInvited(
      trx,
      attendees.map(attendee => keyOf(deps, userId, input.event_id, attendee)),
      input.sequence,
      new Date(expiresAt),
    );
    const { ofEvent, ofUser } = await countGuests(trx, key);
    if (ofEvent > EVENT_GUESTS_MAX || ofUser > EVENT_GUESTS_PER_USER_MAX) throw new AppError('limit_reached');
  });
  return attendees.map(attendee => ({
    attendee,
    token: createToken(masterKey, input.event_id, {
      attendee,
      organizer,
      userId,
      sequence: input.sequence,
      expiresAt,
    }),
  }));
}

/**
 * Stores an answer and delivers a sealed REPLY to the organizer in the same transaction. Repeating
 * the same answer changes nothing and sends nothing. Throws rsvp_refused unless the token is valid
 * and has the newest sequence.
 */
export async function takeAnswer(deps: Deps, { event_id, token, response }: Answer): Promise<Answered> {
  const { db, clock, masterKey } = deps;
  const now = clock.now();
  const claims = readToken(masterKey, event_id, token);
  if (claims === null || claims.expiresAt <= now.getTime()) return refuse();
  const { attendee, organizer, userId, sequence } = claims;
  const answered = { event_id, attendee, sequence, response };
  const key = keyOf(deps, userId, event_id, attendee);
  await db.transaction().execute(async trx => {
    const boxes = await lockMailboxes(trx, [userId]);
    const guest = await lockGuest(trx, key);
    const newest = await findNewestSequence(trx, key);
    if (guest === null || newest === null || newest > sequence || guest.sequence !== sequence) refuse();
    if (guest?.response === response) return;
    // A guest who keeps changing the answer must not fill a mailbox.
    if ((guest?.changes ?? 0) >= EVENT_ANSWER_CHANGES_MAX) refuse();
    const owner = (await findOwnersOf(trx, [organizer])).get(organizer);
    if (owner?.userId !== userId || owner.isSuspended) return refuse();
    await setAnswer(trx, key, response, now);
    const raw = buildAnswerMail({
      eventId: event_id,
      sequence,
      attendee,
      organizer,
      response,
      hostname: deps.config.hostname,
      now,
    });
    await storeMails(trx, [await sealNotice(deps, { raw, recipient: owner, receivedAt: now })], boxes);
  });
  return answered;
}
