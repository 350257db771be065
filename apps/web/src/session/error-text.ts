// The one place that turns a failed call into words for a toast or a form (style 1.5, Spec §8).
import { CallError } from '@keyfold/contract/client';

const fallback = 'Something failed';

/** What people read about a failure. */
export function callErrorText(error: unknown): string {
  if (error instanceof CallError && error.status === 429) {
    return `Rate limited. Try again in ${error.retryAfterSeconds ?? 60} seconds.`;
  }
  return error instanceof Error && error.message !== '' ? error.message : fallback;
}
