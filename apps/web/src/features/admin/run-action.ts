// Does something to an account and says in a toast what came of it (docs/spec-map.md 4.33, 4.35, 8.15); after a success there is
// no more to do in the dialog.
import { CallError } from '@keyfold/contract/client';
import { t } from '../../lib/language.ts';
import { showToast } from '../../ui/toasts.ts';
import { actionFailureText } from './admin-errors.ts';
import { planName } from './PlanShares.tsx';
import { type AccountAction, useAccountAction } from './queries.ts';

/** What a success says. */
function successText(action: AccountAction, email: string): string {
  switch (action.kind) {
    case 'grant':
      return t('Successfully granted {level} admin role to {email}', { level: action.level, email });
    case 'revoke':
      return t('Successfully revoked admin role from {email}', { email });
    case 'suspend':
      return t('Successfully suspended {email}', { email });
    case 'unsuspend':
      return t('Successfully unsuspended {email}', { email });
    case 'release':
      return t('Outgoing mail of {email} goes on', { email });
    case 'plan':
      return t('Successfully set the plan of {email} to {plan}', { email, plan: planName(action.plan) });
  }
}

/** A server without that call. Readings 68. */
const isMissing = (kind: AccountAction['kind'], error: unknown): boolean =>
  kind === 'unsuspend' && error instanceof CallError && (error.status === 404 || error.status === 501);

export type RunAction = {
  run: (action: AccountAction) => void;
  /** What is being done; null when nothing is. */
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
