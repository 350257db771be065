/**
 * The lock on an account. Signing in, ending sessions, and changing the password or a factor take it before any other lock of
 * the account, so that two of them never deadlock and nobody signs in with what another request has just ended.
 */
import type { Trx } from '../../../db/pool.ts';

/**
 * Locks the account and returns what callers need to know of it; undefined when it does not exist. `ending` also blocks new rows
 * that refer to the account: for deleting it, or taking rights away from it.
 */
export function lockUser(trx: Trx, userId: string, purpose: 'changing' | 'ending' = 'changing') {
  const account = trx
    .selectFrom('users')
    .select(['id', 'email', 'status', 'plan', 'login_hash', 'is_admin', 'admin_level'])
    .where('id', '=', userId);
  return (purpose === 'ending' ? account.forUpdate() : account.forNoKeyUpdate()).executeTakeFirst();
}
