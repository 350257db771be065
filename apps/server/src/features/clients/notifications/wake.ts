/**
 * Wakes the pusher of this process when something waits; those of other processes find it at their next look.
 */
import { createWakes } from '../../../db/wakes.ts';

const wakes = createWakes();

/** Calls a listener at every wake for a database; returns what stops it. */
export const onPushWake = wakes.onWake;

/** To be called once new jobs are committed. */
export const wakePush = wakes.wake;
