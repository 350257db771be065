// The card of an invitation, above the text of its message: what, when, where, who, how often, and
// the possible answers. Untrusted texts are shown as plain text, never as markup (docs/spec-map.md
// 4, 8, 9).
import { Download, TriangleAlert } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { cn } from '../../lib/class-names.ts';
import { t } from '../../lib/language.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { LiveRegion } from '../../ui/LiveRegion.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { AnswerButtons } from './AnswerButtons.tsx';
import { DateTile, EventDetails } from './EventDetails.tsx';
import type { InviteView } from './invite-view.ts';
import { ownAnswerWords } from './invite-words.ts';
import type { RsvpAnswer } from './own-answers.ts';

export type InviteCardProps = {
  view: InviteView;
  /**
   * The sender of the message could not be authenticated (DMARC): the user is warned before
   * answering (docs/interpretations.md#93).
   */
  isSenderDoubtful: boolean;
  busy: RsvpAnswer | null;
  hasFailed: boolean;
  onAnswer: (answer: RsvpAnswer, comment: string) => void;
  onRetry: () => void;
  /** Saves the calendar file. */
  onDownload: () => void;
  /** Buttons for the organizer. */
  organizerActions?: ReactNode;
};

function Answering({ view, busy, hasFailed, onAnswer, onRetry }: InviteCardProps) {
  const [note, setNote] = useState<string | null>(null);
  const { answer, isPast, invitation } = view;
  return (
    <div className="mt-3 flex flex-col gap-2.5 print:hidden">
      {note !== null && (
        <TextField
          label={t('Note to the organizer')}
          value={note}
          onChange={setNote}
          maxLength={500}
          autoFocus
        />
      )}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <AnswerButtons
          answer={answer}
          busy={busy}
          isQuiet={isPast}
          onAnswer={one => {
            onAnswer(one, note ?? '');
          }}
        />
        {answer !== null && busy === null && (
          <span className="text-control font-medium text-ink-2">{ownAnswerWords(answer)}</span>
        )}
        {note === null && !isPast && (
          <Button variant="quiet" size="sm" onClick={() => setNote('')}>
            {t('Add a note')}
          </Button>
        )}
      </div>
      {hasFailed && (
        <p role="alert" className="flex flex-wrap items-center gap-2 text-control font-medium text-danger">
          {t('RSVP failed')}
          <Button variant="inheritOutline" size="xs" onClick={onRetry}>
            {t('Try again')}
          </Button>
        </p>
      )}
      <LiveRegion
        text={
          answer !== null && busy === null && !hasFailed
            ? t('{what}: {why}', { what: ownAnswerWords(answer), why: view.title || invitation.uid })
            : ''
        }
      />
    </div>
  );
}

export function InviteCard(props: InviteCardProps) {
  const { view, isSenderDoubtful, organizerActions, onDownload } = props;
  const { kind, invitation } = view;
  const { organizer, hasTime } = invitation;
  const isQuiet = kind === 'cancelled' || kind === 'outdated' || view.isPast;
  const canAnswer = kind === 'ask';
  return (
    <section
      aria-label={t('Calendar invitation')}
      className={cn(
        'mt-1 mb-3.5 rounded-card border border-line bg-well px-4 py-3.5 max-pane:px-3.5',
        isQuiet && 'text-ink-2',
      )}
    >
      <div className="-mt-1 mb-1 flex items-center justify-between gap-2">
        <p className="text-[11px] leading-4 font-semibold tracking-wider text-ink-2">
          {t('CALENDAR INVITATION')}
        </p>
        <IconButton
          size="sm"
          label={t('Download .ics')}
          className="-me-1.5 print:hidden"
          onClick={onDownload}
        >
          <Download size={15} />
        </IconButton>
      </div>
      <div className="flex gap-4 max-pane:gap-3">
        {hasTime && <DateTile moment={(invitation.next ?? invitation).start} isQuiet={isQuiet} />}
        <EventDetails view={view} />
      </div>
      <div className={cn(hasTime && 'ps-[68px] max-pane:ps-0')}>
        {isSenderDoubtful && (canAnswer || organizerActions !== undefined) && (
          <div className="mt-2.5">
            <Banner
              tone="warn"
              icon={<TriangleAlert size={16} />}
              title={t('The sender of this invitation can’t be confirmed')}
            >
              {t('This invitation may be forged. If you answer, {address} learns that you read it.', {
                address: organizer?.address ?? '',
              })}
            </Banner>
          </div>
        )}
        {canAnswer && <Answering {...props} />}
        {organizerActions}
      </div>
    </section>
  );
}
