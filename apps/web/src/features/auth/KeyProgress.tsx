// Step 2 of sign-up: the progress of key generation, in four lines. docs/spec-map.md 1.
import { Check } from 'lucide-react';
import { cn } from '../../lib/class-names.ts';
import { t } from '../../lib/language.ts';
import { Progress } from '../../ui/Progress.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { Stepper } from '../../ui/Stepper.tsx';
import { signupSteps } from './SignupScreen.tsx';

type KeyProgressProps = {
  /** Index of the running line, 0 to 3; 4 when all are done. */
  current: number;
  /** The address being created. */
  email: string;
};

const lines = (email: string) => [
  { title: t('Strengthening your password'), hint: t('Makes guessing your password slow and costly') },
  {
    title: t('Creating a key pair (ML-KEM-1024 and X25519)'),
    hint: t('One protects against today’s computers, one against quantum computers'),
  },
  {
    title: t('Locking the private keys with your password'),
    hint: t('The server stores only the locked copy'),
  },
  { title: t('Creating {email}', { email }), hint: '' },
];

/** Shows the list on a card; it has no controls. */
export function KeyProgress({ current, email }: KeyProgressProps) {
  const steps = lines(email);
  const done = Math.min(current, steps.length);
  return (
    <>
      <div className="mb-6">
        <Stepper steps={signupSteps()} current={1} />
      </div>
      <h1 className="mb-1 text-page font-semibold tracking-tight">{t('Creating your keys')}</h1>
      <p className="mb-5 text-ink-2">
        {t('This happens on your device and takes a few seconds. Keep this tab open.')}
      </p>
      <ol className="flex flex-col gap-3">
        {steps.map(({ title, hint }, index) => (
          <li
            key={hint || 'create'}
            aria-current={index === current ? 'step' : undefined}
            className={cn('flex items-start gap-3', index > current && 'text-ink-3')}
          >
            <span
              aria-hidden
              className={cn(
                'grid size-6 shrink-0 place-items-center rounded-full',
                index < current
                  ? 'bg-success-bg text-success'
                  : index === current
                    ? 'bg-selected text-accent-text'
                    : 'bg-well',
              )}
            >
              {index < current && <Check size={14} strokeWidth={3} />}
              {index === current && <Spinner size={14} />}
            </span>
            <div className="min-w-0">
              <div className="font-medium break-words">{title}</div>
              {hint !== '' && <div className="text-control text-ink-3">{hint}</div>}
            </div>
          </li>
        ))}
      </ol>
      <div className="mt-6">
        <Progress label={t('Progress')} thick value={((done + 0.5) / (steps.length + 0.5)) * 100} />
      </div>
      <p role="status" className="sr-only">
        {t('Step {number} of {count}', { number: Math.min(done + 1, steps.length), count: steps.length })}
      </p>
    </>
  );
}
