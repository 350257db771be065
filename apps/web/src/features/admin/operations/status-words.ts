// Texts for why mail is queued: the reply code and the status of RFC 3463 give the kind of problem;
// no further details are available here.
import type { QueueEntry } from '@keyfold/contract';
import { t, term } from '../../../lib/language.ts';

/** Subject of a status, by its second number (RFC 3463 §3). */
const subjects: Readonly<Record<string, string>> = {
  '1': term('Recipient address'),
  '2': term('Recipient mailbox'),
  '3': term('Mail system'),
  '4': term('Network or DNS'),
  '5': term('Mail protocol'),
  '6': term('Message format'),
  '7': term('Policy or security'),
};

/** Deferrals by this server itself. */
const ours: Readonly<Record<string, string>> = {
  '4.3.5': term('Error in this service'),
  '4.2.1': term('Sender suspended'),
};

/**
 * Returns a short reason, such as "451 · 4.7.1 · Policy or security"; null before the first
 * attempt.
 */
export function whyOf({ reply_code, status }: Pick<QueueEntry, 'reply_code' | 'status'>): string | null {
  if (status === null) return null;
  const own = reply_code === null ? ours[status] : undefined;
  if (own !== undefined) return t(own);
  const subject = subjects[status.split('.')[1] ?? ''];
  const words = subject === undefined ? t('Unspecified reason') : t(subject);
  return reply_code === null
    ? t('No response · {status} · {words}', { status, words })
    : t('{code} · {status} · {words}', { code: String(reply_code), status, words });
}
