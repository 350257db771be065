// Runs an action on an account and reports the result in a toast (docs/spec-map.md 4.33, 4.35,
// 8.15); after a success the dialog can close.
import { CallError } from '@keyfold/contract/client';
import { t } from '../../lib/language.ts';
import { showToast } from '../../ui/toasts.ts';
import { actionFailureText } from './admin-errors.ts';
import { levelWord } from './audit-words.ts';
import { planName } from './PlanShares.tsx';
import { type AccountAction, useAccountAction } from './queries.ts';

/** Returns the toast for a success. */
function successText(action: AccountAction, email: string): string {
  switch (action.kind) {
    case 'grant':
      return t('Successfully granted {level} admin role to {email}', {
        level: levelWord(action.level),
        email,
      });
    case 'revoke':
      return t('Successfully revoked admin role from {email}', { email });
    case 'suspend':
      return t('Successfully suspended {email}', { email });
    case 'unsuspend':
      return t('Successfully unsuspended {email}', { email });
    case 'release':
      return t('Released held mail of {email}', { email });
    case 'plan':
      return t('Successfully set the plan of {email} to {plan}', { email, plan: planName(action.plan) });
  }
}

/** Returns whether the server lacks this call (docs/interpretations.md#68). */
const isMissing = (kind: AccountAction['kind'], error: unknown): boolean =>
  kind === 'unsuspend' && error instanceof CallError && (error.status === 404 || error.status === 501);

export type RunAction = {
  run: (action: AccountAction) => void;
  /** The running action, or null. */
  running: AccountAction['kind'] | null;
};

/** `onDone` is called after a success. */
export function useRunAction(email: string, onDone: () => void): RunAction {
  const action = useAccountAction(email);
  return {
    running: action.isPending ? action.variables.kind : null,
    run: wanted =>
      action.mutate(wanted, {
        onSuccess: () => {
          showToast({ tone: 'success', text: successText(wanted, email) });
          onDone();
        },
        onError: error =>
          isMissing(wanted.kind, error)
            ? showToast({ tone: 'warning', text: t('Unsuspend functionality not yet implemented') })
            : showToast({ tone: 'danger', text: actionFailureText(wanted.kind, error) }),
      }),
  };
}
