// Full disks, in bytes or in inodes: the disk that holds everything, and separate disks for
// encrypted blobs, for staged uploads and for the log. Writes are refused with 507 and 452, reads
// continue, and recovery is automatic (docs/reliability.md#goals). KEYFOLD_FAULT_ROUNDS makes it
// long; `npm run test:faults` sets it.
import { type ChildProcess, spawn } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '@keyfold/testing/product';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bring, sealFile, upload } from './faults/offerings.ts';
import { type FaultyService, startService } from './faults/service.ts';
import { fillBytes, fillInodes, mountSmallDisk, unmountSmallDisk } from './faults/small-disk.ts';
import { readCounters } from './harness/mailbox.ts';

const IS_LONG = Number(process.env.KEYFOLD_FAULT_ROUNDS ?? 0) > 0;
const LIMIT_MS = IS_LONG ? 900_000 : 120_000;

const MAIN = path.resolve(import.meta.dirname, '../src/main.ts');
const TICK_MS = 10;

/** CPU time used by a process so far, in milliseconds. */
function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

const say = (text: string): boolean => process.stdout.write(`storage faults: ${text}\n`);

/** Whichever disk is full, lists, messages and files can be read, and the process is up. */
async function expectReadable(
  service: FaultyService,
  { client }: FaultyService['users'][number],
  fileId: string | undefined,
  file: Uint8Array,
): Promise<void> {
  const page = await client.mail.query({ count: 10, view: 'summary' });
  await client.mail.one({ id: page.data[0]?.id ?? '' });
  const read = await client.fetch(`/user/attachment/${fileId}`);
  expect(Buffer.from(await read.arrayBuffer()).equals(file)).toBe(true);
  expect((await service.client().fetch('/health')).status).toBe(200);
}

const tmpfs = mountSmallDisk();

describe.skipIf(tmpfs === null)('a data disk', () => {
  let service: FaultyService;
  const dir = tmpfs ?? '';
  beforeAll(async () => {
    service = await startService({ KEYFOLD_DATA: dir }, dir);
  }, 60_000);
  afterAll(async () => {
    await service?.close();
    unmountSmallDisk(dir);
  });

  test.each(['bytes', 'inodes'] as const)(
    'without free %s refuses writes, allows reads, and accepts mail again when space is freed',
    async what => {
      const [user] = service.users;
      const file = await sealFile(200_000);
      const kept = await upload(user, file);
      expect(kept.status).toBe(200);
      expect(await bring(service.smtpPort, user.email, 50_000)).toBe(250);
      const release = what === 'bytes' ? fillBytes(dir) : fillInodes(dir);
      const refused = { upload: new Set<number>(), large: new Set<number>(), small: new Set<number>() };
      const { count: countBefore } = await user.client.mail.query({ count: 1, view: 'summary' });
      let acknowledged = 0;
      const endsAt = performance.now() + (IS_LONG ? 20_000 : 2_000);
      try {
        while (performance.now() < endsAt) {
          refused.upload.add((await upload(user, file)).status);
          refused.large.add(await bring(service.smtpPort, user.email, 50_000));
          const code = await bring(service.smtpPort, user.email, 0);
          refused.small.add(code);
          if (code === 250) acknowledged++;
          await expectReadable(service, user, kept.id, file);
          // Stays within the rate limit of one user.
          await sleep(IS_LONG ? 1_000 : 100);
        }
      } finally {
        release();
      }
      const startedAt = performance.now();
      await expect.poll(async () => (await upload(user, file)).status, { interval: 50 }).toBe(200);
      await expect.poll(() => bring(service.smtpPort, user.email, 50_000), { interval: 50 }).toBe(250);
      say(
        `no ${what}: HTTP ${[...refused.upload]}, SMTP ${[...refused.large]}, ${acknowledged} that still fitted, back after ${Math.round(performance.now() - startedAt)} ms`,
      );
      expect([[...refused.upload], [...refused.large]]).toEqual([[507], [452]]);
      expect(refused.small).toContain(452);
      // Both messages that arrived once space was free again, and the one acknowledged before.
      const { count } = await user.client.mail.query({ count: 1, view: 'summary' });
      expect(count - countBefore).toBeGreaterThan(acknowledged);
      const { kept: counters, recounted } = await readCounters(service.app.deps.db);
      expect(counters).toEqual(recounted);
    },
    LIMIT_MS,
  );
});

