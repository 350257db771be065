/**
 * The clock, injectable so that tests can move it. The running service uses the one from
 * service-clock.ts.
 */
export type Clock = {
  readonly now: () => Date;
  /**
   * Resolves when `now` is reliable enough for leases: immediately, except for a moment after this
   * machine was suspended or its clock was set. Rejects when that cannot be determined now.
   */
  readonly whenSure?: () => Promise<void>;
  /** Stops the clock's background work. */
  readonly close?: () => void;
};

/** The clock of this machine. */
export const systemClock: Clock = { now: () => new Date() };
