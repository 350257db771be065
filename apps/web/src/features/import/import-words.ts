// Texts of the import: destinations of folders, reasons, problems, remaining time.
import type { ImportPlace, ImportStop, SkipReason } from '../../crypto/import/import-types.ts';
import { t } from '../../lib/language.ts';
import { formatSize } from '../../lib/sizes.ts';
import { formatCount, joinParts } from '../../lib/words.ts';
import type { Journal } from './journal.ts';
import type { ImportProblem } from './runs.ts';

/** Returns the name of a folder's destination. */
export function placeName(place: ImportPlace): string {
  switch (place) {
    case 'inbox':
      return t('Inbox');
    case 'archive':
      return t('Archive');
    case 'sent':
      return t('Sent');
    case 'drafts':
      return t('Drafts');
    case 'spam':
      return t('Spam');
    case 'deleted':
      return t('Deleted');
    case 'tag':
      return t('Archive and tag');
  }
}

/** Returns why a message was skipped. */
export function skipText(reason: SkipReason): string {
  switch (reason) {
    case 'damaged':
      return t('Damaged');
    case 'cut_short':
      return t('Cut off at the end of the file');
    case 'too_large':
      return t('Too large');
    case 'encrypted':
      return t('Password-protected');
    case 'unsupported':
      return t('Unsupported item type');
    case 'refused':
      return t('Rejected by the server');
    case 'removed':
      return t('Deleted at the source');
    case 'other_text':
      return t('A different message with the same Message-ID was already imported');
  }
}

/** Returns what is wrong with a file, by the reader's error code. */
export function fileText(code: string): string {
  switch (code) {
    case 'not_this_format':
      return t('This isn’t a mail file that Keyfold can read');
    case 'contacts':
      return t('This file contains contacts. Import it on the Contacts page.');
    case 'looping':
      return t('The file is damaged (circular reference)');
    case 'too_slow':
      return t('The file takes too long to read');
    case 'encrypted':
      return t('The file is password-protected');
    case 'too_short':
      return t('The file is incomplete');
    case 'too_large':
      return t('The file contains more data than can be unpacked');
    case 'unsupported':
      return t('This file format isn’t supported');
    default:
      return t('The file is damaged');
  }
}

/** Returns why a server-side import ended. */
export function serverFailureText(kind: 'imap' | 'pst', failure: string): string {
  switch (failure) {
    case 'quota_exceeded':
      return t('Your storage is full');
    case 'login_refused':
      return t('The provider rejected this username or password');
    case 'unreachable':
      return t('Couldn’t reach the provider’s mail server');
    case 'address_refused':
      return t('Connections to this mail server aren’t allowed');
    case 'certificate':
      return t('The mail server’s certificate isn’t valid, so the password wasn’t sent');
    case 'no_tls':
      return t('The mail server doesn’t offer an encrypted connection, so the password wasn’t sent');
    case 'not_understood':
      return t('The mail server sent responses that couldn’t be understood');
    case 'suspended':
      return t('The import stopped because this account was suspended');
    case 'too_slow':
      return t('The import took too long');
    case 'too_large':
      return kind === 'imap' ? t('The mailbox is too large to import') : fileText(failure);
    case 'lost':
      return kind === 'imap' ? t('Something failed') : t('The file was lost. Upload it again.');
    default:
      return fileText(failure);
  }
}

/** Returns why an import cannot start. */
export function problemText(problem: Exclude<ImportProblem, object>): string {
  switch (problem) {
    case 'other_files':
      return t('These aren’t the files this import started with');
    case 'not_reopened':
      return t('The files weren’t opened. Choose them again to continue the import.');
    case 'other_tab':
      return t('An import is running in another tab');
    case 'failed':
      return t('Couldn’t open the file');
  }
}

/** Returns why an import stopped. */
export function stopText(stop: ImportStop): string {
  if (stop.kind === 'full')
    return t('Your storage is full. You need {size} more.', { size: formatSize(stop.missingBytes) });
  if (stop.kind === 'file') return fileText(stop.text);
  return stop.text === '' ? t('Something failed') : stop.text;
}

/**
 * Returns the progress count; contacts are not counted as messages. Folder counts are of items, so
 * the text says only at the end what the items were.
 */
export function countText({ plan, total, cards = 0 }: Journal, isFinished: boolean): string {
  const mails = Math.max(0, plan.done - cards);
  const messages =
    total === null || isFinished
      ? t('{count, plural, one {# message} other {# messages}}', { count: mails })
      : t('{done} of {total} messages', {
          done: formatCount(Math.min(mails, total)),
          total: formatCount(total),
        });
  if (cards === 0) return messages;
  return joinParts([messages, t('{count, plural, one {# contact} other {# contacts}}', { count: cards })]);
}

const MINUTE_MS = 60_000;

/** Returns the remaining time, in whole minutes. */
export function leftText(leftMs: number): string {
  const minutes = Math.ceil(leftMs / MINUTE_MS);
  return minutes <= 1
    ? t('less than a minute left')
    : t('{count, plural, one {about # minute left} other {about # minutes left}}', { count: minutes });
}
