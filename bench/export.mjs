/**
 * export: all mail of an account of generated messages (bench/big-mailbox/messages.mjs) is fetched,
 * opened, hashed and packed into an MBOX archive with a sealed working copy, in Chromium, with the
 * search index complete beforehand. The peer opens similar messages with OpenPGP.js, from memory.
 * Arguments: messages (default 100000), rounds (default 5).
 */
import path from 'node:path';
import { createProduct } from '@keyfold/testing/product';
import { password } from '../apps/web/e2e/support/people.ts';
import { fillMailbox, register } from './big-mailbox/fill.mjs';
import { setSearch, signIn, untilIndexed, watchMemory } from './big-mailbox/memory.mjs';
import { messageOf } from './big-mailbox/messages.mjs';
import { openPlainTab } from './big-mailbox/plain-tab.mjs';
import { packAll, removeExport } from './export/drive.mjs';
import { atLeast } from './shared/goals.mjs';
import { measurePage } from './shared/measure.mjs';
import { installPeers } from './shared/peers.mjs';

const ADDRESS = 'export@keyfold.test';
const PEER = 'openpgp@6.3.2';
const PEER_MESSAGES = 500;
const INDEX_MS = 60_000;
const INDEX_MS_PER_MESSAGE = 20;
const GOAL = 1_500;
/** Number of messages that the goal names; with fewer the result is open. */
const GOAL_MESSAGES = 100_000;

const median = numbers => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

async function measureOurs(product, count, rounds) {
  await register(product.baseUrl, 'Takes Out', ADDRESS, password);
  await fillMailbox(product, ADDRESS, count);
  const tab = await openPlainTab();
  try {
    await signIn(tab, product.baseUrl, ADDRESS, password);
    await setSearch(tab, '');
    await tab.type('a');
    await untilIndexed(tab, INDEX_MS + count * INDEX_MS_PER_MESSAGE);
    const memory = watchMemory(tab);
    memory.mark();
    const rates = [];
    for (let round = 0; round < rounds; round++) {
      rates.push(count / (await packAll(tab, product.baseUrl)));
      await removeExport(tab);
    }
    const megabytes = memory.mark();
    await memory.stop();
    return { rates, megabytes };
  } finally {
    await tab.close();
  }
}

export async function run([messages = '100000', rounds = '5']) {
  const modules = await installPeers('export', [PEER]);
  const product = await createProduct({ KEYFOLD_CAPTCHA_COST: '0' });
  try {
    await product.start();
    const { rates, megabytes } = await measureOurs(product, Number(messages), Number(rounds));
    const peerRates = await measurePage(
      'export',
      { '/peers/openpgp.mjs': path.join(modules, 'openpgp/dist/openpgp.min.mjs') },
      {
        messages: Array.from({ length: PEER_MESSAGES }, (_, n) => messageOf(n, PEER_MESSAGES, ADDRESS)),
        rounds: Number(rounds),
      },
    );
    const ours = Math.round(median(rates));
    const unit = 'messages/s packed';
    const shortOf = Number(messages) < GOAL_MESSAGES ? [`${messages} of ${GOAL_MESSAGES} messages`] : [];
    return [
      {
        ours,
        peer: Math.round(median(peerRates)),
        unit,
        peer_is: 'OpenPGP.js 6, v4 keys, signed: decrypts messages in memory',
        goal: 'none',
      },
      atLeast(
        1,
        { bench: 'export rate', ours, peer: GOAL, unit, peer_is: 'the goal', goal: '>= 1' },
        shortOf,
      ),
      {
        bench: 'export memory',
        ours: Math.round(megabytes),
        peer: 300,
        unit: 'MB, peak of the tab',
        peer_is: 'the limit of an import',
        goal: '<= 1',
      },
    ];
  } finally {
    await product.remove();
  }
}
