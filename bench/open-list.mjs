/**
 * open-list: 50 rows of a list opened from their ciphertext in a worker of Chromium, never seen and seen before, against
 * OpenPGP.js with v4 keys, Proton's build of it with post-quantum keys, and the bare WebCrypto calls. Argument: rounds
 * (default 15).
 */
import path from 'node:path';
import { measurePage } from './shared/measure.mjs';
import { installPeers } from './shared/peers.mjs';

const PEERS = ['openpgp@6.3.2', '@protontech/openpgp@6.3.0'];

const median = numbers => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
const round = value => Number(value.toFixed(2));

async function measure(rounds) {
  const modules = await installPeers('open-list', PEERS);
  const peers = {
    '/peers/openpgp.mjs': path.join(modules, 'openpgp/dist/openpgp.min.mjs'),
    '/peers/proton.mjs': path.join(modules, '@protontech/openpgp/dist/openpgp.min.mjs'),
  };
  return measurePage('open-list', peers, rounds);
}

export async function run([rounds = '15']) {
  const times = await measure(Number(rounds));
  const best = (...names) => round(Math.min(...names.map(name => median(times[name]))));
  const v4 = best('v4InTurn', 'v4AtOnce');
  const line = (ours, peer, peer_is, goal) => ({ ours: best(ours), peer, unit: 'ms for 50', peer_is, goal });
  return [
    line('unseen', v4, 'OpenPGP.js 6, v4 keys: decrypt and verify', '<= 0.35'),
    line(
      'unseen',
      best('pqInTurn', 'pqAtOnce'),
      'OpenPGP.js 6 of Proton, post-quantum encryption keys: decrypt and verify',
      '<= 0.12',
    ),
    line('unseen', best('bareInWaves', 'bareAtOnce'), 'the bare WebCrypto calls', '<= 1.5'),
    {
      ...line('seen', v4, 'OpenPGP.js 6, v4 keys: decrypt and verify', '<= 0.05'),
      bench: 'open-list seen again',
    },
  ];
}
