/**
 * Queries addresses with and without an account in turn, pair by pair and in random order within
 * each pair, so that a busy machine affects both equally. Compares the answers and the times.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { mannWhitneyP, median } from './mann-whitney.mjs';

/** Work left over from one answer must not affect the time of the next. */
const SETTLE_MS = 12;

async function timed(work) {
  const startedAt = performance.now();
  const shown = await work();
  return { shown, ms: performance.now() - startedAt };
}

/**
 * For existing addresses and for unused ones: their times in milliseconds, and the set of distinct
 * answers.
 * @typedef {{ times: [number[], number[]], answers: [Set<string>, Set<string>] }} Asked
 */

/**
 * Queries `rounds` times, a pair each time. If `after` is given, the timed request is `after`, sent
 * right after the call; otherwise the call itself is timed.
 * @param {(address: string) => Promise<string>} call
 * @param {[existing: string, nobodys: string][]} pairs
 * @param {number} rounds
 * @param {(() => Promise<unknown>) | null} [after]
 */
export async function askInPairs(call, pairs, rounds, after = null) {
  /** @type {Asked} */
  const { times, answers } = { times: [[], []], answers: [new Set(), new Set()] };
  for (let round = 0; round < rounds; round++) {
    const pair = pairs[round % pairs.length];
    const order = Math.random() < 0.5 ? [0, 1] : [1, 0];
    for (const which of order) {
      const direct = await timed(() => call(pair[which]));
      answers[which].add(direct.shown.replaceAll(pair[which], 'THE ADDRESS'));
      times[which].push(after === null ? direct.ms : (await timed(after)).ms);
      await sleep(SETTLE_MS);
    }
  }
  return { times, answers };
}

/**
 * Returns the difference of the medians, in percent of the median for unused addresses, and the
 * probability of it arising by chance.
 * @param {Asked} asked
 */
export function compare({ times: [existing, nobodys], answers: [ofExisting, ofNobody] }) {
  const [existingMs, nobodyMs] = [median(existing), median(nobodys)];
  return {
    existingMs,
    nobodyMs,
    differencePercent: ((existingMs - nobodyMs) / nobodyMs) * 100,
    p: mannWhitneyP(existing, nobodys),
    isTold: [...ofExisting].sort().join('\0') !== [...ofNobody].sort().join('\0'),
    kinds: [...new Set([...ofExisting, ...ofNobody])].map(text => Number(text.slice(0, 3))),
  };
}
