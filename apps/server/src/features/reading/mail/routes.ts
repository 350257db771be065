/** Handlers of the contract group `mail`. */
import type { api, Handlers } from '@keyfold/contract';
import { callerOf, type RequestContext } from '../../../context/call-context.ts';
import type { Deps } from '../../../context/deps.ts';
import { findMails, listIds } from './by-id.ts';
import { checkNew, countFolders, countUnread } from './counts.ts';
import { archiveMails, deleteMails, restoreMails, setFlags } from './flag-changes.ts';
import { keysOf } from './keys.ts';
import { mendSummary } from './mended-summary.ts';
import { createPageLimiter } from './page-limiter.ts';
import { getMail, queryMail } from './query.ts';
import { createQueryCache } from './query-cache.ts';
import { snoozeMails } from './snooze.ts';
import { clearFlagged, flagMails } from './spam.ts';
import { keepOwnWraps } from './wraps.ts';

const QUERY_CACHE_ENTRIES = 5_000;

export function mailHandlers(deps: Deps): Handlers<typeof api.mail, RequestContext> {
  const cache = createQueryCache(QUERY_CACHE_ENTRIES);
  const ration = createPageLimiter();
  return {
    query: (input, context) => {
      const { userId } = callerOf(context);
      const answer = () => queryMail(deps.db, cache, userId, input);
      return input.view === 'full' ? ration.run(userId, answer) : answer();
    },
    one: async ({ id }, context) => ({ data: await getMail(deps.db, callerOf(context).userId, id) }),
    some: async ({ ids, view }, context) => ({
      data: await findMails(deps.db, callerOf(context).userId, ids, view),
    }),
    ids: ({ count, last_id }, context) => listIds(deps.db, callerOf(context).userId, count, last_id),
    check_new: ({ last_check }, context) => checkNew(deps.db, callerOf(context).userId, last_check),
    unread_count: async (_input, context) => ({
      data: { count: await countUnread(deps.db, callerOf(context).userId) },
    }),
    counts: async (_input, context) => ({ data: await countFolders(deps.db, callerOf(context).userId) }),
    read: async ({ email_id, value }, context) => ({
      data: { updated: await setFlags(deps, callerOf(context).userId, email_id, { read: value }) },
    }),
    star: async ({ email_id, value }, context) => ({
      data: { updated: await setFlags(deps, callerOf(context).userId, email_id, { starred: value }) },
    }),
    archive: async ({ email_id, value }, context) => ({
      data: { updated: await archiveMails(deps, callerOf(context).userId, email_id, value) },
    }),
    flag: async ({ email_id, value }, context) => ({
      data: { updated: await flagMails(deps, callerOf(context).userId, email_id, value) },
    }),
    clear_flagged: async (_input, context) => ({
      data: { updated: await clearFlagged(deps, callerOf(context).userId) },
    }),
    snooze: async ({ email_id, until }, context) => ({
      data: {
        updated: await snoozeMails(
          deps,
          callerOf(context).userId,
          email_id,
          until === null ? null : new Date(until),
        ),
      },
    }),
    remove: async ({ email_id, recoverable }, context) => ({
      data: { updated: await deleteMails(deps, callerOf(context).userId, email_id, recoverable === true) },
    }),
    restore: async ({ email_id }, context) => ({
      data: { updated: await restoreMails(deps, callerOf(context).userId, email_id) },
    }),
    rewrap: async ({ wraps }, context) => ({
      data: { updated: await keepOwnWraps(deps, callerOf(context).userId, wraps) },
    }),
    mend_summary: async (input, context) => ({
      data: { updated: await mendSummary(deps, callerOf(context).userId, input) },
    }),
    keys: ({ users, log_size }) => keysOf(deps, users, log_size),
  };
}
