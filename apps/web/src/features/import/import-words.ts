// The words of the import: places of folders, reasons, why something cannot be done, times that are left.
import type { ImportPlace, ImportStop, SkipReason } from '../../crypto/import/import-types.ts';
import { t } from '../../lib/language.ts';
import { formatSize } from '../../lib/sizes.ts';
import { formatCount } from '../../lib/words.ts';
import type { Journal } from './journal.ts';
import type { ImportProblem } from './runs.ts';

/** Where the mail of a folder goes. */
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
      return t('Archive, with a tag');
  }
}

/** Why a mail was skipped. */
export function skipText(reason: SkipReason): string {
  switch (reason) {
    case 'damaged':
      return t('It is damaged');
    case 'cut_short':
      return t('The file ends within it');
    case 'too_large':
      return t('It is too large');
    case 'encrypted':
      return t('It is protected by a password');
    case 'unsupported':
      return t('This kind of item is not read');
    case 'refused':
      return t('The server did not take it');
    case 'removed':
      return t('It was deleted where it came from');
    case 'other_text':
      return t('A message with another text was imported under its Message-ID');
  }
}

/** What is wrong with a file, by the reader's word for it. */
export function fileText(code: string): string {
  switch (code) {
    case 'not_this_format':
      return t('This is no file of mail that can be read');
    case 'contacts':
      return t('This is a file of contacts. They are imported on a page of their own.');
    case 'looping':
      return t('The file is damaged: it leads back into itself');
    case 'too_slow':
      return t('The file takes too long to read');
    case 'encrypted':
      return t('The file is protected by a password');
    case 'too_short':
      return t('The file is cut short');
    case 'too_large':
      return t('The file holds more than can be unpacked');
    case 'unsupported':
      return t('This form of file is not supported');
    default:
      return t('The file is damaged');
  }
}

/** Why an import by the server ended. */
export function serverFailureText(kind: 'imap' | 'pst', failure: string): string {
  switch (failure) {
    case 'quota_exceeded':
      return t('Your storage is full');
    case 'login_refused':
      return t('The other provider refused this user name or password');
    case 'unreachable':
      return t('The mail server of the other provider cannot be reached');
    case 'address_refused':
      return t('This mail server may not be connected to from here');
    case 'certificate':
      return t('The certificate of the mail server is not valid, so the password was not sent');
    case 'no_tls':
      return t('The mail server offers no encrypted connection, so the password was not sent');
    case 'not_understood':
      return t('The answers of the mail server cannot be understood');
    case 'suspended':
      return t('The import ended with the suspension of this account');
    case 'too_slow':
      return t('The import took too long');
    case 'too_large':
      return kind === 'imap' ? t('The mailbox has more than can be brought in') : fileText(failure);
    case 'lost':
      return kind === 'imap' ? t('Something failed') : t('The file was lost. Please send it again.');
    default:
      return fileText(failure);
  }
}

/** Why an import cannot begin. */
export function problemText(problem: Exclude<ImportProblem, object>): string {
  switch (problem) {
    case 'other_files':
      return t('These are not the files that the import began with');
    case 'not_reopened':
      return t('The files were not opened. Choose them again, and the import goes on.');
    case 'other_tab':
      return t('An import is running in another tab');
    case 'failed':
      return t('The file could not be opened');
  }
}

/** Why a run stopped. */
export function stopText(stop: ImportStop): string {
  if (stop.kind === 'full')
    return t('Your storage is full: {size} are missing', { size: formatSize(stop.missingBytes) });
  if (stop.kind === 'file') return fileText(stop.text);
  return stop.text === '' ? t('Something failed') : stop.text;
}

/** How much was gone through: contacts are no messages. Folders tell of things, so at the end it is said what they were. */
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
  return `${messages}, ${t('{count, plural, one {# contact} other {# contacts}}', { count: cards })}`;
}

const MINUTE_MS = 60_000;

/** The time that is left, in whole minutes. */
export function leftText(leftMs: number): string {
  const minutes = Math.ceil(leftMs / MINUTE_MS);
  return minutes <= 1
    ? t('less than a minute left')
    : t('{count, plural, one {about # minute left} other {about # minutes left}}', { count: minutes });
}
