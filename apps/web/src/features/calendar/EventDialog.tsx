// The form of an event: a new invitation to the people of a letter, or a change of one that was sent. Sends it itself, one
// mail for each guest; what failed for some can be tried again for those.
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../lib/language.ts';
import { callErrorText } from '../../session/calls/error-text.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { showToast } from '../../ui/toasts.ts';
import { EventFields } from './EventFields.tsx';
import { type EventDraft, findDraftProblems, toPlan } from './event-draft.ts';
import { GuestsMissedError, sendEvent, UnknownGuestsError } from './send-event.ts';

type Person = { readonly name: string; readonly address: string };

export type EventDialogProps = {
  start: EventDraft;
  guests: readonly Person[];
  organizer: Person;
  /** The version that is changed; null for a new event. */
  before: { readonly uid: string; readonly sequence: number } | null;
  /** Words above the event. */
  message?: string;
  onClose: () => void;
  /** After everybody was sent it. */
  onSent?: () => void;
};

function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

/** It stands at the end of a form that is longer than a phone. */
const bringIntoView = (failure: HTMLElement | null) => failure?.scrollIntoView({ block: 'nearest' });

function failureText(error: Error): string {
  if (error instanceof UnknownGuestsError)
    return [
      ...error.addresses.map(address => t('Nobody has the address {address}.', { address })),
      t('Correct it or remove it before you send.'),
    ].join(' ');
  if (error instanceof GuestsMissedError)
    return t('Not sent to {names}. {reason}', {
      names: error.guests.map(({ name, address }) => name || address).join(', '),
      reason: error.message,
    });
  return callErrorText(error);
}

/** The dialog. */
export function EventDialog({
  start,
  guests,
  organizer,
  before,
  message = '',
  onClose,
  onSent,
}: EventDialogProps) {
  const [draft, setDraft] = useState(start);
  const [showsProblems, setShowsProblems] = useState(false);
  const change = (fields: Partial<EventDraft>) => setDraft(now => ({ ...now, ...fields }));
  const problems = findDraftProblems(draft);
  const zoneProblem = draft.isAllDay || isZone(draft.zone) ? undefined : t('This time zone is not known.');
  // One event, however often it has to be sent: the UID must not change between two tries.
  const [identity] = useState(() => toPlan(start, organizer, before));
  const sending = useMutation({
    mutationFn: async (to: readonly Person[]) => {
      const plan = { ...toPlan(draft, organizer, before), uid: identity.uid };
      await sendEvent({ kind: before === null ? 'invite' : 'update', plan, guests, to, message });
    },
    onSuccess: () => {
      showToast({
        tone: 'success',
        text: before === null ? t('Invitation sent') : t('The guests are told of the change.'),
      });
      onSent?.();
      onClose();
    },
  });
  const missed = sending.error instanceof GuestsMissedError ? sending.error.guests : guests;
  const submit = () => {
    setShowsProblems(true);
    if (Object.keys(problems).length === 0 && zoneProblem === undefined && guests.length > 0)
      sending.mutate(missed);
  };
  return (
    <Dialog
      open
      onClose={onClose}
      locked={sending.isPending}
      title={before === null ? t('New invitation') : t('Change event')}
      footer={
        <>
          <Button variant="outline" disabled={sending.isPending} onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button busy={sending.isPending} disabled={guests.length === 0} onClick={submit}>
            {sending.isPending
              ? t('Sending…')
              : sending.isError
                ? t('Try again')
                : before === null
                  ? t('Send invitation')
                  : t('Send change')}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <EventFields
          draft={draft}
          problems={showsProblems ? problems : {}}
          zoneProblem={showsProblems ? zoneProblem : undefined}
          onChange={change}
        />
        <p className="text-control text-ink-2">
          {guests.length === 0
            ? t('Name the guests as recipients of the mail first.')
            : t(
                '{count, plural, one {One guest gets a mail of their own: {names}} other {# guests get a mail each: {names}}}',
                {
                  count: guests.length,
                  names: guests.map(({ name, address }) => name || address).join(', '),
                },
              )}
        </p>
        {sending.isError && (
          <p ref={bringIntoView} role="alert" className="text-control font-medium text-danger">
            {failureText(sending.error)}
          </p>
        )}
      </div>
    </Dialog>
  );
}
