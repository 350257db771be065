/**
 * import-pst: reads a PST in the worker of a Chromium tab, seals each message and stores it at the
 * server with fsync, compared with readpst, which writes the same messages into plain files; with
 * small messages, and with messages that have a file of 200 KB. Also measures the tab's memory
 * while it reads a PST of 10 GB. The test suite's writer creates the files. Arguments: messages
 * (default 5000), rounds (default 5), gigabytes (default 10). readpst is in the Debian package
 * pst-utils; without it only the rates are reported, and the comparison is open.
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
/** Number of messages with files, as a fraction of the others. */
const FILE_SHARE = 0.1;
const MEMORY_LIMIT_MB = 300;
/** File size that the memory goal names; with a smaller one the result is open. */
const GOAL_GIGABYTES = 10;

const median = numbers => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/**
 * Returns the messages per second that readpst writes into separate files; null if it is not
 * installed.
 */
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

/**
 * Imports a file into a new account. Returns the messages per second and the maximum megabytes of
 * the tab.
 */
async function measureOurs(baseUrl, name, file, count) {
  const address = `${name}@keyfold.test`;
  await register(baseUrl, 'Brings In', address, password);
  const tab = await openPlainTab();
  try {
    await signIn(tab, baseUrl, address, password);
    const memory = watchMemory(tab);
    const { seconds, says } = await bringIn(tab, baseUrl, [file]);
    if (!says.startsWith(`Imported${count.toLocaleString('en')}`))
      throw new Error(`incomplete import: ${says}`);
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
    unit: 'messages/s, sealed and stored',
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
          unit: `MB, peak of the tab, ${gigabytes} GB read`,
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
