// Why mail waits, in words: the reply code and the status of RFC 3463 say which kind of trouble it is; more is not known here.
import type { QueueEntry } from '@keyfold/contract';
import { t, term } from '../../../lib/language.ts';

/** The second number of a status names its subject (RFC 3463 §3). */
const subjects: Readonly<Record<string, string>> = {
  '1': term('The address'),
  '2': term('The mailbox'),
  '3': term('The mail system'),
  '4': term('Network or DNS'),
  '5': term('The protocol'),
  '6': term('The format'),
  '7': term('Policy or security'),
};

/** What we put off ourselves. */
const ours: Readonly<Record<string, string>> = {
  '4.3.5': term('A failure of this service'),
  '4.2.1': term('The sender is suspended'),
};

/** In short, such as "451 · 4.7.1 · Policy or security"; null before the first attempt. */
export function whyOf({ reply_code, status }: Pick<QueueEntry, 'reply_code' | 'status'>): string | null {
  if (status === null) return null;
  const own = reply_code === null ? ours[status] : undefined;
  if (own !== undefined) return t(own);
  const subject = subjects[status.split('.')[1] ?? ''];
  const words = subject === undefined ? t('Not said') : t(subject);
  return reply_code === null
    ? t('No answer · {status} · {words}', { status, words })
    : t('{code} · {status} · {words}', { code: String(reply_code), status, words });
}
