/**
 * The calls of the list, and what goes with them: all of the contract that a client fetches before its list stands. What
 * reading and writing ask besides is in letters.ts, what only settings ask in settings.ts.
 */
import { auth } from './auth.ts';
import { events } from './events.ts';
import { mail } from './mail.ts';
import { tags } from './tags.ts';
import { triage } from './triage.ts';

export { FOLDER_FILTERS, TAG_FILTER } from '../core/folders.ts';
export { mainKey } from '../core/user.ts';
export { RULE_FIELDS, RULE_TESTS } from './triage.ts';

export const mailboxApi = {
  auth,
  events,
  mail,
  tags,
  triage,
} as const;
