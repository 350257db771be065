// An organizer's actions on the card of an event: change it, cancel it, and accept or decline a
// time that a guest proposed. All guests are notified.
import type { Invitation } from '@keyfold/mail/ics/invitation';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../lib/language.ts';
import { AlertDialog } from '../../ui/AlertDialog.tsx';
import { Button } from '../../ui/Button.tsx';
import { showToast } from '../../ui/toasts.ts';
import { EventDialog, failureText } from './EventDialog.tsx';
import { type EventDraft, findEventDraft, toPlan } from './event-draft.ts';
import type { MailInvite } from './invite-queries.ts';
import type { InviteView } from './invite-view.ts';
import { declineProposal } from './respond.ts';
import { sendEvent } from './send-event.ts';

export type OrganizerActionsProps = {
  view: InviteView;
  /** The newest invitation sent for this event. */
  source: MailInvite;
  /** Message-ID of the message that contains the card. */
  messageId: string;
};

const failed = (error: unknown) => showToast({ tone: 'danger', text: failureText(error) });

/** Returns the draft with the time that a guest proposed. */
function withProposal(draft: EventDraft, counter: Invitation): EventDraft {
  const proposed = findEventDraft({ ...counter, repetition: null, recurrenceId: null });
  if (proposed === null) return draft;
  const { isAllDay, startDay, startTime, endDay, endTime, zone } = proposed;
  return { ...draft, isAllDay, startDay, startTime, endDay, endTime, zone };
}

/** Buttons below the card. */
export function OrganizerActions({ view, source, messageId }: OrganizerActionsProps) {
  const [isEditing, setEditing] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const event = source.read.kind === 'read' ? source.read.invitation : null;
  const draft = event === null ? null : findEventDraft(event);
  const work = useMutation({
    mutationFn: async (kind: 'cancel' | 'accept' | 'decline') => {
      if (event === null || draft === null || event.organizer === null) throw new Error('Something failed');
      if (kind === 'decline') {
        await declineProposal(view.invitation, messageId);
        return;
      }
      const next = kind === 'accept' ? withProposal(draft, view.invitation) : draft;
      await sendEvent({
        kind: kind === 'accept' ? 'update' : 'cancel',
        plan: toPlan(next, event.organizer, event),
        guests: event.guests.map(({ name, address }) => ({ name, address })),
        message: '',
      });
    },
    onError: failed,
    onSuccess: (_, kind) => {
      setAsking(false);
      showToast({
        tone: 'success',
        text:
          kind === 'cancel'
            ? t('Guests notified that the event is canceled')
            : kind === 'accept'
              ? t('Guests notified of the new time')
              : t('Guest notified that the time stays the same'),
      });
    },
  });
  if (event === null || draft === null) return null;
  if (view.kind === 'counter') {
    return (
      <div className="mt-2.5 flex flex-wrap gap-2 print:hidden">
        <Button
          size="sm"
          busy={work.isPending && work.variables === 'accept'}
          onClick={() => work.mutate('accept')}
        >
          {t('Accept new time')}
        </Button>
        <Button
          size="sm"
          variant="outline"
          busy={work.isPending && work.variables === 'decline'}
          onClick={() => work.mutate('decline')}
        >
          {t('Keep original time')}
        </Button>
      </div>
    );
  }
  if (view.kind !== 'own' || view.isPast) return null;
  return (
    <div className="mt-2.5 flex flex-wrap gap-2 print:hidden">
      <Button size="sm" variant="outline" onClick={() => setEditing(true)}>
        {t('Edit event')}
      </Button>
      <Button size="sm" variant="quietDanger" onClick={() => setAsking(true)}>
        {t('Cancel event')}
      </Button>
      {isEditing && (
        <EventDialog
          start={draft}
          guests={event.guests.map(({ name, address }) => ({ name, address }))}
          organizer={event.organizer ?? { name: '', address: '' }}
          before={event}
          onClose={() => setEditing(false)}
        />
      )}
      <AlertDialog
        open={isAsking}
        title={t('Cancel this event?')}
        confirmLabel={t('Cancel event')}
        cancelLabel={t('Keep event')}
        busy={work.isPending}
        onConfirm={() => work.mutate('cancel')}
        onCancel={() => setAsking(false)}
      >
        {t('Guests will be notified that the event is canceled.')}
      </AlertDialog>
    </div>
  );
}
