/**
 * The time, injectable so that tests can move it. The running service has the one of service-clock.ts.
 */
export type Clock = {
  readonly now: () => Date;
  /**
   * Resolves when what `now` says can be relied on for leases: at once, but for the moment after this machine was suspended or
   * its clock was set. Rejects when that cannot be found out now.
   */
  readonly whenSure?: () => Promise<void>;
  /** Ends what the clock does by itself. */
  readonly close?: () => void;
};

/** This machine's own. */
export const systemClock: Clock = { now: () => new Date() };
