// Texts for failed admin calls (docs/spec-map.md 8, word for word).
import { CallError } from '@keyfold/contract/client';
import { t, term } from '../../lib/language.ts';
import { callErrorText } from '../../session/calls/error-text.ts';

type Words = {
  /** Fallback text. */
  readonly failed: string;
  /** The admin's level is too low. */
  readonly forbidden: string;
};

/** The texts for each call. */
export const adminWords = {
  stats: {
    failed: term('Failed to retrieve admin statistics'),
    forbidden: term('Insufficient permissions to view admin statistics'),
  },
  users: {
    failed: term('Failed to retrieve user list'),
    forbidden: term('Insufficient permissions to view user list'),
  },
  audit: {
    failed: term('Failed to retrieve audit log'),
    forbidden: term('Insufficient permissions to view audit log'),
  },
  grant: {
    failed: term('Failed to grant admin role'),
    forbidden: term('Insufficient permissions to grant admin roles'),
  },
  revoke: {
    failed: term('Failed to revoke admin role'),
    forbidden: term('Insufficient permissions to revoke admin roles'),
  },
  suspend: {
    failed: term('Failed to suspend user'),
    forbidden: term('Insufficient permissions to suspend users'),
  },
  unsuspend: {
    failed: term('Failed to unsuspend user'),
    forbidden: term('Insufficient permissions to unsuspend users'),
  },
  hold: {
    failed: term('Failed to load details of the mail hold'),
    forbidden: term('Insufficient permissions to view user list'),
  },
  release: {
    failed: term('Failed to release mail'),
    forbidden: term('Insufficient permissions to release mail'),
  },
  plan: {
    failed: term('Failed to set plan'),
    forbidden: term('Insufficient permissions to change plan'),
  },
} as const satisfies Record<string, Words>;

export type AdminCall = keyof typeof adminWords;

/**
 * Returns why a call failed: the server's text, or the specification's where it is more specific.
 */
export function adminErrorText(call: AdminCall, error: unknown): string {
  const { failed, forbidden } = adminWords[call];
  if (!(error instanceof CallError))
    return error instanceof Error && error.message !== '' ? t(error.message) : t('Unknown error');
  if (error.status === 403 && error.code === 'forbidden') return t(forbidden);
  if (error.status === 429 && call === 'grant') return t('Rate limited. Please try again later.');
  if (error.status === 404 && call === 'suspend') return t('User not found');
  // With a single invalid field, that field's text is shown.
  const [problem] = error.problems;
  if (error.status === 400 && problem !== undefined) return t(problem.message);
  return error.code === 'failed' ? t(failed) : callErrorText(error);
}

/** Returns the toast for a failed action: the action and the reason. */
export function actionFailureText(call: AdminCall, error: unknown): string {
  const why = adminErrorText(call, error);
  const what = t(adminWords[call].failed);
  return why === what ? what : t('{what}: {why}', { what, why });
}

const loading = {
  stats: term('Failed to load admin statistics'),
  users: term('Failed to load users'),
  audit: term('Failed to load audit log'),
  hold: term('Failed to load details of the mail hold'),
} as const;

/**
 * Returns the toast for failed loading: the server's text, or without an answer, what could not be
 * loaded and why.
 */
export function loadFailureText(call: keyof typeof loading, error: unknown): string {
  const isAnswer = error instanceof CallError && error.status > 0;
  if (isAnswer && error.code === 'failed') return t(loading[call]);
  const why = adminErrorText(call, error);
  return isAnswer ? why : t('{what}: {why}', { what: t(loading[call]), why });
}
