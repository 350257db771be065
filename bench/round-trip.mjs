/**
 * round-trip: all mail of an account of generated letters (bench/big-mailbox/letters.mjs) goes out as an export, comes in to
 * another account by the import, and goes out once more, all in Chromium. The hash of every mail, its time and its flags
 * have to be the same in both archives, and none may be missing. Argument: letters (default 100000).
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

/** What `work` gives with a tab in which this person is signed in, and the most megabytes that the tab had. */
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
        `${count - same} of ${count} mails are not the same; the import said ${brought.result.says}`,
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
      line('same', same, count, 'mails with the same hash, time, flags and tags', 'all mails', '= 1'),
      line('out', count / first.result.seconds, 1500, 'mails/s packed', 'the goal', '>= 1'),
      line('in', count / brought.result.seconds, 0, 'mails/s read, sealed and stored', 'none', 'none'),
      line('out again', count / second.result.seconds, 1500, 'mails/s packed', 'the goal', '>= 1'),
      line('memory out', first.megabytes, 300, 'MB of the tab at most', 'the limit', '<= 1'),
      line('memory in', brought.megabytes, 300, 'MB of the tab at most', 'the limit', '<= 1'),
    ];
  } finally {
    await product.remove();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  }
}
