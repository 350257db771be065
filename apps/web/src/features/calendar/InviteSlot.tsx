// The card of one mail, connected: what the reader answered, sending an answer, keeping it, and saying when it failed.
import type { Invitation } from '@keyfold/mail/ics/invitation';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { t } from '../../lib/language.ts';
import { runLocked } from '../../session/calls/operation-locks.ts';
import { BrokenInvite } from './BrokenInvite.tsx';
import { InviteCard } from './InviteCard.tsx';
import type { MailInvite } from './invite-queries.ts';
import { toInviteView } from './invite-view.ts';
import { OrganizerActions } from './OrganizerActions.tsx';
import { OwnAnswerLine } from './OwnAnswerLine.tsx';
import { findOwnAnswer, keepOwnAnswer, ownAnswersQuery, type RsvpAnswer } from './own-answers.ts';
import { sendAnswer } from './respond.ts';

export type InviteSlotProps = {
  invite: MailInvite;
  /** All calendar mails of the conversation. */
  all: readonly MailInvite[];
  ownAddresses: ReadonlySet<string>;
  isSenderDoubtful: boolean;
  /** Saves the calendar file, for a calendar elsewhere. */
  onDownload: () => void;
};

/** `user+tag@` is the user's too. */
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
    // Without a connection it fails and says so, in place of waiting with a spinner.
    networkMode: 'always',
    mutationFn: async ({ answer, comment }: { answer: RsvpAnswer; comment: string }) => {
      if (me === null) throw new Error('RSVP failed');
      await runLocked(t('RSVP'), invite.mailId, () =>
        sendAnswer({ invitation, me, answer, comment, messageId: invite.messageId }),
      );
      return answer;
    },
    onSuccess: async answer => {
      // The organiser has it: that it could not be written down here must not look like a failed answer.
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

/** The card, the line of an answer that was sent, or the sentence that there is none to show. */
export function InviteSlot(props: InviteSlotProps) {
  const { read } = props.invite;
  if (read.kind === 'refused') return <BrokenInvite reason={read.reason} />;
  return <ReadInviteCard {...props} invitation={read.invitation} />;
}
