/** A clock that changes only when a test advances it. */
import type { Clock } from '../../src/adapters/clock.ts';

export type TestClock = Clock & {
  /** Advances the clock by milliseconds. */
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
