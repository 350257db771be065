/**
 * Measures each way of opening a list in turn, for several rounds, and posts the times of all
 * rounds.
 */
import { openMessages, prepare } from './openpgp-peer.mjs';
import { prepareOurs } from './ours.mjs';
import { loadKeys, openBare, prepareRow } from './primitives.mjs';

const MESSAGES = 50;
const MESSAGE_BYTES = 4096;
/**
 * Operations of a few milliseconds are measured more often, because a busy machine disturbs them
 * more.
 */
const QUICK_TURNS = 4;

const payloads = Array.from({ length: MESSAGES }, (_, number) =>
  new TextEncoder().encode(`Message ${number}. `.padEnd(MESSAGE_BYTES, 'All work and no play. ')),
);

// Served as published: the bundler must not touch the files. Null if one is unavailable.
const loadPeer = name => import(/* @vite-ignore */ `${location.origin}/peers/${name}.mjs`).catch(() => null);

/**
 * A way of opening the list: repetitions per round, the preparation that is not timed, and the
 * operation that is.
 * @typedef {{ turns: number, before?: () => Promise<unknown>, run: () => Promise<unknown> }} Series
 */

/** Measures a peer both sequentially and with all messages at once; the better median counts. */
async function seriesOf(name, peer, options) {
  if (peer === null) return {};
  const prepared = await prepare(peer, options, payloads);
  return {
    [`${name}InTurn`]: { turns: 1, run: () => openMessages(prepared, 1) },
    [`${name}AtOnce`]: { turns: 1, run: () => openMessages(prepared, MESSAGES) },
  };
}

/** Returns the series of bare WebCrypto calls; none in an engine whose WebCrypto has no ML-KEM. */
async function bareSeries({ identity, mails }) {
  try {
    const keys = await loadKeys(identity);
    const rows = mails.map(prepareRow);
    return {
      bareInWaves: { turns: QUICK_TURNS, run: () => openBare(keys, rows, 8) },
      bareAtOnce: { turns: QUICK_TURNS, run: () => openBare(keys, rows, MESSAGES) },
    };
  } catch (error) {
    if (error.name !== 'NotSupportedError') throw error;
    return {};
  }
}

/** @returns {Promise<Record<string, Series>>} */
async function prepareSeries() {
  const [openpgp, proton] = await Promise.all([loadPeer('openpgp'), loadPeer('proton')]);
  const ours = await prepareOurs(payloads);
  const bare = await bareSeries(ours);
  // Version 4 keys with Curve25519, as Proton creates them; the second has a post-quantum
  // encryption key. Signatures are Ed25519 in both: ML-DSA would double the peer's time, and
  // Keyfold has nothing comparable here.
  const classic = { type: 'ecc', curve: 'curve25519Legacy' };
  const v4 = await seriesOf('v4', openpgp, classic);
  const pq = await seriesOf('pq', proton, { ...classic, subkeys: [{ type: 'pqc' }] });
  return {
    unseen: { turns: QUICK_TURNS, before: ours.unlock, run: ours.open },
    ...bare,
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
  // Two warm-up rounds are not counted.
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
