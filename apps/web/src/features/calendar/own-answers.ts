// The user's answers to invitations, stored in one sealed record so that they survive a reload, are
// available on every device, and do not reveal to the server which events were answered
// (docs/adr/0013). Only the newest answers are kept.
import type { Invitation } from '@keyfold/mail/ics/invitation';
import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { findOwnRecord, isVersionConflict, saveOwnRecord } from '../../session/own-record.ts';
import { getUser } from '../../session/state/current-user.ts';

export type RsvpAnswer = 'accepted' | 'tentative' | 'declined';

const stored = z.object({
  answers: z.record(
    z.string(),
    z.object({ answer: z.enum(['accepted', 'tentative', 'declined']), sequence: z.number(), at: z.number() }),
  ),
});
type Stored = z.infer<typeof stored>['answers'];

const kind = 'setting';
const recordId = 'invitation_answers';
const MAX_ANSWERS = 2_000;
const SAVE_TRIES = 4;

type Loaded = { readonly version: number; readonly answers: Stored };

/** Returns the name of an event, or of one date of a series. */
const nameOf = ({ uid, recurrenceId }: Pick<Invitation, 'uid' | 'recurrenceId'>): string =>
  `${uid}|${recurrenceId?.value ?? ''}`;

async function load(): Promise<Loaded> {
  const found = await findOwnRecord(kind, recordId);
  if (found === null) return { version: 0, answers: {} };
  const opened = stored.safeParse(found.value);
  return { version: found.version, answers: opened.success ? opened.data.answers : {} };
}

/**
 * All answers of the user; the query key contains the user, since another user may sign in on the
 * page.
 */
export const ownAnswersQuery = () =>
  queryOptions({
    queryKey: ['own-answers', getUser().email],
    staleTime: 60_000,
    queryFn: load,
  });

/** Returns the answer to exactly this version of an event; an update needs a new answer. */
export function findOwnAnswer(
  loaded: Loaded | undefined,
  invitation: Pick<Invitation, 'uid' | 'recurrenceId' | 'sequence'>,
): RsvpAnswer | null {
  const one = loaded?.answers[nameOf(invitation)];
  return one !== undefined && one.sequence === invitation.sequence ? one.answer : null;
}

const newest = (answers: Stored): Stored =>
  Object.fromEntries(
    Object.entries(answers)
      .sort(([, left], [, right]) => right.at - left.at)
      .slice(0, MAX_ANSWERS),
  );

/** Stores an answer and preserves those of other devices. Returns all stored answers. */
export async function keepOwnAnswer(
  invitation: Pick<Invitation, 'uid' | 'recurrenceId' | 'sequence'>,
  answer: RsvpAnswer,
): Promise<Loaded> {
  for (let tries = SAVE_TRIES; ; tries -= 1) {
    const before = await load();
    const answers = newest({
      ...before.answers,
      [nameOf(invitation)]: { answer, sequence: invitation.sequence, at: Date.now() },
    });
    try {
      return { version: await saveOwnRecord(kind, recordId, before.version, { answers }), answers };
    } catch (error) {
      if (!isVersionConflict(error) || tries <= 1) throw error;
    }
  }
}
