// Accept, Maybe and Decline as a segmented control. The answer can be changed at any time; a
// pending one shows a spinner.
import { Check, CircleHelp, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from '../../lib/class-names.ts';
import { t } from '../../lib/language.ts';
import { Spinner } from '../../ui/Spinner.tsx';
import type { RsvpAnswer } from './own-answers.ts';

export type AnswerButtonsProps = {
  answer: RsvpAnswer | null;
  busy: RsvpAnswer | null;
  /** For past events: answering is still possible but no longer prompted. */
  isQuiet: boolean;
  onAnswer: (answer: RsvpAnswer) => void;
};

const icons: Readonly<Record<RsvpAnswer, ReactNode>> = {
  accepted: <Check size={15} />,
  tentative: <CircleHelp size={15} />,
  declined: <X size={15} />,
};

export function AnswerButtons({ answer, busy, isQuiet, onAnswer }: AnswerButtonsProps) {
  const words: Readonly<Record<RsvpAnswer, string>> = {
    accepted: t('Accept'),
    tentative: t('Maybe'),
    declined: t('Decline'),
  };
  return (
    <fieldset className="flex w-full max-w-[340px] min-w-0 overflow-hidden rounded-control border border-line-strong">
      <legend className="sr-only">{t('Your answer')}</legend>
      {(['accepted', 'tentative', 'declined'] as const).map(one => (
        <button
          key={one}
          type="button"
          aria-pressed={answer === one}
          aria-busy={busy === one || undefined}
          aria-disabled={busy !== null || undefined}
          onClick={() => {
            if (busy === null) onAnswer(one);
          }}
          className={cn(
            'flex h-8 min-w-0 flex-1 items-center justify-center gap-1.5 border-s border-line-strong px-2 text-control font-semibold -outline-offset-2 transition-colors first-of-type:border-s-0 aria-disabled:opacity-70 pointer-coarse:h-11',
            answer === one
              ? 'bg-fill text-on-fill'
              : cn('bg-raised hover:bg-hover', isQuiet ? 'text-ink-2' : 'text-ink'),
          )}
        >
          {busy === one ? <Spinner size={15} /> : icons[one]}
          {words[one]}
        </button>
      ))}
    </fieldset>
  );
}
