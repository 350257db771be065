/** Measures each way of opening a list in turn, round after round, and posts the times of all rounds. */
import { openMessages, prepare } from './openpgp-peer.mjs';
import { prepareOurs } from './ours.mjs';
import { loadKeys, openBare, prepareRow } from './primitives.mjs';

const MESSAGES = 50;
const MESSAGE_BYTES = 4096;
/** What takes a few milliseconds is measured oftener: a busy machine disturbs it more. */
const QUICK_TURNS = 4;

const payloads = Array.from({ length: MESSAGES }, (_, number) =>
  new TextEncoder().encode(`Message ${number}. `.padEnd(MESSAGE_BYTES, 'All work and no play. ')),
);

// Served as they were published: the bundler must not touch them. Null where one could not be had.
const loadPeer = name => import(/* @vite-ignore */ `${location.origin}/peers/${name}.mjs`).catch(() => null);

/**
 * A way of opening the list: how often in a round, what comes before that does not count, and what is measured.
 * @typedef {{ turns: number, before?: () => Promise<unknown>, run: () => Promise<unknown> }} Series
 */

/** Peers are measured both one message after the other and all at once; the better median counts. */
async function seriesOf(name, peer, options) {
  if (peer === null) return {};
  const prepared = await prepare(peer, options, payloads);
  return {
    [`${name}InTurn`]: { turns: 1, run: () => openMessages(prepared, 1) },
    [`${name}AtOnce`]: { turns: 1, run: () => openMessages(prepared, MESSAGES) },
  };
}

/** @returns {Promise<Record<string, Series>>} */
async function prepareSeries() {
  const [openpgp, proton] = await Promise.all([loadPeer('openpgp'), loadPeer('proton')]);
  const ours = await prepareOurs(payloads);
  const keys = await loadKeys(ours.identity);
  const rows = ours.mails.map(prepareRow);
  // Keys of version 4 with Curve25519, as Proton makes them; the second with a post-quantum key to encrypt to. Signatures
  // are Ed25519 in both: ML-DSA, which nothing of ours compares to, would double the peer's time.
  const classic = { type: 'ecc', curve: 'curve25519Legacy' };
  const v4 = await seriesOf('v4', openpgp, classic);
  const pq = await seriesOf('pq', proton, { ...classic, subkeys: [{ type: 'pqc' }] });
  return {
    unseen: { turns: QUICK_TURNS, before: ours.unlock, run: ours.open },
    bareInWaves: { turns: QUICK_TURNS, run: () => openBare(keys, rows, 8) },
    bareAtOnce: { turns: QUICK_TURNS, run: () => openBare(keys, rows, MESSAGES) },
    seen: { turns: QUICK_TURNS, before: ours.open, run: ours.open },
    ...v4,
    ...pq,
  };
}

/** @param {Series} series */
async function measureOnce({ before, run }) {
  await before?.();
  const start = performance.now();
  await run();
  return performance.now() - start;
}

async function measure(rounds) {
  const series = Object.entries(await prepareSeries());
  /** @type {Record<string, number[]>} */
  const times = Object.fromEntries(series.map(([name]) => [name, []]));
  // Two rounds to warm the engine up are not counted.
  for (let round = -2; round < rounds; round++)
    for (let turn = 0; turn < QUICK_TURNS; turn++)
      for (const [name, one] of series) {
        if (turn >= one.turns) continue;
        const took = await measureOnce(one);
        if (round >= 0) times[name].push(took);
      }
  return times;
}

addEventListener('message', ({ data: rounds }) => {
  measure(rounds).then(
    times => postMessage({ times }),
    error => postMessage({ failure: String(error?.stack ?? error) }),
  );
});
