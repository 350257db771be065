/**
 * Wakes the queue's worker in this process. Workers of other processes find new rows at their next poll.
 */

import type { Db } from '../../../db/pool.ts';
import { createWakes } from '../../../db/wakes.ts';

const wakes = createWakes();

/** Calls `listener` at every wake for this database; returns what stops it. */
export const onWake = wakes.onWake;

/** To be called once new rows of the queue are committed. */
export const wakeDelivery = ({ db }: { readonly db: Db }): void => wakes.wake(db);
