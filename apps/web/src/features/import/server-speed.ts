// Speed of a server-side import, measured since the screen was opened.

export type Seen = {
  /** In milliseconds. */
  at: number;
  done: number;
};

/** Minimum measuring time, in milliseconds; a rate over less would fluctuate. */
const SEEN_MS = 6_000;

/**
 * Returns messages per minute and the remaining time at that rate; null while the measurement is
 * too short.
 */
export function speedOf(first: Seen, now: Seen, total: number): { perMinute: number; leftMs: number } | null {
  const passedMs = now.at - first.at;
  const done = now.done - first.done;
  if (passedMs < SEEN_MS || done <= 0) return null;
  return { perMinute: (done * 60_000) / passedMs, leftMs: (Math.max(0, total - now.done) * passedMs) / done };
}
