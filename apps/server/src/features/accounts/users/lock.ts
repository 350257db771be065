/**
 * The lock on an account, which comes before everything of it: whoever enters, ends sessions, or changes the password or a
 * factor takes it first, so that two of them never wait for each other, and none enters by what another has just ended.
 */
import type { Trx } from '../../../db/pool.ts';

/**
 * Locks the account and answers what those who lock it ask of it; undefined when there is none. `ending` also keeps rows from
 * being written that refer to the account: for what takes it away, or takes away what it may do.
 */
export const lockUser = (trx: Trx, userId: string, purpose: 'changing' | 'ending' = 'changing') => {
  const account = trx
    .selectFrom('users')
    .select(['id', 'email', 'status', 'plan', 'login_hash', 'is_admin', 'admin_level'])
    .where('id', '=', userId);
  return (purpose === 'ending' ? account.forUpdate() : account.forNoKeyUpdate()).executeTakeFirst();
};
