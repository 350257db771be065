/**
 * Whether memory comes back after a flood: the resident memory of the service against what it was in the calm before.
 *
 * [Note: Calm before a flood] The calm follows a short flood of the same kind. The first of a kind leaves behind what the next one
 * uses again: compiled code, the pool's connections, and a heap and arenas of malloc as large as the busiest moment. The short flood is
 * as busy at any moment but lasts a quarter as long at most; the long one comes after the calm as a whole, so what each of its
 * connections or messages leaves shows in full. The calm is the lowest of some seconds at rest, which is the strictest.
 */

const MIB = 1024 * 1024;

export const FLOOD_MEMORY = {
  /** What may be left of a flood, and how soon the rest must be given back (docs/reliability.md#goals). */
  leftMaxBytes: 50 * MIB,
  backMaxMs: 2_000,
  /** How long is waited for it all the same, to tell how late it was. */
  waitedMaxMs: 20_000,
  restMs: 10_000,
  lookEveryMs: 100,
} as const;

export type FloodMemory = {
  /** Milliseconds from the end of the flood until memory was back; null when it did not come back while that was waited for. */
  readonly back_after_ms: number | null;
  readonly calm_rss_mb: number;
  /** At the end of the flood, and when the look at it ended. */
  readonly rss_mb_over_calm_at_end: number;
  readonly rss_mb_over_calm: number;
};

/** Lets `flood` run with `warmTurns`, rest, and run with `turns`; what it gave, and what became of memory. */
export async function watchFlood<Given>(
  flood: (turns: number) => Promise<Given>,
  { warmTurns, turns }: { readonly warmTurns: number; readonly turns: number },
  rssBytes: () => number,
  times: {
    readonly restMs: number;
    readonly waitedMaxMs: number;
    readonly lookEveryMs: number;
  } = FLOOD_MEMORY,
): Promise<{ readonly given: Given; readonly memory: FloodMemory }> {
  const { restMs, waitedMaxMs, lookEveryMs } = times;
  const pause = () => new Promise(resolve => setTimeout(resolve, lookEveryMs));
  await flood(warmTurns);
  let calmBytes = Number.POSITIVE_INFINITY;
  const restEndsAt = performance.now() + restMs;
  do {
    await pause();
    calmBytes = Math.min(calmBytes, rssBytes());
  } while (performance.now() < restEndsAt);
  const given = await flood(turns);
  const endedAt = performance.now();
  const overCalmMb = () => Math.round((rssBytes() - calmBytes) / MIB);
  const atEnd = overCalmMb();
  const isBack = () => rssBytes() < calmBytes + FLOOD_MEMORY.leftMaxBytes;
  let backAfterMs: number | null = null;
  while (backAfterMs === null && performance.now() - endedAt < waitedMaxMs) {
    if (isBack()) backAfterMs = Math.round(performance.now() - endedAt);
    else await pause();
  }
  return {
    given,
    memory: {
      back_after_ms: backAfterMs,
      calm_rss_mb: Math.round(calmBytes / MIB),
      rss_mb_over_calm_at_end: atEnd,
      rss_mb_over_calm: overCalmMb(),
    },
  };
}

/** Whether memory was back as soon as the goal says. */
export const isBackInTime = ({ back_after_ms: ms }: FloodMemory): boolean =>
  ms !== null && ms <= FLOOD_MEMORY.backMaxMs;
