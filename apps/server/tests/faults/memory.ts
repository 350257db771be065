/**
 * Checks whether memory is released after a flood, by comparing the resident memory of the service
 * with its baseline.
 *
 * [Note: Calm before a flood] The baseline follows a short flood of the same kind. The first flood
 * of a kind leaves behind resources that the next one reuses: compiled code, the pool's
 * connections, and a heap and malloc arenas sized for the busiest moment. The short flood is just
 * as intense but at most a quarter as long. The long flood runs entirely after the baseline, so
 * leaks of its connections or messages are fully visible. The baseline is the lowest value of
 * several idle seconds, which is the strictest choice.
 */

const MIB = 1024 * 1024;

export const FLOOD_MEMORY = {
  /**
   * Memory that may remain after a flood, and the time within which the rest must be released
   * (docs/reliability.md#goals).
   */
  leftMaxBytes: 50 * MIB,
  backMaxMs: 2_000,
  /** Maximum wait for the release, longer than the goal to report how late it was. */
  waitedMaxMs: 20_000,
  restMs: 10_000,
  lookEveryMs: 100,
} as const;

export type FloodMemory = {
  /**
   * Milliseconds from the end of the flood until memory was released; null if it was not released
   * during the wait.
   */
  readonly back_after_ms: number | null;
  readonly calm_rss_mb: number;
  /** At the end of the flood, and at the end of the measurement. */
  readonly rss_mb_over_calm_at_end: number;
  readonly rss_mb_over_calm: number;
};

/**
 * Runs `flood` with `warmTurns`, rests, and runs it with `turns`. Returns its result and the memory
 * measurements.
 */
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

/** Whether memory was released within the goal. */
export const isBackInTime = ({ back_after_ms: ms }: FloodMemory): boolean =>
  ms !== null && ms <= FLOOD_MEMORY.backMaxMs;
