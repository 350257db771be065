// The composer's button that turns a draft into an invitation: its recipients become the guests,
// its text appears above the event. The form is a separate chunk, loaded when it is first opened.
import { CalendarPlus } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { t } from '../../lib/language.ts';
import { loadChunk } from '../../lib/load-chunk.ts';
import { IconButton } from '../../ui/IconButton.tsx';
import { newEventDraft } from './event-draft.ts';

type Person = { readonly name: string; readonly address: string };

export type InviteButtonProps = {
  guests: readonly Person[];
  organizer: Person;
  /** Subject of the draft, the initial title. */
  subject: string;
  /** Text of the draft. */
  message: string;
  isDisabled: boolean;
  /** Called when the draft was sent as an invitation and need not be sent itself. */
  onSent: () => void;
};

const EventForm = lazy(async () => ({
  default: (await loadChunk('event', () => import('./EventDialog.tsx'))).EventDialog,
}));

/** A person named in two fields is one guest, and the organizer is not a guest. */
function guestsOf(people: readonly Person[], organizer: Person): Person[] {
  const found = new Map(people.map(one => [one.address.trim().toLowerCase(), one] as const));
  found.delete(organizer.address.toLowerCase());
  return [...found.values()];
}

/** Opens the form. */
export function InviteButton({ guests, organizer, subject, message, isDisabled, onSent }: InviteButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <IconButton label={t('Create invitation')} disabled={isDisabled} onClick={() => setOpen(true)}>
        <CalendarPlus size={17} />
      </IconButton>
      {isOpen && (
        <Suspense>
          <EventForm
            start={newEventDraft(new Date(), subject)}
            guests={guestsOf(guests, organizer)}
            organizer={organizer}
            before={null}
            message={message}
            onClose={() => setOpen(false)}
            onSent={onSent}
          />
        </Suspense>
      )}
    </>
  );
}
