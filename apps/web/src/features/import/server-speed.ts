// How fast an import by the server is, by what was seen of it since one looks.

export type Seen = {
  /** Milliseconds. */
  at: number;
  done: number;
};

/** A rate from less than this would jump. */
const SEEN_MS = 6_000;

/** Messages a minute, and the time that is left at that rate; null while too little was seen. */
export function speedOf(first: Seen, now: Seen, total: number): { perMinute: number; leftMs: number } | null {
  const passedMs = now.at - first.at;
  const done = now.done - first.done;
  if (passedMs < SEEN_MS || done <= 0) return null;
  return { perMinute: (done * 60_000) / passedMs, leftMs: (Math.max(0, total - now.done) * passedMs) / done };
}
