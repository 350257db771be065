/**
 * The calls of reading and writing letters, and of what goes with them. Apart from mailbox.ts, so that no list waits for them.
 */
import { calendar } from './calendar.ts';
import { key_log } from './key-log.ts';
import { records } from './records.ts';
import { remote_content } from './remote-content.ts';
import { search } from './search.ts';
import { sending } from './sending.ts';
import { signatures } from './signatures.ts';

export { scheduledBccRecord } from './records.ts';

export const lettersApi = {
  calendar,
  key_log,
  records,
  remote_content,
  search,
  sending,
  signatures,
} as const;
