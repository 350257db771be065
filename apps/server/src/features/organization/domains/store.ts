/**
 * Statements on users' claims to domains. Which claim counts is a rule of claims.ts.
 */
import type { Selectable } from 'kysely';
import type { Db, Trx } from '../../../db/pool.ts';
import type { DomainsTable } from '../../../db/tables.ts';

export type ClaimRow = Selectable<DomainsTable>;

/** All claims of a user, oldest first. */
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

/** Who claims a domain, whether or not it was proved. */
export async function listClaimants(db: Db | Trx, domain: string): Promise<string[]> {
  const rows = await db.selectFrom('domains').select('user_id').where('domain', '=', domain).execute();
  return rows.map(row => row.user_id);
}

/** Who has proved a domain to be theirs. */
export async function findHolder(db: Db | Trx, domain: string): Promise<string | null> {
  const row = await db
    .selectFrom('domains')
    .select('user_id')
    .where('domain', '=', domain)
    .where('verified_at', 'is not', null)
    .executeTakeFirst();
  return row?.user_id ?? null;
}

/** Locks and reads all claims to a domain, in one order for everybody. */
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

/** Takes the mark of the primary domain from the one that has it. */
export async function clearPrimary(trx: Trx, userId: string): Promise<void> {
  await trx
    .updateTable('domains')
    .set({ is_primary: false })
    .where('user_id', '=', userId)
    .where('is_primary', '=', true)
    .execute();
}

/** Takes some of the claims that are due for a look, so that nobody else looks at them until then. */
export const takeDueClaims = (db: Db, now: Date, until: Date, count: number): Promise<ClaimRow[]> =>
  db
    .updateTable('domains')
    .set({ next_check_at: until })
    .where(eb =>
      eb(
        eb.refTuple('user_id', 'domain'),
        'in',
        eb
          .selectFrom('domains as due')
          .select(['due.user_id', 'due.domain'])
          .where('due.next_check_at', '<=', now)
          .orderBy('due.next_check_at')
          .limit(count)
          .forUpdate()
          .skipLocked()
          .$asTuple('user_id', 'domain'),
      ),
    )
    .returningAll()
    .execute();
