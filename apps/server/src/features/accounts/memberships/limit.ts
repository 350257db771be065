/**
 * How many members an organization may have.
 */
import type { Plan } from '@keyfold/contract/limits';
import { PLAN_LIMITS } from '../../../base/limits.ts';
import type { Deps } from '../../../context/deps.ts';
import type { Db, Trx } from '../../../db/pool.ts';
import { listOwnerPlans } from './store.ts';

/** What a plan allows of them. Where accounts need an invitation of the operator's, a free plan gives none. */
export const planMemberLimit = (
  { isInvitationNeeded }: Pick<Deps['config'], 'isInvitationNeeded'>,
  plan: Plan,
): number => (isInvitationNeeded && plan === 'free' ? 1 : PLAN_LIMITS[plan].memberLimit);

/** Most members and open invitations of an organisation: by the best plan among its owners. */
export async function memberLimitOf(
  { config }: Pick<Deps, 'config'>,
  db: Db | Trx,
  organizationId: string,
): Promise<number> {
  const plans = await listOwnerPlans(db, organizationId);
  return Math.max(...plans.map(plan => planMemberLimit(config, plan)), 0);
}
