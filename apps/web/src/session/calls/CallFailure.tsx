// What failed, in the words of the specification, and why, in those of the server.
import { CallError } from '@keyfold/contract/client';
import { t } from '../../lib/language.ts';
import { callErrorText } from './error-text.ts';

/** Refusals that say all there is to say. */
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
  /** Translated, such as "Failed to create address". */
  title: string;
  error: unknown;
};

/** An announced line; nothing without an error. */
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
