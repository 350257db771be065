// Starts that fail for reasons that an operator can fix: each prints one line that names the cause,
// without a stack trace.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { announce, startApp } from '../src/app.ts';
import { createLogger } from '../src/base/logger.ts';
import { masterKeyFile } from '../src/base/master-key.ts';
import { type Config, readConfig } from '../src/config/config.ts';
import { explainStartFailure } from '../src/config/start-failure.ts';
import { openDatabase } from '../src/db/open.ts';
import { fillBytes, mountSmallDisk, unmountSmallDisk } from './faults/small-disk.ts';
import { createTestDatabase, type TestDatabase } from './harness/database.ts';
import { startS3Server } from './harness/s3.ts';

const logger = createLogger('silent');
let root: string;
let database: TestDatabase;
beforeAll(async () => {
  root = mkdtempSync(path.join(os.tmpdir(), 'kf-start-'));
  database = await createTestDatabase();
});
afterAll(async () => {
  await database.drop();
  rmSync(root, { recursive: true, force: true });
});

const configOf = (env: Record<string, string>): Config =>
  readConfig({
    PORT: '0',
    SMTP_PORT: '0',
    METRICS_PORT: '0',
    KEYFOLD_LOG: 'silent',
    KEYFOLD_ROLES: 'http',
    KEYFOLD_DATA: path.join(root, 'data'),
    ...env,
  });

/**
 * Returns the message that the operator sees when a start fails. Closes the service if the start
 * succeeds.
 */
async function saidOf(config: Config, start: () => Promise<{ close: () => Promise<void> }>): Promise<string> {
  try {
    await (await start()).close();
    return 'started';
  } catch (error) {
    return explainStartFailure(error, config);
  }
}
function saidOfApp(env: Record<string, string>): Promise<string> {
  const config = configOf(env);
  return saidOf(config, () => startApp(config, database.connection, { logger }));
}
function saidOfDatabase(env: Record<string, string>): Promise<string> {
  const config = configOf(env);
  return saidOf(config, () => openDatabase(config, logger));
}

test('the start fails with a clear message for an unknown host name or a foreign address', async () => {
  expect(await saidOfApp({ KEYFOLD_HOST: 'nowhere.invalid' })).toMatch(
    /^KEYFOLD_HOST: the host name nowhere\.invalid is unknown \((ENOTFOUND|EAI_AGAIN)\)\. Set an address of this machine, such as 127\.0\.0\.1 or 0\.0\.0\.0\.$/,
  );
  expect(await saidOfApp({ KEYFOLD_HOST: '203.0.113.7' })).toBe(
    'KEYFOLD_HOST: 203.0.113.7 is not an address of this machine (EADDRNOTAVAIL).',
  );
  expect(await saidOfApp({ KEYFOLD_ROLES: 'smtp', KEYFOLD_SMTP_HOST: '203.0.113.7' })).toBe(
    'KEYFOLD_SMTP_HOST: 203.0.113.7 is not an address of this machine (EADDRNOTAVAIL).',
  );
});

async function announcedWith(env: Record<string, string>): Promise<string> {
  const app = await startApp(configOf(env), database.connection, { logger });
  try {
    return announce(app);
  } finally {
    await app.close();
  }
}

test('the start continues with one clear line when the metrics port is in use', async () => {
  const taken = createServer();
  const port = await new Promise<number>(resolve => {
    taken.listen(0, '127.0.0.1', () => resolve((taken.address() as { port: number }).port));
  });
  try {
    expect(await announcedWith({ METRICS_PORT: String(port) })).toContain(
      `\n  No metrics           Port ${port} is in use. Stop the process that uses it, or set METRICS_PORT to another port.\n`,
    );
  } finally {
    taken.close();
  }
  expect(await announcedWith({ METRICS_HOST: '203.0.113.7' })).toContain(
    '\n  No metrics           METRICS_HOST: 203.0.113.7 is not an address of this machine (EADDRNOTAVAIL).\n',
  );
  expect(await announcedWith({})).not.toContain('No metrics');
});

test('the start message names the address of incoming mail when it is restricted', async () => {
  const env = { KEYFOLD_ROLES: 'smtp' };
  expect(await announcedWith(env)).toMatch(/Incoming mail {8}port \d+ \(SMTP\)/);
  expect(await announcedWith({ ...env, KEYFOLD_SMTP_HOST: '127.0.0.1' })).toMatch(
    /Incoming mail {8}127\.0\.0\.1 port \d+ \(SMTP\)/,
  );
});

