/**
 * import-pst: a PST is read in the worker of a tab of Chromium, each mail sealed and stored at the server with fsync, against
 * readpst, which writes the same mails into plain files; small mails, and mails with a file of 200 KB. And the memory of the
 * tab while it reads a PST of 10 GB. The files are written by the tests' own writer. Arguments: mails (default 5000), rounds
 * (default 5), gigabytes (default 10). readpst is the Debian package pst-utils; without it the rates are told alone, and are open.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createProduct } from '@keyfold/testing/product';
import { password } from '../apps/web/e2e/support/people.ts';
import { register } from './big-mailbox/fill.mjs';
import { signIn, watchMemory } from './big-mailbox/memory.mjs';
import { openPlainTab } from './big-mailbox/plain-tab.mjs';
import { bringIn } from './export/drive.mjs';
import { writeMessages } from './import-pst/files.mjs';
import { atLeast, atMost, withoutPeer } from './shared/goals.mjs';

const GIGABYTE = 1024 ** 3;
const FILE_BYTES = 200_000;
/** Mails with files are so many fewer. */
const FILE_SHARE = 0.1;
const MEMORY_LIMIT_MB = 300;
/** The goal of memory is of a file so large; with a smaller one it is open. */
const GOAL_GIGABYTES = 10;

const median = numbers => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** Mails a second that readpst writes into files of their own; null without it. */
function measureReadpst(file, folder, count) {
  const out = mkdtempSync(path.join(folder, 'readpst-'));
  try {
    const startedAt = performance.now();
    const { error, status, stdout } = spawnSync('readpst', ['-q', '-e', '-o', out, file], {
      encoding: 'utf8',
    });
    if (/** @type {NodeJS.ErrnoException | undefined} */ (error)?.code === 'ENOENT') return null;
    if (status !== 0) throw new Error(`readpst failed: ${stdout}`);
    return count / ((performance.now() - startedAt) / 1000);
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

/** Brings a file in to a new account; mails a second, and the most megabytes that the tab had. */
async function measureOurs(baseUrl, name, file, count) {
  const address = `${name}@keyfold.test`;
  await register(baseUrl, 'Brings In', address, password);
  const tab = await openPlainTab();
  try {
    await signIn(tab, baseUrl, address, password);
    const memory = watchMemory(tab);
    const { seconds, says } = await bringIn(tab, baseUrl, [file]);
    if (!says.startsWith(`Imported${count.toLocaleString('en')}`))
      throw new Error(`not all came in: ${says}`);
    const megabytes = memory.mark();
    await memory.stop();
    return { rate: count / seconds, megabytes };
  } finally {
    await tab.close();
  }
}

async function measureKind(baseUrl, folder, kind, messages, rounds) {
  const file = path.join(folder, `${kind}.pst`);
  writeMessages(file, messages);
  /** @type {Record<'ours' | 'peer', number[]>} */
  const { ours, peer } = { ours: [], peer: [] };
  for (let round = 0; round < rounds; round++) {
    const rate = measureReadpst(file, folder, messages.count);
    if (rate !== null) peer.push(rate);
    ours.push((await measureOurs(baseUrl, `${kind}${round}`, file, messages.count)).rate);
  }
  rmSync(file);
  return { ours: median(ours), peer: peer.length === 0 ? null : median(peer) };
}

function rateLine(bench, { ours, peer }, least) {
  const line = {
    bench: `import-pst ${bench}`,
    ours: Math.round(ours),
    unit: 'mails/s, sealed and stored',
    peer_is: 'readpst writing plain files',
    goal: `>= ${least}`,
  };
  return peer === null
    ? withoutPeer(line, 'readpst is not installed (pst-utils)')
    : atLeast(least, { ...line, peer: Math.round(peer) });
}

export async function run([mails = '5000', rounds = '5', gigabytes = '10']) {
  const count = Number(mails);
  const folder = mkdtempSync(path.join(tmpdir(), 'keyfold-pst-'));
  const product = await createProduct({ KEYFOLD_CAPTCHA_COST: '0' });
  try {
    await product.start();
    const { baseUrl } = product;
    const small = await measureKind(baseUrl, folder, 'small', { count }, Number(rounds));
    const fileCount = Math.ceil(count * FILE_SHARE);
    const files = await measureKind(
      baseUrl,
      folder,
      'files',
      { count: fileCount, fileBytes: FILE_BYTES },
      Number(rounds),
    );
    const large = path.join(folder, 'large.pst');
    writeMessages(large, { count, sizeBytes: Number(gigabytes) * GIGABYTE });
    const { megabytes } = await measureOurs(baseUrl, 'large', large, count);
    return [
      rateLine('small', small, 0.5),
      rateLine('files', files, 1),
      atMost(
        1,
        {
          bench: 'import-pst memory',
          ours: Math.round(megabytes),
          peer: MEMORY_LIMIT_MB,
          unit: `MB of the tab at most, ${gigabytes} GB read`,
          peer_is: 'the limit',
          goal: '<= 1',
        },
        Number(gigabytes) < GOAL_GIGABYTES ? [`${gigabytes} of ${GOAL_GIGABYTES} GB`] : [],
      ),
    ];
  } finally {
    await product.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}
