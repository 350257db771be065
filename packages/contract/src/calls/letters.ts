/**
 * The calls of reading and writing letters, and of what goes with them. Apart from mailbox.ts, so that no list waits for them.
 */
import { invitations } from './invitations.ts';
import { key_log } from './key-log.ts';
import { records } from './records.ts';
import { remote } from './remote.ts';
import { search } from './search.ts';
import { sending } from './sending.ts';
import { signatures } from './signatures.ts';

export { scheduledBccRecord } from './records.ts';

export const lettersApi = { invitations, key_log, records, remote, search, sending, signatures } as const;
