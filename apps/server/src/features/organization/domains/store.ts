/** SQL for users' claims to domains. claims.ts decides which claim is effective. */
import { type Selectable, type SqlBool, sql } from 'kysely';
import { claimRows, sharedQueue } from '../../../db/claim.ts';
import type { Db, Trx } from '../../../db/pool.ts';
import type { DomainsTable } from '../../../db/tables.ts';

export type ClaimRow = Selectable<DomainsTable>;

/** Returns all claims of a user, oldest first. */
export const listClaims = (db: Db | Trx, userId: string): Promise<ClaimRow[]> =>
  db
    .selectFrom('domains')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('domain')
    .execute();

export const findClaim = (db: Db | Trx, userId: string, domain: string): Promise<ClaimRow | undefined> =>
  db
    .selectFrom('domains')
    .selectAll()
    .where('user_id', '=', userId)
    .where('domain', '=', domain)
    .executeTakeFirst();

/** Returns the ids of all users who claim a domain, proved or not. */
export async function listClaimants(db: Db | Trx, domain: string): Promise<string[]> {
  const rows = await db.selectFrom('domains').select('user_id').where('domain', '=', domain).execute();
  return rows.map(row => row.user_id);
}

/** Returns the id of the user who has proved ownership of a domain. */
export async function findHolder(db: Db | Trx, domain: string): Promise<string | null> {
  const row = await db
    .selectFrom('domains')
    .select('user_id')
    .where('domain', '=', domain)
    .where('verified_at', 'is not', null)
    .executeTakeFirst();
  return row?.user_id ?? null;
}

export async function findVerifiedDomains(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('domains')
    .select('domain')
    .distinct()
    .where('verified_at', 'is not', null)
    .execute();
  return rows.map(row => row.domain);
}

/** Locks and returns all claims to a domain, in the same order for every caller. */
export const lockClaims = (trx: Trx, domain: string): Promise<ClaimRow[]> =>
  trx.selectFrom('domains').selectAll().where('domain', '=', domain).orderBy('user_id').forUpdate().execute();

export const findPlan = (db: Db | Trx, userId: string) =>
  db.selectFrom('users').select('plan').where('id', '=', userId).executeTakeFirst();

export async function insertClaim(
  trx: Trx,
  claim: { readonly userId: string; readonly domain: string; readonly token: string; readonly now: Date },
): Promise<void> {
  await trx
    .insertInto('domains')
    .values({
      user_id: claim.userId,
      domain: claim.domain,
      token: claim.token,
      next_check_at: claim.now,
      created_at: claim.now,
    })
    .execute();
}

export async function deleteClaim(trx: Trx, userId: string, domain: string): Promise<void> {
  await trx.deleteFrom('domains').where('user_id', '=', userId).where('domain', '=', domain).execute();
}

export type ClaimChange = Partial<
  Pick<
    ClaimRow,
    | 'catchall'
    | 'checked_at'
    | 'is_healthy'
    | 'is_primary'
    | 'missing_since'
    | 'next_check_at'
    | 'verified_at'
  >
> & { readonly findings?: string };

export async function updateClaim(
  db: Db | Trx,
  userId: string,
  domain: string,
  change: ClaimChange,
): Promise<void> {
  await db
    .updateTable('domains')
    .set(change)
    .where('user_id', '=', userId)
    .where('domain', '=', domain)
    .execute();
}

/** Clears the user's primary domain. */
export async function clearPrimary(trx: Trx, userId: string): Promise<void> {
  await trx
    .updateTable('domains')
    .set({ is_primary: false })
    .where('user_id', '=', userId)
    .where('is_primary', '=', true)
    .execute();
}

const claimQueue = sharedQueue('domains', ['user_id', 'domain']);

/**
 * Claims some of the domains that are due for a check, so that no other worker checks them until
 * `until`.
 */
export const takeDueClaims = (db: Db, now: Date, until: Date, count: number): Promise<ClaimRow[]> =>
  claimRows(db, claimQueue, {
    where: sql<SqlBool>`next_check_at <= ${now}`,
    orderBy: 'next_check_at',
    limit: count,
    set: { next_check_at: until },
  });
