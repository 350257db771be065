/**
 * Statements on stored MTA-STS policies. Rows contain the domain as a keyed digest and the policy
 * sealed.
 */
import type { Db } from '../../../db/pool.ts';

export type StoredPolicy = {
  readonly policy_sealed: Buffer;
  readonly fetched_at: Date;
  readonly expires_at: Date;
};

/** Returns the stored policy of a domain; undefined once it has expired. */
export const findPolicy = (db: Db, domainDigest: Buffer, now: Date): Promise<StoredPolicy | undefined> =>
  db
    .selectFrom('sts_policies')
    .select(['policy_sealed', 'fetched_at', 'expires_at'])
    .where('domain_digest', '=', domainDigest)
    .where('expires_at', '>', now)
    .executeTakeFirst();

/** Stores a domain's policy, replacing the previous one. */
export async function savePolicy(db: Db, domainDigest: Buffer, policy: StoredPolicy): Promise<void> {
  await db
    .insertInto('sts_policies')
    .values({ domain_digest: domainDigest, ...policy })
    .onConflict(conflict => conflict.column('domain_digest').doUpdateSet(policy))
    .execute();
}

/** Deletes expired policies; returns how many. */
export async function deleteExpiredPolicies(db: Db, now: Date): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('sts_policies')
    .where('expires_at', '<=', now)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
