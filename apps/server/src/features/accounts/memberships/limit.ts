/** Limits on the number of members of an organization. */
import type { Plan } from '@keyfold/contract/plans';
import { PLAN_LIMITS } from '../../../base/limits.ts';
import type { Deps } from '../../../context/deps.ts';
import type { Db, Trx } from '../../../db/pool.ts';
import { listOwnerPlans } from './store.ts';

/**
 * Returns the member limit of a plan. Where sign-up requires an invitation from the operator, a
 * free plan allows no members besides the owner.
 */
export const planMemberLimit = (
  { isInvitationNeeded }: Pick<Deps['config'], 'isInvitationNeeded'>,
  plan: Plan,
): number => (isInvitationNeeded && plan === 'free' ? 1 : PLAN_LIMITS[plan].memberLimit);

/**
 * Returns the maximum number of members and open invitations of an organization, from the best plan
 * among its owners.
 */
export async function memberLimitOf(
  { config }: Pick<Deps, 'config'>,
  db: Db | Trx,
  organizationId: string,
): Promise<number> {
  const plans = await listOwnerPlans(db, organizationId);
  return Math.max(...plans.map(plan => planMemberLimit(config, plan)), 0);
}
