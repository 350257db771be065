/**
 * open-list: opens the 50 rows of a list from their ciphertext in a Chromium worker, on first and
 * on later views, compared with OpenPGP.js with v4 keys, Proton's build of it with post-quantum
 * keys, and the bare WebCrypto calls. Argument: rounds (default 15).
 */
import path from 'node:path';
import { atMost, withoutPeer } from './shared/goals.mjs';
import { measurePage } from './shared/measure.mjs';
import { installPeers } from './shared/peers.mjs';

const PEERS = ['openpgp@6.3.2', '@protontech/openpgp@6.3.0'];

const median = numbers => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
const round = value => Number(value.toFixed(2));

/**
 * Returns the times of each series, in milliseconds. Unavailable peers are missing, and `problem`
 * says why.
 */
async function measure(rounds) {
  let [files, problem] = [{}, 'could not load the peer'];
  try {
    const modules = await installPeers('open-list', PEERS);
    files = {
      '/peers/openpgp.mjs': path.join(modules, 'openpgp/dist/openpgp.min.mjs'),
      '/peers/proton.mjs': path.join(modules, '@protontech/openpgp/dist/openpgp.min.mjs'),
    };
  } catch (error) {
    problem = error.message.split('\n')[0];
  }
  return { times: await measurePage('open-list', files, rounds), problem };
}

export async function run([rounds = '15']) {
  const { times, problem } = await measure(Number(rounds));
  const best = names => round(Math.min(...names.map(name => median(times[name]))));
  const line = (ours, peers, peer_is, limit, missing = problem) => {
    const result = { ours: best([ours]), unit: 'ms for 50', peer_is, goal: `<= ${limit}` };
    return peers.every(name => name in times)
      ? atMost(limit, { ...result, peer: best(peers) })
      : withoutPeer(result, missing);
  };
  const v4 = [['v4InTurn', 'v4AtOnce'], 'OpenPGP.js 6, v4 keys: decrypt and verify'];
  const pq = [
    ['pqInTurn', 'pqAtOnce'],
    'OpenPGP.js 6 of Proton, post-quantum encryption keys: decrypt and verify',
  ];
  return [
    line('unseen', ...v4, 0.35),
    line('unseen', ...pq, 0.12),
    line(
      'unseen',
      ['bareInWaves', 'bareAtOnce'],
      'the bare WebCrypto calls',
      1.5,
      'the WebCrypto of this browser has no ML-KEM',
    ),
    { ...line('seen', ...v4, 0.05), bench: 'open-list cached' },
  ];
}
