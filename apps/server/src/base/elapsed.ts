/**
 * Measures elapsed time with both of the machine's clocks: the wall clock, which can be set, and
 * the monotonic clock, which cannot be set and stops while a virtual machine is suspended. When
 * both agree, neither has happened, and the age of earlier data is known. Base layer.
 */

export type Timers = {
  /** Returns milliseconds since an arbitrary moment. */
  readonly monotonicMs: () => number;
  /** Returns milliseconds since 1970 by the machine's wall clock. */
  readonly wallMs: () => number;
};

export const MACHINE_TIMERS: Timers = { monotonicMs: () => performance.now(), wallMs: () => Date.now() };

/** A moment on both clocks. */
export type Moment = { readonly monotonicMs: number; readonly wallMs: number };

/**
 * Tolerated difference between the clocks, in milliseconds. A larger one means that the clock was
 * set or the machine suspended; gradual corrections affect both clocks alike.
 */
const TOLERATED_MS = 1_000;

export const markMoment = ({ monotonicMs, wallMs }: Timers): Moment => ({
  monotonicMs: monotonicMs(),
  wallMs: wallMs(),
});

/**
 * Returns the milliseconds since a moment; null when the clocks disagree because the machine was
 * suspended or its clock was set.
 */
export function elapsedSince(moment: Moment, timers: Timers): number | null {
  const monotonicMs = timers.monotonicMs() - moment.monotonicMs;
  const wallMs = timers.wallMs() - moment.wallMs;
  return Math.abs(wallMs - monotonicMs) > TOLERATED_MS ? null : monotonicMs;
}
