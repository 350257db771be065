// A failed call: what failed, in the specification's words, and why, in the server's.
import { CallError } from '@keyfold/contract/client';
import { t } from '../../lib/language.ts';
import { callErrorText } from './error-text.ts';

/** Refusals that need no further explanation. */
const whole: ReadonlySet<string> = new Set([
  'billing_off',
  'cancel_failed',
  'checkout_failed',
  'domain_limit_reached',
  'domain_primary',
  'payment_refused',
  'portal_failed',
  'resume_failed',
  'upgrade_refused',
]);

type CallFailureProps = {
  /** Translated, for example "Failed to create address". */
  title: string;
  error: unknown;
};

/** Renders an announced line; nothing without an error. */
export function CallFailure({ title, error }: CallFailureProps) {
  if (error === null || error === undefined) return null;
  const reason = callErrorText(error);
  const isWhole = error instanceof CallError && whole.has(error.code);
  return (
    <p role="alert" className="text-control text-danger">
      {isWhole ? (
        reason
      ) : (
        <>
          <span className="font-semibold">{title}</span>
          {reason !== t('Something failed') && <span className="block">{reason}</span>}
        </>
      )}
    </p>
  );
}
