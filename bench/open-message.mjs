/**
 * open-message: an HTML message of 100 KB from its ciphertext to the frame that shows it: opened
 * and parsed in a Chromium worker, sanitized in slices on the main thread, written into
 * message-frame.html, and painted. Compared with OpenPGP.js (decrypt, verify) plus postal-mime for
 * their part, and with DOMPurify in one pass for the whole path. Argument: rounds (default 25).
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { atMost } from './shared/goals.mjs';
import { measurePage } from './shared/measure.mjs';
import { installPeers } from './shared/peers.mjs';

const PEERS = ['openpgp@6.3.2', 'postal-mime@4.0.0', 'dompurify@3.4.18'];
const PAINT_LIMIT_MS = 150;

const median = numbers => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
const round = value => Number(value.toFixed(2));

export async function run([rounds = '25']) {
  const modules = await installPeers('open-message', PEERS);
  const postalMime = path.join(modules, 'postal-mime/dist/esm');
  const files = {
    '/peers/openpgp.mjs': path.join(modules, 'openpgp/dist/openpgp.min.mjs'),
    '/peers/purify.mjs': path.join(modules, 'dompurify/dist/purify.es.mjs'),
    ...Object.fromEntries(
      readdirSync(postalMime).map(name => [`/peers/postal-mime/${name}`, path.join(postalMime, name)]),
    ),
    '/message-frame.html': fileURLToPath(new URL('../apps/web/public/message-frame.html', import.meta.url)),
  };
  const { opened, painted } = await measurePage('open-message', files, Number(rounds));
  const ours = { ours: round(median(painted.ours)), unit: 'ms from ciphertext to paint' };
  return [
    atMost(0.5, {
      bench: 'open-message opened and parsed',
      ours: round(median(opened.ours)),
      peer: round(median(opened.peer)),
      unit: 'ms in the worker',
      peer_is: 'OpenPGP.js 6, v4 keys: decrypt and verify; postal-mime',
      goal: '<= 0.5',
    }),
    atMost(1, {
      ...ours,
      bench: 'open-message to first paint',
      peer: PAINT_LIMIT_MS,
      peer_is: 'the limit',
      goal: '<= 1',
    }),
    {
      ...ours,
      bench: 'open-message to first paint',
      peer: round(median(painted.peer)),
      peer_is: 'OpenPGP.js 6, postal-mime, DOMPurify without pauses, the same frame',
      goal: 'reported only',
    },
  ];
}
