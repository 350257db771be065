/**
 * Job that stores the standard spam settings for accounts without any: accounts created before
 * every new account got them, and accounts that a server of the previous release creates during a
 * rolling upgrade. Their owners receive a notice.
 */
import type { Deps } from '../../../context/deps.ts';
import { storeNotice } from '../../accounts/notices/index.ts';
import { lockMailboxes } from '../../mailbox/messages/index.ts';
import { storeStandardSettings } from './settings.ts';
import { findUsersWithoutSettings } from './store.ts';

const USERS_AT_ONCE = 200;

/** Turns the filter on for every account without settings. Returns the number of accounts. */
export async function turnFiltersOn(deps: Deps): Promise<number> {
  let count = 0;
  let afterId: string | null = null;
  for (;;) {
    const userIds: readonly string[] = await findUsersWithoutSettings(deps.db, afterId, USERS_AT_ONCE);
    for (const userId of userIds) {
      const isGiven = await deps.db.transaction().execute(async trx => {
        // Locks the mailbox first, as every transaction that needs both locks does. An account
        // deleted in the meantime has no mailbox.
        if ((await lockMailboxes(trx, [userId])).length === 0) return false;
        if (!(await storeStandardSettings(deps, trx, userId))) return false;
        await storeNotice(deps, trx, userId, { kind: 'spam_filter_on' });
        return true;
      });
      if (isGiven) count++;
    }
    afterId = userIds.at(-1) ?? null;
    if (afterId === null || userIds.length < USERS_AT_ONCE) return count;
  }
}
