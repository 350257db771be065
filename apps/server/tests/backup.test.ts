// The whole product as a separate process, backed up with the operator's tool while mail arrives,
// destroyed, and restored: from a backup, to a point in time, and into an external PostgreSQL.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { createProduct, type Product } from '@keyfold/testing/product';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFileBlobs } from '../src/adapters/blob-files.ts';
import { systemClock } from '../src/adapters/clock.ts';
import { createLogger } from '../src/base/logger.ts';
import { createDb, createPool, type Db } from '../src/db/pool.ts';
import { archiveContainers } from '../src/features/operator/backup/jobs.ts';
import { createLedger, type Entry } from './crash/ledger.ts';
import { createMailboxes, type Mailboxes } from './crash/mailboxes.ts';
import { createSeededRandom } from './crash/seeded-random.ts';
import { makeDeliveries, runDeliveries } from './crash/smtp-load.ts';
import { checkContainers, checkCounters, onDatabase, raisePlans } from './crash/storage.ts';
import { createTestClient } from './harness/client.ts';
import { createEmptyDatabase, type EmptyDatabase } from './harness/database.ts';
import { readCounters } from './harness/mailbox.ts';
import { registerTestUser, type TestUser } from './harness/users.ts';

const SOURCE = path.resolve(import.meta.dirname, '../src');
const DELIVERIES = 8;
const SEED = 20_261_123;

let root: string;
let product: Product;
let empty: EmptyDatabase;
let mailboxes: Mailboxes;
const users: TestUser[] = [];
const ledger = createLedger();
const random = createSeededRandom(SEED);

const inRoot = (name: string): string => path.join(root, name);

/**
 * Runs a program of the server as the operator does, with one line on standard input. Returns its
 * output and exit code.
 */
async function run(
  file: string,
  args: readonly string[] = [],
  line = '',
): Promise<{ readonly code: number; readonly said: string }> {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', path.join(SOURCE, file), ...args],
    {
      env: { PATH: process.env.PATH, HOME: os.tmpdir(), KEYFOLD_DATA: product.dataDir, METRICS_PORT: '0' },
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  );
  child.stdin.on('error', () => undefined).end(line);
  let said = '';
  child.stdout.on('data', chunk => (said += chunk));
  child.stderr.on('data', chunk => (said += chunk));
  return { code: await new Promise(resolve => child.once('close', code => resolve(code ?? -1))), said };
}
const admin = (...args: string[]) => run('admin.ts', args);

/** Delivers mail until all of it is acknowledged. Returns the messages. */
async function deliver(): Promise<Entry[]> {
  const queue = makeDeliveries(random, ledger, users, DELIVERIES).map(one => ({
    ...one,
    hangsUpAfterMs: null,
    isPatient: true,
  }));
  const entries = queue.map(({ entry }) => entry);
  const isOver = () => false;
  await Promise.all([1, 2].map(() => runDeliveries(product.smtpPort, queue, ledger, isOver)));
  expect(entries.map(({ fate }) => fate)).toEqual(entries.map(() => 'acknowledged'));
  return entries;
}

/** A restore ends the sessions of the backup. */
async function signInAnew(): Promise<void> {
  await expect(mailboxes.check(false)).rejects.toThrow('Login required');
  for (const { client, email, loginHash } of users)
    await client.sign_in.login({ email, password: loginHash });
}

/** Marks messages that may be missing because they arrived after the restored point. */
function forgive(entries: readonly Entry[]): void {
  for (const entry of entries) entry.fate = 'given up';
}

async function destroy(...names: string[]): Promise<void> {
  await product.killAll();
  for (const name of names) rmSync(path.join(product.dataDir, name), { recursive: true, force: true });
}

/**
 * Waits until everything written so far is in the archive, including encrypted blobs, which a job
 * archives every minute.
 */
const archiveAll = () =>
  onDatabase(product.dataDir, async db => {
    const config = { dataDir: product.dataDir, s3: undefined, walArchive: inRoot('archive') };
    const blobs = await createFileBlobs(product.dataDir);
    await archiveContainers({ config, db, blobs, clock: systemClock, logger: createLogger('silent') });
    const { rows } = await sql<{ name: string; folder: string }>`
      select pg_walfile_name(pg_switch_wal()) as name, system_identifier::text as folder
      from pg_control_system()`.execute(db);
    await expect
      .poll(() => existsSync(path.join(inRoot('archive'), rows[0]?.folder ?? '', `${rows[0]?.name}.gz`)), {
        timeout: 20_000,
      })
      .toBe(true);
  });

/** Returns the newest archived WAL segment of the newest database. */
const newestSegment = (): string =>
  path.join(
    inRoot('archive'),
    readdirSync(inRoot('archive'), { recursive: true, encoding: 'utf8' })
      .filter(name => /[0-9A-F]{24}\.gz$/.test(name))
      .sort()
      .at(-1) ?? '',
  );

beforeAll(async () => {
  root = mkdtempSync(path.join(os.tmpdir(), 'kf-backups-'));
  empty = await createEmptyDatabase();
  product = await createProduct({
    KEYFOLD_CAPTCHA_COST: '0',
    KEYFOLD_WELCOME: 'off',
    KEYFOLD_LOG: 'warn',
    KEYFOLD_WAL_ARCHIVE: inRoot('archive'),
  });
  await product.start();
  const place = { config: { domains: ['keyfold.test'] }, client: () => createTestClient(product.baseUrl) };
  for (let index = 0; index < 2; index++) users.push(await registerTestUser(place));
  await raisePlans(product.dataDir);
  mailboxes = createMailboxes(users, ledger);
}, 120_000);
afterAll(async () => {
  await product.remove();
  await empty.drop();
  rmSync(root, { recursive: true, force: true });
});

