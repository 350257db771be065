/**
 * Ends an account at Stripe: its customer is deleted there, which ends the subscription at once.
 * The request to do so is stored in the transaction that deletes the account, so that neither a
 * crash nor an unresponsive Stripe loses it.
 */
import { PaymentsError } from '../../../adapters/payments.ts';
import { CLOSING_RETRY_MAX_MS, CLOSING_RETRY_MS } from '../../../base/limits.ts';
import type { Deps } from '../../../context/deps.ts';
import type { Trx } from '../../../db/pool.ts';
import { insertClosing, moveToClosings, removeClosing, takeClosing } from './store.ts';

/** Maximum customers deleted per run. */
const RUN_MAX = 500;

const RETRIES = { firstMs: CLOSING_RETRY_MS, longestMs: CLOSING_RETRY_MAX_MS } as const;

/**
 * Deletes a user's billing data and queues the customer for deletion at Stripe. Call it under the
 * user's lock.
 */
export const endBilling = (trx: Trx, userId: string, now: Date): Promise<void> =>
  moveToClosings(trx, userId, now);

/** Queues the deletion of a customer that belongs to no user. */
export const queueClosing = ({ db, clock }: Pick<Deps, 'clock' | 'db'>, customerId: string): Promise<void> =>
  insertClosing(db, customerId, clock.now());

/**
 * Deletes the customers that are due. Returns how many. Those that Stripe does not delete are
 * retried later.
 */
export async function closeCustomers(deps: Deps): Promise<number> {
  const { db, clock, payments, logger } = deps;
  if (payments === null) return 0;
  let closed = 0;
  for (let taken = 0; taken < RUN_MAX; taken++) {
    const now = clock.now();
    const customerId = await takeClosing(db, now, RETRIES);
    if (customerId === null) break;
    try {
      await payments.deleteCustomer(customerId);
    } catch (error) {
      if (!(error instanceof PaymentsError)) throw error;
      logger.warn(
        { kind: error.kind, reason: error.code, err: error },
        'could not delete a customer at Stripe',
      );
      continue;
    }
    await removeClosing(db, customerId);
    closed++;
  }
  return closed;
}

/** Starts deleting what is due, without waiting for it. */
export function startClosing(deps: Deps): void {
  closeCustomers(deps).catch(error => deps.logger.warn({ err: error }, 'could not delete customers'));
}
