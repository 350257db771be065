/**
 * The time, injectable so that tests can move it.
 */
export type Clock = { readonly now: () => Date };

export const systemClock: Clock = { now: () => new Date() };
