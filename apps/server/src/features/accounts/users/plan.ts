/**
 * The one way to another plan, for admins and for billing (docs/spec-map.md 5, docs/interpretations.md#91): limits follow from
 * the plan at the next call, what a smaller plan would not allow stays, and more of it is refused where it is made.
 */
import { AppError } from '@keyfold/contract/errors';
import type { Plan } from '@keyfold/contract/limits';
import type { Trx } from '../../../db/pool.ts';
import { lockPlan, updatePlan } from './store.ts';

/** Sets the plan of an account, whose row stays locked until the end; answers the former one. Throws not_found. */
export async function setPlan(trx: Trx, userId: string, plan: Plan): Promise<Plan> {
  const former = await lockPlan(trx, userId);
  if (former === undefined) throw new AppError('not_found');
  if (former !== plan) await updatePlan(trx, userId, plan);
  return former;
}
