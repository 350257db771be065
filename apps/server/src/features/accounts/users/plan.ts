/**
 * The only way to change plans, for admins and for billing (docs/spec-map.md 5,
 * docs/interpretations.md#91). The plan's limits apply from the next request. Data beyond the
 * limits of a smaller plan stays, and creating more of it is refused.
 */
import { AppError } from '@keyfold/contract/errors';
import type { Plan } from '@keyfold/contract/plans';
import type { Trx } from '../../../db/pool.ts';
import { lockPlan, updatePlan } from './store.ts';

/**
 * Sets the plan of an account and returns the former one. The row stays locked until the
 * transaction ends. Throws not_found.
 */
export async function setPlan(trx: Trx, userId: string, plan: Plan): Promise<Plan> {
  const former = await lockPlan(trx, userId);
  if (former === undefined) throw new AppError('not_found');
  if (former !== plan) await updatePlan(trx, userId, plan);
  return former;
}
