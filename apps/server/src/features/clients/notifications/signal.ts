/**
 * Wakes the pusher of this process when something waits; those of other processes find it at their next look.
 */
import { createNotifier } from '../../../db/notifier.ts';

const notifier = createNotifier();

/** Calls a listener at every wake for a database; returns what stops it. */
export const onPushSignal = notifier.onWake;

/** To be called once new jobs are committed. */
export const signalPush = notifier.wake;
