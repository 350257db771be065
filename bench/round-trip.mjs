/**
 * round-trip: exports all mail of an account of generated messages
 * (bench/big-mailbox/messages.mjs), imports it into another account, and exports it again, all in
 * Chromium. The hash, time and flags of every message must be the same in both archives, and no
 * message may be missing. Argument: messages (default 100000).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createProduct } from '@keyfold/testing/product';
import { password } from '../apps/web/e2e/support/people.ts';
import { fillMailbox, register } from './big-mailbox/fill.mjs';
import { signIn, watchMemory } from './big-mailbox/memory.mjs';
import { openPlainTab } from './big-mailbox/plain-tab.mjs';
import { readArchive } from './export/archive.mjs';
import { bringIn, packAll, saveArchive } from './export/drive.mjs';

const [FROM, TO] = ['from@keyfold.test', 'to@keyfold.test'];

/**
 * Returns the result of `work` in a tab where this user is signed in, and the maximum megabytes of
 * the tab.
 */
async function inTab(baseUrl, address, work) {
  const tab = await openPlainTab();
  try {
    await signIn(tab, baseUrl, address, password);
    const memory = watchMemory(tab);
    const result = await work(tab);
    const megabytes = memory.mark();
    await memory.stop();
    return { result, megabytes };
  } finally {
    await tab.close();
  }
}

const exportInto = folder => async (tab, baseUrl) => ({
  seconds: await packAll(tab, baseUrl),
  file: await saveArchive(tab, folder),
});

export async function run([messages = '100000']) {
  const count = Number(messages);
  const folders = ['first', 'second'].map(name => mkdtempSync(path.join(tmpdir(), `keyfold-${name}-`)));
  const product = await createProduct({ KEYFOLD_CAPTCHA_COST: '0' });
  try {
    await product.start();
    const { baseUrl } = product;
    await register(baseUrl, 'Goes Out', FROM, password);
    await register(baseUrl, 'Comes In', TO, password);
    await fillMailbox(product, FROM, count);
    const first = await inTab(baseUrl, FROM, tab => exportInto(folders[0])(tab, baseUrl));
    const out = readArchive(first.result.file);
    const brought = await inTab(baseUrl, TO, tab => bringIn(tab, baseUrl, [first.result.file]));
    rmSync(first.result.file);
    const second = await inTab(baseUrl, TO, tab => exportInto(folders[1])(tab, baseUrl));
    const back = new Set(readArchive(second.result.file).mails);
    const same = out.mails.filter(mail => back.has(mail)).length;
    if (same !== count)
      throw new Error(
        `${count - same} of ${count} messages differ; the import reported ${brought.result.says}`,
      );
    const line = (bench, ours, peer, unit, peer_is, goal) => ({
      bench: `round-trip ${bench}`,
      ours: Math.round(ours),
      peer,
      unit,
      peer_is,
      goal,
    });
    return [
      line('same', same, count, 'messages with the same hash, time, flags and tags', 'all messages', '= 1'),
      line('out', count / first.result.seconds, 1500, 'messages/s packed', 'the goal', '>= 1'),
      line('in', count / brought.result.seconds, 0, 'messages/s read, sealed and stored', 'none', 'none'),
      line('second export', count / second.result.seconds, 1500, 'messages/s packed', 'the goal', '>= 1'),
      line('export memory', first.megabytes, 300, 'MB, peak of the tab', 'the limit', '<= 1'),
      line('import memory', brought.megabytes, 300, 'MB, peak of the tab', 'the limit', '<= 1'),
    ];
  } finally {
    await product.remove();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  }
}
