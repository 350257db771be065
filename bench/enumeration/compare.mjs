/**
 * Asks about addresses that have an account and about those of nobody in turn, pair by pair and in random order within each, so
 * that a busy machine is as busy for both; and compares what came and how long it took.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { mannWhitneyP, median } from './mann-whitney.mjs';

/** What an answer leaves to be done must not fall into the next one's time. */
const SETTLE_MS = 12;

async function timed(work) {
  const startedAt = performance.now();
  const shown = await work();
  return { shown, ms: performance.now() - startedAt };
}

/**
 * Of those that exist and those of nobody: their times, milliseconds, and the answers that came, each once.
 * @typedef {{ times: [number[], number[]], answers: [Set<string>, Set<string>] }} Asked
 */

/**
 * Asks `rounds` times about a pair. `after` is what is timed; the call itself unless
 * given, when it is what is asked right after the call.
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
 * How much the medians differ, percent of the one of nobody, and how likely that is by chance.
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
