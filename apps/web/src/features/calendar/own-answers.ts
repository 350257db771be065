// What the reader answered to which invitation, kept as one sealed record so that it is there after a reload and on every
// device, and the server cannot tell which events were answered (docs/adr "Invitations"). The newest answers are kept.
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

/** One name for an event, or for one date of a series. */
const nameOf = ({ uid, recurrenceId }: Pick<Invitation, 'uid' | 'recurrenceId'>): string =>
  `${uid}|${recurrenceId?.value ?? ''}`;

async function load(): Promise<Loaded> {
  const found = await findOwnRecord(kind, recordId);
  if (found === null) return { version: 0, answers: {} };
  const opened = stored.safeParse(found.value);
  return { version: found.version, answers: opened.success ? opened.data.answers : {} };
}

/** All answers of the reader; of whom is part of the name, since the page may change hands. */
export const ownAnswersQuery = () =>
  queryOptions({
    queryKey: ['own-answers', getUser().email],
    staleTime: 60_000,
    queryFn: load,
  });

/** The answer to this very version of an event; an update asks anew. */
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

/** Keeps an answer; another device's answers stay. Gives back what is kept now. */
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
