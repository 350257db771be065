// The only module that converts a failed call into text for a toast or a form (STYLE.md, Errors,
// docs/spec-map.md 8.09, 8.17).
import { CallError } from '@keyfold/contract/client';
import { t } from '../../lib/language.ts';
import { endTextOf } from './end-words.ts';

/** Returns the text shown to users for a failure. */
export function callErrorText(error: unknown): string {
  const end = endTextOf(error);
  if (end !== undefined) return end;
  if (error instanceof CallError && error.status === 429) {
    return t(
      '{count, plural, one {Rate limited. Try again in # second.} other {Rate limited. Try again in # seconds.}}',
      {
        count: error.retryAfterSeconds ?? 60,
      },
    );
  }
  // The text of the API client, which has no catalogs itself.
  if (error instanceof CallError && error.code === 'no_answer') return t('Failed to connect to the server');
  return error instanceof Error && error.message !== '' ? t(error.message) : t('Something failed');
}
