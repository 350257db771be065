// What people read when an admin call fails (docs/spec-map.md 8, texts to the letter).
import { CallError } from '@keyfold/contract/client';
import { t, term } from '../../lib/language.ts';
import { callErrorText } from '../../session/calls/error-text.ts';

type Words = {
  /** When there is nothing better to say. */
  readonly failed: string;
  /** The level is too low. */
  readonly forbidden: string;
};

/** The texts of each call. */
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
    failed: term('Failed to load why the mail is held'),
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

/** Why a call failed: the server's words, or the specification's where they say more. */
export function adminErrorText(call: AdminCall, error: unknown): string {
  const { failed, forbidden } = adminWords[call];
  if (!(error instanceof CallError))
    return error instanceof Error && error.message !== '' ? t(error.message) : t('Unknown error');
  if (error.status === 403 && error.code === 'forbidden') return t(forbidden);
  if (error.status === 429 && call === 'grant') return t('Rate limited. Please try again later.');
  if (error.status === 404 && call === 'suspend') return t('User not found');
  // One field was wrong: its own text says it.
  const [problem] = error.problems;
  if (error.status === 400 && problem !== undefined) return t(problem.message);
  return error.code === 'failed' ? t(failed) : callErrorText(error);
}

/** A failed action for a toast: what failed, and why. */
export function actionFailureText(call: AdminCall, error: unknown): string {
  const why = adminErrorText(call, error);
  const what = t(adminWords[call].failed);
  return why === what ? what : t('{what}: {why}', { what, why });
}

const loading = {
  stats: term('Failed to load admin statistics'),
  users: term('Failed to load users'),
  audit: term('Failed to load audit log'),
  hold: term('Failed to load why the mail is held'),
} as const;

/** A failed look for a toast: the server's own words, or without an answer what could not be loaded, and why. */
export function loadFailureText(call: keyof typeof loading, error: unknown): string {
  const isAnswer = error instanceof CallError && error.status > 0;
  if (isAnswer && error.code === 'failed') return t(loading[call]);
  const why = adminErrorText(call, error);
  return isAnswer ? why : t('{what}: {why}', { what: t(loading[call]), why });
}
