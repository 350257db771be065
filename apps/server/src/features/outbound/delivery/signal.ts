/**
 * Wakes the queue's worker in this process. Workers of other processes find new rows at their next poll.
 */

import { createNotifier } from '../../../db/notifier.ts';
import type { Db } from '../../../db/pool.ts';

const notifier = createNotifier();

/** Calls `listener` at every wake for this database; returns what stops it. */
export const onDeliverySignal = notifier.onWake;

/** To be called once new rows of the queue are committed. */
export const signalDelivery = ({ db }: { readonly db: Db }): void => notifier.wake(db);