describe.skipIf(tmpfs === null)('a disk for the log', () => {
  const dir = mountSmallDisk({ sizeMib: 1, inodes: 10 }) ?? '';
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'kf-fl-'));
  let child: ChildProcess;
  afterAll(() => {
    child?.kill('SIGKILL');
    unmountSmallDisk(dir);
    rmSync(dataDir, { recursive: true, force: true });
  });

  test(
    'that is full loses only log lines, causes no busy loop, and does not block the shutdown',
    async () => {
      const file = path.join(dir, 'keyfold.log');
      const log = openSync(file, 'a');
      const [port, smtpPort] = [await findFreePort(), await findFreePort()];
      child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN], {
        env: {
          PATH: process.env.PATH,
          HOME: os.tmpdir(),
          KEYFOLD_DATA: dataDir,
          KEYFOLD_HOST: '127.0.0.1',
          KEYFOLD_LOG: 'debug',
          PORT: String(port),
          SMTP_PORT: String(smtpPort),
          METRICS_PORT: '0',
        },
        stdio: ['ignore', log, 'ignore'],
      });
      closeSync(log);
      const url = `http://127.0.0.1:${port}`;
      const statusOf = (of: string): Promise<number> =>
        fetch(`${url}${of}`, { signal: AbortSignal.timeout(5_000) }).then(
          ({ status }) => status,
          () => 0,
        );
      await expect.poll(() => statusOf('/ready'), { timeout: 60_000 }).toBe(200);
      const release = fillBytes(dir);
      for (let asked = 0; asked < 50; asked++) expect(await statusOf('/auth/check')).toBe(401);
      // A logging failure that is itself logged would keep a core busy.
      const before = cpuMsOf(child.pid ?? 0);
      await sleep(2_000);
      expect(cpuMsOf(child.pid ?? 0) - before).toBeLessThan(1_000);
      release();
      const sizeBytes = statSync(file).size;
      await expect
        .poll(async () => [await statusOf('/auth/check'), statSync(file).size > sizeBytes])
        .toEqual([401, true]);
      fillBytes(dir);
      expect(await statusOf('/auth/check')).toBe(401);
      const gone = new Promise(resolve => child.once('exit', resolve));
      child.kill('SIGTERM');
      expect(await gone).toBe(0);
      say('no bytes for the log: all was answered, and it ended when told to');
    },
    LIMIT_MS,
  );
});

/**
 * Folders of the data directory that operators put on separate disks, apart from the database's.
 */
const FOLDERS = ['tmp', 'blobs'] as const;

describe.skipIf(tmpfs === null)('a separate disk', () => {
  let service: FaultyService;
  let dir: string;
  beforeAll(async () => {
    dir = mkdtempSync(path.join(os.tmpdir(), 'kf-fp-'));
    for (const folder of FOLDERS) {
      mkdirSync(path.join(dir, folder), { mode: 0o700 });
      mountSmallDisk({ at: path.join(dir, folder), sizeMib: 64, inodes: 600 });
    }
    service = await startService({ KEYFOLD_DATA: dir }, dir);
  }, 60_000);
  afterAll(async () => {
    await service?.close();
    for (const folder of FOLDERS) unmountSmallDisk(path.join(dir, folder));
    rmSync(dir, { recursive: true, force: true });
  });

  test.each([
    ['tmp', 'bytes', { aside: 507, direct: 200, large: 250 }],
    ['tmp', 'inodes', { aside: 507, direct: 200, large: 250 }],
    ['blobs', 'bytes', { aside: 507, direct: 507, large: 452 }],
    ['blobs', 'inodes', { aside: 507, direct: 507, large: 452 }],
  ] as const)(
    'for %s without free %s refuses only what needs it until space is freed',
    async (folder, what, expected) => {
      const [user] = service.users;
      const file = await sealFile(200_000);
      const kept = await upload(user, file, true);
      expect(kept.status).toBe(200);
      const disk = path.join(dir, folder);
      const release = what === 'bytes' ? fillBytes(disk) : fillInodes(disk);
      const answers = { aside: new Set<number>(), direct: new Set<number>(), large: new Set<number>() };
      const endsAt = performance.now() + (IS_LONG ? 10_000 : 1_000);
      try {
        while (performance.now() < endsAt) {
          answers.aside.add((await upload(user, file, true)).status);
          answers.direct.add((await upload(user, file)).status);
          answers.large.add(await bring(service.smtpPort, user.email, 50_000));
          // Mail that needs only the database is still accepted.
          expect(await bring(service.smtpPort, user.email, 0)).toBe(250);
          await expectReadable(service, user, kept.id, file);
          // Stays within the rate limit of one user.
          await sleep(IS_LONG ? 1_000 : 100);
        }
      } finally {
        release();
      }
      const startedAt = performance.now();
      await expect.poll(async () => (await upload(user, file, true)).status, { interval: 50 }).toBe(200);
      await expect.poll(async () => (await upload(user, file)).status, { interval: 50 }).toBe(200);
      await expect.poll(() => bring(service.smtpPort, user.email, 50_000), { interval: 50 }).toBe(250);
      const said = Object.entries(answers).map(([name, codes]) => `${name} ${[...codes]}`);
      say(
        `no ${what} for ${folder}: ${said.join(', ')}, back after ${Math.round(performance.now() - startedAt)} ms`,
      );
      expect(Object.fromEntries(Object.entries(answers).map(([name, codes]) => [name, [...codes]]))).toEqual(
        Object.fromEntries(Object.entries(expected).map(([name, code]) => [name, [code]])),
      );
      // No partially written files remain.
      for (const emptied of ['tmp', 'blobs/incoming'])
        await expect.poll(() => readdirSync(path.join(dir, emptied))).toEqual([]);
      const { kept: counters, recounted } = await readCounters(service.app.deps.db);
      expect(counters).toEqual(recounted);
    },
    LIMIT_MS,
  );
});