test('a restore brings back everything acknowledged before the backup, readable by its owners', async () => {
  await deliver();
  const [meanwhile, taken] = await Promise.all([deliver(), admin('backup', inRoot('backup'))]);
  expect(taken.said).toMatch(/ contains \d+ rows of \d+ tables and \d+ containers, as of /);
  expect(taken.code).toBe(0);
  forgive(meanwhile);

  // The archive has segments of the database that is destroyed; its successor numbers its own from
  // the first one.
  await onDatabase(product.dataDir, db => sql`select pg_switch_wal()`.execute(db));
  await expect.poll(() => readdirSync(inRoot('archive'), { recursive: true }).join()).toMatch(/\.gz/);
  await destroy('postgres', 'blobs');
  const restored = await admin('restore', inRoot('backup'));
  expect(restored.said).toMatch(/^Restored /);
  expect(restored.code).toBe(0);
  await product.start();
  await signInAnew();
  await mailboxes.check(true);
  await checkCounters(product.dataDir);
  await checkContainers(product.dataDir);
}, 240_000);

test('a point-in-time restore brings back that moment and nothing later', async () => {
  const [, taken] = await Promise.all([deliver(), admin('base-backup', inRoot('base'))]);
  expect(taken.said).toMatch(/ contains the files of PostgreSQL 18/);
  await deliver();
  // Commits and this process use the same clock; leave some time between them.
  await new Promise(resolve => setTimeout(resolve, 100));
  const moment = new Date().toISOString();
  await new Promise(resolve => setTimeout(resolve, 100));
  const later = await deliver();
  await onDatabase(product.dataDir, db => sql`delete from mails`.execute(db));
  await archiveAll();
  await destroy('postgres', 'blobs');

  const beyond = new Date(Date.now() + 3_600_000).toISOString();
  const notReached = await admin('restore-to', beyond, inRoot('base'), inRoot('archive'));
  expect(notReached).toEqual({
    code: 1,
    said: `The archive ends before ${beyond}. Use an earlier time, or latest\n`,
  });
  expect(existsSync(path.join(product.dataDir, 'postgres'))).toBe(false);

  const last = newestSegment();
  const own = readFileSync(last);
  const forged = gunzipSync(own).map((byte, at) => (at === 5_000 ? byte ^ 1 : byte));
  writeFileSync(last, gzipSync(forged));
  expect(await admin('restore-to', 'latest', inRoot('base'), inRoot('archive'))).toEqual({
    code: 1,
    said: expect.stringMatching(/^0{7}1\w+ in the archive has no MAC /),
  });
  writeFileSync(last, own);
  expect(existsSync(path.join(product.dataDir, 'postgres'))).toBe(false);

  const restored = await admin('restore-to', moment, inRoot('base'), inRoot('archive'));
  expect(restored.said).not.toContain('mark');
  expect(restored.said).toContain(`Restored the database to ${moment}; `);
  expect(restored.said).not.toContain('could not be found');
  expect(restored.code).toBe(0);
  // The refused restore put back the blobs of the base backup. These arrived later and come from
  // the archive.
  expect(Number(/; copied (\d+) missing containers?/.exec(restored.said)?.[1])).toBeGreaterThan(0);
  forgive(later);
  await product.start();
  await signInAnew();
  await mailboxes.check(true);
  await checkCounters(product.dataDir);
  await checkContainers(product.dataDir);

  // Messages that arrive after the restore are on a new timeline, which also starts at the same
  // base backup.
  await deliver();
  await archiveAll();
  await destroy('postgres', 'blobs');
  const again = await admin('restore-to', 'latest', inRoot('base'), inRoot('archive'));
  expect(again.said).toContain('Restored the database to the end of the archive; ');
  expect(again.code).toBe(0);
  await product.start();
  await signInAnew();
  await mailboxes.check(true);
  await archiveAll();
  const copies = ledger.tally.get('copies found');
  await deliver();
  await mailboxes.check(false);
  expect(ledger.tally.get('copies found')).toBeGreaterThan(copies ?? 0);
}, 300_000);

test('move-database moves the embedded database to an external one and stops using the old one', async () => {
  const mails = (db: Db) => db.selectFrom('mails').select('id').orderBy('id').execute();
  const here = await onDatabase(product.dataDir, mails);
  expect(here.length).toBeGreaterThan(DELIVERIES);
  await product.stop();
  const nowhere = new URL(empty.url);
  nowhere.pathname = '/none_of_this_name';
  expect(await run('admin.ts', ['move-database'], `${nowhere}\n`)).toEqual({
    code: 1,
    said: expect.stringMatching(
      /^The target database refused the connection \(3D000\): .*\. Nothing was moved\n$/,
    ),
  });
  const moved = await run('admin.ts', ['move-database'], `${empty.url}\n`);
  expect(moved.said).toMatch(/^Moved \d+ rows of \d+ tables and compared each table on both sides\.\n/);
  expect(moved.code).toBe(0);
  expect(await run('main.ts')).toEqual({
    code: 1,
    said: expect.stringMatching(/ was moved \(see .*\)\. Set DATABASE_URL to its new address/),
  });

  const there = createDb(createPool({ connectionString: empty.url }, createLogger('silent'), 2));
  const { kept, recounted } = await readCounters(there);
  expect(kept).toEqual(recounted);
  expect(await mails(there)).toEqual(here);
  await there.destroy();
}, 120_000);
