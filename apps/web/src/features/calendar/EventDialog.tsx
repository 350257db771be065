// The event form: a new invitation to the recipients of a draft, or a change to one that was sent.
// Sends one message per guest itself; failed ones can be retried.
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../lib/language.ts';
import { joinNames, joinSentences } from '../../lib/words.ts';
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
  /** The version being changed; null for a new event. */
  before: { readonly uid: string; readonly sequence: number } | null;
  /** Text above the event. */
  message?: string;
  onClose: () => void;
  /** Called after all guests were sent the invitation. */
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

/** The error is at the end of a form that is taller than a phone screen. */
const bringIntoView = (failure: HTMLElement | null) => failure?.scrollIntoView({ block: 'nearest' });

/** Describes why sending failed: unknown addresses, guests without the message, or the error. */
export function failureText(error: unknown): string {
  if (error instanceof UnknownGuestsError)
    return joinSentences(
      ...error.addresses.map(address => t('The address {address} doesn’t exist.', { address })),
      t(
        '{count, plural, one {Correct or remove it before you send.} other {Correct or remove them before you send.}}',
        { count: error.addresses.length },
      ),
    );
  if (error instanceof GuestsMissedError)
    return t('Couldn’t send to {names}. {reason}', {
      names: joinNames(error.guests.map(({ name, address }) => name || address)),
      reason: callErrorText(error.cause),
    });
  return callErrorText(error);
}

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
  const zoneProblem =
    draft.isAllDay || isZone(draft.zone) ? undefined : t('Unknown time zone. Choose one from the list.');
  // Retries must send the same event: the UID must not change between attempts.
  const [identity] = useState(() => toPlan(start, organizer, before));
  const sending = useMutation({
    mutationFn: async (to: readonly Person[]) => {
      const plan = { ...toPlan(draft, organizer, before), uid: identity.uid };
      await sendEvent({ kind: before === null ? 'invite' : 'update', plan, guests, to, message });
    },
    onSuccess: () => {
      showToast({
        tone: 'success',
        text: before === null ? t('Invitation sent') : t('Guests notified of the change'),
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
      title={before === null ? t('New invitation') : t('Edit event')}
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
                  : t('Send update')}
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
            ? t('To invite guests, add them as recipients of the message first.')
            : t(
                '{count, plural, one {# guest will receive a message: {names}} other {# guests will each receive a separate message: {names}}}',
                {
                  count: guests.length,
                  names: joinNames(guests.map(({ name, address }) => name || address)),
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
