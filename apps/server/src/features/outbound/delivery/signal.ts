/**
 * Wakes the queue worker in this process. Workers in other processes find new rows at their next
 * poll.
 */

import { createNotifier } from '../../../db/notifier.ts';
import type { Db } from '../../../db/pool.ts';

const notifier = createNotifier();

/** Calls `listener` on every signal for this database. Returns a function that unsubscribes it. */
export const onDeliverySignal = notifier.onWake;

/** Call after new queue rows have been committed. */
export const signalDelivery = ({ db }: { readonly db: Db }): void => notifier.wake(db);
