// The only module that converts a failed call into text for a toast or a form (STYLE.md, Errors,
// docs/spec-map.md 8.09, 8.17).
import { CallError } from '@keyfold/contract/client';
import { t, term } from '../../lib/language.ts';
import { endTextOf } from './end-words.ts';

/** The specification's texts for messages that were not encrypted (docs/spec-map.md 5, 8). */
const encryptionFailures: ReadonlySet<string> = new Set([
  term('Missing second stage key bytes'),
  term('Trying to encrypt empty message'),
  term('Failed to encrypt message'),
  term('Failed to encrypt message for self'),
  term('Failed to generate dh shared secret'),
]);

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
  const text = error instanceof Error ? error.message : '';
  if (encryptionFailures.has(text)) return t(text);
  return text !== '' ? t(text) : t('Something failed');
}