test('the start fails with a clear message for a damaged or unreadable key', async () => {
  const dataDir = path.join(root, 'damaged');
  const file = masterKeyFile(dataDir);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, 'half a k');
  expect(await saidOfApp({ KEYFOLD_DATA: dataDir })).toBe(
    `The server's key ${file} is damaged: restore your copy of it`,
  );
  rmSync(file);
  mkdirSync(file);
  expect(await saidOfApp({ KEYFOLD_DATA: dataDir })).toBe(`Cannot read the server's key ${file} (EISDIR)`);
});

test('the start fails for a missing bucket and waits for one that does not respond', async () => {
  const s3 = await startS3Server();
  const { endpoint, accessKey, secretKey } = s3.options;
  const env = { S3_ENDPOINT: endpoint, S3_ACCESS_KEY: accessKey, S3_SECRET_KEY: secretKey };
  try {
    const dataDir = path.join(root, 'of bucket');
    expect(await saidOfApp({ ...env, S3_BUCKET: 'elsewhere', KEYFOLD_DATA: dataDir })).toBe(
      `The bucket elsewhere at ${endpoint} does not exist, or S3_ACCESS_KEY may not use it: create it, or correct S3_BUCKET`,
    );
    // Refused before anything is created.
    expect(existsSync(dataDir)).toBe(false);
    s3.spoil('gone');
    expect(await saidOfApp({ ...env, S3_BUCKET: s3.options.bucket })).toBe('started');
  } finally {
    await s3.close();
  }
});

test('the start fails with a clear message when the data folder is a file or below one', async () => {
  const file = path.join(root, 'file');
  writeFileSync(file, '');
  expect(await saidOfDatabase({ KEYFOLD_DATA: file })).toBe(`KEYFOLD_DATA: ${file} is not a folder.`);
  expect(await saidOfDatabase({ KEYFOLD_DATA: path.join(file, 'data') })).toBe(
    `KEYFOLD_DATA: ${path.join(file, 'data')} is not a folder.`,
  );
});

test('the start fails with a clear message when the data folder is not writable', () => {
  const config = configOf({});
  const refused = (code: string) =>
    Object.assign(new Error(`${code}: refused, mkdir '${config.dataDir}'`), { code, path: config.dataDir });
  for (const code of ['EACCES', 'EROFS'])
    expect(explainStartFailure(refused(code), config)).toBe(
      `${config.dataDir} cannot be used by this account (${code}): set KEYFOLD_DATA to a folder that it can write to.`,
    );
  // A path that an admin command writes elsewhere is not a problem of KEYFOLD_DATA.
  const elsewhere = Object.assign(new Error('EACCES'), { code: 'EACCES', path: '/backups/x' });
  expect(explainStartFailure(elsewhere, config)).toBe('/backups/x cannot be used by this account (EACCES).');
  const initdb = new Error(
    `PostgreSQL could not create its data directory: initdb: error: could not create directory "x": Permission denied\n`,
  );
  expect(explainStartFailure(initdb, config)).toBe(
    `${config.dataDir} cannot be used by this account: set KEYFOLD_DATA to a folder that it can write to.`,
  );
});

const disk = process.platform === 'linux' ? mountSmallDisk({ sizeMib: 8 }) : null;
test.skipIf(disk === null)('the start fails with a clear message when the disk is full', async () => {
  const dataDir = path.join(disk ?? '', 'data');
  const full = `The disk of ${dataDir} is full. Free some space and try again.`;
  try {
    // The disk fills up while the database is being created.
    expect(await saidOfDatabase({ KEYFOLD_DATA: dataDir })).toBe(full);
    fillBytes(disk ?? '');
    // A separate service whose key is not created yet.
    await database.db.deleteFrom('server_key').execute();
    expect(await saidOfApp({ KEYFOLD_DATA: path.join(dataDir, 'deeper') })).toMatch(
      / is full\. Free some space/,
    );
    expect(await saidOfDatabase({ KEYFOLD_DATA: dataDir })).toBe(full);
  } finally {
    unmountSmallDisk(disk ?? '');
  }
});
