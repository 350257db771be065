/**
 * send-10: a message of 100 KB sealed to ten recipients in a Chromium worker, as the composer's key
 * worker seals it (built as MIME, with its summary, and with a wrap for the sender too), compared
 * with OpenPGP.js encrypting and signing the same bytes to ten keys. Argument: rounds (default 25).
 */
import path from 'node:path';
import { atMost } from './shared/goals.mjs';
import { measurePage } from './shared/measure.mjs';
import { installPeers } from './shared/peers.mjs';

const median = numbers => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
const round = value => Number(value.toFixed(2));

export async function run([rounds = '25']) {
  const modules = await installPeers('send-10', ['openpgp@6.3.2']);
  const peers = { '/peers/openpgp.mjs': path.join(modules, 'openpgp/dist/openpgp.min.mjs') };
  const times = await measurePage('send-10', peers, Number(rounds));
  return atMost(0.5, {
    ours: round(median(times.ours)),
    peer: round(median(times.peer)),
    unit: 'ms for a message of 100 KB to 10 recipients',
    peer_is: 'OpenPGP.js 6, v4 keys: encrypt and sign',
    goal: '<= 0.5',
  });
}
