// Translates our own server's notices of bounces, as lists show them. bounce-words.ts explains the
// bounces themselves, for the reader.
import { t, term } from '../../../lib/language.ts';

const subjects: ReadonlySet<string> = new Set([
  term('Undelivered mail returned to sender'),
  term('Your message is delayed'),
]);
const intros = [
  term('Your message could not be delivered to the following recipients and will not be retried:'),
  term(
    'Your message has not been delivered to the following recipients yet. Delivery will be retried, so you do not need to resend it:',
  ),
] as const;

/** Translates the subject of our own server's notices; returns any other subject unchanged. */
export const bounceSubject = (subject: string): string => (subjects.has(subject) ? t(subject) : subject);

/** Does the same for the beginning of a notice, as shown in lists. */
export function bounceSnippet(snippet: string): string {
  const intro = intros.find(one => snippet.startsWith(one));
  return intro === undefined ? snippet : t(intro) + snippet.slice(intro.length);
}
