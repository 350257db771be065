// Progress through a short series of steps: bars for sign-up, named boxes for wizards.
import { Check } from 'lucide-react';
import { cn } from '../lib/class-names.ts';
import { t } from '../lib/language.ts';

type StepperProps = {
  steps: readonly string[];
  /** Index of the current step; those before it are done. */
  current: number;
  named?: boolean;
};

/** Renders the steps in order; the current one is marked for screen readers too. */
export function Stepper({ steps, current, named = false }: StepperProps) {
  if (!named) {
    return (
      <ol
        aria-label={t('Step {number} of {count}', { number: current + 1, count: steps.length })}
        className="flex gap-1.5"
      >
        {steps.map((step, index) => (
          <li
            key={step}
            aria-current={index === current ? 'step' : undefined}
            className={cn('h-1 flex-1 rounded-full', index <= current ? 'bg-fill' : 'bg-line')}
          >
            <span className="sr-only">{step}</span>
          </li>
        ))}
      </ol>
    );
  }
  return (
    <ol className="flex gap-2 text-control max-pane:grid max-pane:grid-cols-2">
      {steps.map((step, index) => (
        <li
          key={step}
          aria-current={index === current ? 'step' : undefined}
          className={cn(
            'flex flex-1 items-center gap-2 rounded-control border px-3 py-2 font-medium',
            index === current && 'border-accent bg-selected text-accent-text',
            index < current && 'border-line bg-surface text-success',
            index > current && 'border-line text-ink-3',
          )}
        >
          <span
            aria-hidden
            className={cn(
              'grid size-5 shrink-0 place-items-center rounded-full text-tiny font-semibold',
              index === current ? 'bg-fill text-on-fill' : index < current ? 'bg-success-bg' : 'bg-well',
            )}
          >
            {index < current ? <Check size={12} strokeWidth={3} /> : index + 1}
          </span>
          {step}
          {index < current && <span className="sr-only">{t(', done')}</span>}
        </li>
      ))}
    </ol>
  );
}
