// Free of zod, so that the key worker can import it.
import type { Email } from '../core/email.ts';

/** Returns whether a row is a placeholder for an unreadable one, with nothing in it to open. */
export const isUnreadableMail = (row: Email): boolean =>
  !row.draft && !row.alert && row.summary === null && row.encrypted_key === null && row.headers === '';

/** Text shown in the row of any other unreadable entry. */
export const UNREADABLE_ENTRY = 'Unreadable entry';

/** Text shown in the row of an unreadable message; no decryption was attempted. */
export const UNREADABLE_MAIL = 'This message couldn’t be read';
