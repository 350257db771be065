/**
 * How much time has passed on this machine, by both of its clocks: the one that a setting moves, and the monotonic one, which
 * no setting moves and which stands still while a virtual machine is suspended. Where they agree nothing of that happened, and
 * what was known a moment ago is as old as they say. Ground.
 */

export type Timers = {
  /** Milliseconds since any moment. */
  readonly monotonicMs: () => number;
  /** Milliseconds since 1970, as the machine is set. */
  readonly wallMs: () => number;
};

export const MACHINE_TIMERS: Timers = { monotonicMs: () => performance.now(), wallMs: () => Date.now() };

/** A moment, as both clocks have it. */
export type Moment = { readonly monotonicMs: number; readonly wallMs: number };

/** Further apart than this, milliseconds, something happened: both are set right alike, little by little. */
const TOLERATED_MS = 1_000;

export const markMoment = ({ monotonicMs, wallMs }: Timers): Moment => ({
  monotonicMs: monotonicMs(),
  wallMs: wallMs(),
});

/** Milliseconds since a moment; null when the clocks disagree, because the machine slept or its clock was set. */
export function elapsedSince(moment: Moment, timers: Timers): number | null {
  const monotonicMs = timers.monotonicMs() - moment.monotonicMs;
  const wallMs = timers.wallMs() - moment.wallMs;
  return Math.abs(wallMs - monotonicMs) > TOLERATED_MS ? null : monotonicMs;
}
