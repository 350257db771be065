/**
 * The end of an account at Stripe: its customer is deleted there, which ends the subscription at once. The order to do so is
 * stored in the transaction that ends the account, so that neither a crash nor a silent Stripe loses it.
 */
import { PaymentsError } from '../../../adapters/payments.ts';
import { CLOSING_RETRY_MAX_MS, CLOSING_RETRY_MS } from '../../../base/limits.ts';
import type { Deps } from '../../../context/deps.ts';
import type { Trx } from '../../../db/pool.ts';
import { insertClosing, moveToClosings, removeClosing, takeClosing } from './store.ts';

/** Customers that one run deletes. */
const RUN_MAX = 500;

const retryAt = (now: Date, attempts: number): Date =>
  new Date(now.getTime() + Math.min(CLOSING_RETRY_MS * 2 ** Math.min(attempts, 20), CLOSING_RETRY_MAX_MS));

/** Takes a user's billing away; the customer waits to be deleted at Stripe. Under the user's lock. */
export const endBilling = (trx: Trx, userId: string, now: Date): Promise<void> =>
  moveToClosings(trx, userId, now);

/** A customer of nobody's. */
export const queueClosing = ({ db, clock }: Pick<Deps, 'clock' | 'db'>, customerId: string): Promise<void> =>
  insertClosing(db, customerId, clock.now());

/** Deletes the customers that are due; answers how many. Those that Stripe does not delete are tried again later. */
export async function closeCustomers(deps: Deps): Promise<number> {
  const { db, clock, payments, logger } = deps;
  if (payments === null) return 0;
  let closed = 0;
  for (let taken = 0; taken < RUN_MAX; taken++) {
    const now = clock.now();
    const customerId = await takeClosing(db, now, attempts => retryAt(now, attempts));
    if (customerId === null) break;
    try {
      await payments.deleteCustomer(customerId);
    } catch (error) {
      if (!(error instanceof PaymentsError)) throw error;
      logger.warn(
        { kind: error.kind, reason: error.code, err: error },
        'a customer could not be deleted at Stripe',
      );
      continue;
    }
    await removeClosing(db, customerId);
    closed++;
  }
  return closed;
}

/** Begins to delete what is due, and waits for nothing. */
export function startClosing(deps: Deps): void {
  closeCustomers(deps).catch(error => deps.logger.warn({ err: error }, 'customers could not be deleted'));
}
