/**
 * Signals the push worker of this process when jobs are queued. Workers of other processes find
 * them at their next poll.
 */
import { createNotifier } from '../../../db/notifier.ts';

const notifier = createNotifier();

/** Calls a listener at every signal for a database; returns a function that stops it. */
export const onPushSignal = notifier.onWake;

/** Call it after new jobs have been committed. */
export const signalPush = notifier.wake;
