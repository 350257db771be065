/**
 * Job bodies: checking every subscription, in case an event was lost, and deleting customers of
 * closed accounts.
 */
import { PaymentsError } from '../../../adapters/payments.ts';
import { BILLING_LOOK_AGAIN_MS, CHECKOUT_WATCHED_MS } from '../../../base/limits.ts';
import type { Deps } from '../../../context/deps.ts';
import { lookAt } from './look.ts';
import { listUnseen } from './store.ts';

export { closeCustomers } from './closings.ts';

const PAGE = 200;
const FIRST = '00000000-0000-0000-0000-000000000000';
/** After this many consecutive failures Stripe counts as down: the rest waits for the next run. */
const FAILURES_MAX = 3;

/**
 * Checks all customers that pay, or may be about to, and were not checked in the last hour. Returns
 * how many.
 */
export async function reconcileBilling(deps: Deps): Promise<number> {
  const { db, clock, payments, logger } = deps;
  if (payments === null) return 0;
  const now = clock.now();
  const lookedBefore = new Date(now.getTime() - BILLING_LOOK_AGAIN_MS);
  const askedSince = new Date(now.getTime() - CHECKOUT_WATCHED_MS);
  let [looked, failures, after] = [0, 0, FIRST];
  while (true) {
    const page = await listUnseen(db, { after, lookedBefore, askedSince, count: PAGE });
    for (const { user_id, customer_id } of page) {
      after = user_id;
      if (customer_id === null) continue;
      try {
        await lookAt(deps, payments, customer_id);
        looked++;
        failures = 0;
      } catch (error) {
        if (!(error instanceof PaymentsError)) throw error;
        logger.warn({ kind: error.kind, reason: error.code, err: error }, 'could not check a subscription');
        if (++failures >= FAILURES_MAX) return looked;
      }
    }
    if (page.length < PAGE) return looked;
  }
}
