/**
 * A clock that stands still until it is moved.
 */
import type { Clock } from '../../src/adapters/clock.ts';

export type TestClock = Clock & {
  /** Moves on by milliseconds. */
  readonly advance: (byMs: number) => void;
};

export function createTestClock(start: Date = new Date()): TestClock {
  let nowMs = start.getTime();
  return {
    now: () => new Date(nowMs),
    advance: byMs => {
      nowMs += byMs;
    },
  };
}
