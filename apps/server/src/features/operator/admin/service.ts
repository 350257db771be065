/**
 * What admins see: statistics, users, the audit log (docs/spec-map.md 6.05: readonly). Responses
 * contain names, addresses and numbers, never the content of a mailbox. actions.ts contains what
 * admins do.
 */
import type { AdminUser, api, InputOf, OutputOf } from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import { ADMIN_MATCHES_MAX } from '@keyfold/contract/limits';
import { levelOf } from '../../../base/admin-level.ts';
import type { Deps } from '../../../context/deps.ts';
import type { Trx } from '../../../db/pool.ts';
import { countUsers, findPageStart } from '../../support/statistics/index.ts';
import { countMatches, isAdmin, isWanted, type ListedUser, readUsers, searchUsers } from './store.ts';

const toUser = (row: ListedUser): AdminUser => ({
  id: row.id,
  name: row.name,
  email: row.email,
  status: row.status,
  plan: row.plan,
  is_admin: row.is_admin,
  admin_level: levelOf(row),
  used_space: row.used_bytes,
  sent_emails: row.sent_emails,
  domain_count: Number(row.domain_count ?? 0),
  created_at: row.created_at.toISOString(),
  last_active_at: row.last_active_at?.toISOString() ?? null,
  mail_held: Boolean(row.mail_held),
  ...(row.status === 'suspended' ? { suspension_reason: row.suspension_reason } : {}),
});

type UsersPage = OutputOf<typeof api.admin.users>['data'];

/** Returns a page of accounts, newest first. */
export const listUsers = (
  { clock, db }: Pick<Deps, 'clock' | 'db'>,
  { page, pageSize, ...wanted }: InputOf<typeof api.admin.users>,
): Promise<UsersPage> =>
  // Reads counters and rows in one snapshot.
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async trx => {
      const place = (page - 1) * pageSize;
      if (isWanted(wanted)) {
        // Pages stop where the count stops: a far page would cost a scan of all matches.
        const left = Math.min(pageSize, ADMIN_MATCHES_MAX - place);
        const users =
          left > 0 ? await searchUsers(trx, wanted, { skipped: place, count: left }, clock.now()) : [];
        const total_count = await countMatches(trx, wanted, ADMIN_MATCHES_MAX);
        return { users: users.map(toUser), total_count };
      }
      const total_count = await countUsers(trx);
      const start = await findPageStart(trx, place);
      const users = start === null ? [] : await readUsers(trx, { ...start, count: pageSize }, clock.now());
      return { users: users.map(toUser), total_count };
    });

/**
 * Refuses to delete an admin's account, because the audit log would lose the admin's name. Call it
 * with the account locked, so that no level is granted in the meantime. Throws admin_stays.
 */
export async function keepAdmin(trx: Trx, userId: string): Promise<void> {
  if (await isAdmin(trx, userId)) throw new AppError('admin_stays');
}
