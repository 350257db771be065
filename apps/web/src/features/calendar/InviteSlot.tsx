// The connected card of one message: the user's answer, sending it, storing it, and errors.

import type { IcsErrorCode } from '@keyfold/mail/ics/error';
import type { Invitation } from '@keyfold/mail/ics/invitation';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CalendarCheck } from 'lucide-react';
import { useMemo } from 'react';
import { t, term } from '../../lib/language.ts';
import { runLocked } from '../../session/calls/operation-locks.ts';
import { InviteCard } from './InviteCard.tsx';
import type { MailInvite } from './invite-queries.ts';
import { type InviteView, toInviteView } from './invite-view.ts';
import { ownAnswerWords, stateWords } from './invite-words.ts';
import { OrganizerActions } from './OrganizerActions.tsx';
import { findOwnAnswer, keepOwnAnswer, ownAnswersQuery, type RsvpAnswer } from './own-answers.ts';
import { sendAnswer } from './respond.ts';

export type InviteSlotProps = {
  invite: MailInvite;
  /** All calendar messages of the conversation. */
  all: readonly MailInvite[];
  ownAddresses: ReadonlySet<string>;
  isSenderDoubtful: boolean;
  /** Saves the calendar file, for use in another calendar. */
  onDownload: () => void;
};

/** `user+tag@` also belongs to the user. */
function isOwn(own: ReadonlySet<string>, address: string): boolean {
  const plain = address.toLowerCase();
  return own.has(plain) || own.has(plain.replace(/\+[^@]*@/, '@'));
}

function ReadInviteCard({
  invite,
  invitation,
  all,
  ownAddresses,
  isSenderDoubtful,
  onDownload,
}: InviteSlotProps & { invitation: Invitation }) {
  const cache = useQueryClient();
  const query = ownAnswersQuery();
  const { data: kept } = useQuery(query);
  const view = useMemo(
    () =>
      toInviteView(
        invite,
        invitation,
        all,
        address => isOwn(ownAddresses, address),
        findOwnAnswer(kept, invitation),
      ),
    [invite, invitation, all, ownAddresses, kept],
  );
  const { me } = view;
  const answering = useMutation({
    // Without a connection it fails with an error instead of waiting with a spinner.
    networkMode: 'always',
    mutationFn: async ({ answer, comment }: { answer: RsvpAnswer; comment: string }) => {
      if (me === null) throw new Error('RSVP failed');
      await runLocked(t('RSVP'), invite.mailId, () =>
        sendAnswer({ invitation, me, answer, comment, messageId: invite.messageId }),
      );
      return answer;
    },
    onSuccess: async answer => {
      // The organizer has the answer: failing to store it here must not look like a failed answer.
      const now = await keepOwnAnswer(invitation, answer).catch(() => null);
      if (now !== null) cache.setQueryData(query.queryKey, now);
    },
  });
  if (view.kind === 'ownAnswer' || view.kind === 'ownRefusal') return <OwnAnswerLine view={view} />;
  const sent = answering.data ?? null;
  return (
    <InviteCard
      view={sent !== null ? { ...view, answer: sent } : view}
      isSenderDoubtful={isSenderDoubtful}
      onDownload={onDownload}
      busy={answering.isPending ? answering.variables.answer : null}
      hasFailed={answering.isError}
      onAnswer={(answer, comment) => answering.mutate({ answer, comment })}
      onRetry={() => {
        if (answering.variables !== undefined) answering.mutate(answering.variables);
      }}
      {...(view.isOrganizer && view.source !== null
        ? {
            organizerActions: (
              <OrganizerActions view={view} source={view.source} messageId={invite.messageId} />
            ),
          }
        : {})}
    />
  );
}

/** Shows the card, the line for a sent answer, or the text that there is none to show. */
export function InviteSlot(props: InviteSlotProps) {
  const { read } = props.invite;
  if (read.kind === 'refused') return <BrokenInvite reason={read.reason} />;
  return <ReadInviteCard {...props} invitation={read.invitation} />;
}

const brokenTexts = {
  not_calendar: term('Invalid calendar data.'),
  no_event: term('Event details could not be parsed.'),
  bad_event: term('Error parsing event details.'),
} as const satisfies Record<IcsErrorCode, string>;

/**
 * Shows the eyebrow and one of three sentences (docs/spec-map.md 8.29). The file itself stays among
 * the attachments.
 */
function BrokenInvite({ reason }: { reason: IcsErrorCode }) {
  return (
    <section
      aria-label={t('Calendar invitation')}
      className="mt-1 mb-3.5 rounded-card border border-line bg-well px-4 py-3.5 text-ink-2"
    >
      <p className="mb-1 text-[11px] leading-4 font-semibold tracking-wider">{t('CALENDAR INVITATION')}</p>
      <p className="text-control">{t(brokenTexts[reason])}</p>
    </section>
  );
}

/**
 * "You accepted" or "You kept the old time", with the event: shown in the message that the user
 * sent; the card belongs to the invitation.
 */
function OwnAnswerLine({ view }: { view: InviteView }) {
  const { answer, title } = view;
  return (
    <p className="mb-3 flex items-center gap-2 text-control text-ink-2">
      <CalendarCheck aria-hidden size={15} className="shrink-0" />
      <span className="shrink-0 font-medium">
        {answer === null ? stateWords(view) : ownAnswerWords(answer)}
      </span>
      <bdi className="min-w-0 truncate">{title}</bdi>
    </p>
  );
}
