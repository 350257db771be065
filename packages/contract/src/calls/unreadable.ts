// Without zod, so that the key worker can ask.
import type { Email } from './mail.ts';

/** Whether a row stands in for one that could not be read: it holds nothing that could be opened. */
export const isUnreadableMail = (row: Email): boolean =>
  !row.draft && !row.alert && row.summary === null && row.encrypted_key === null && row.headers === '';

/** What stands in the row of something else that could not be read. */
export const UNREADABLE_ENTRY = 'This entry could not be read';

/** What its row says; nothing was tried to decrypt. */
export const UNREADABLE_MAIL = 'This message could not be read';
