// Containers that a bucket removed after the moment to which a database was restored. With versions
// they can be restored: by restore-to for the embedded PostgreSQL and by restore-containers for any
// other.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createEmptyDatabase, type EmptyDatabase } from '../../../../tests/harness/database.ts';
import { insertTestUser, makeNewMail } from '../../../../tests/harness/mailbox.ts';
import { type S3Server, startS3Server } from '../../../../tests/harness/s3.ts';
import type { BlobStore } from '../../../adapters/blobs.ts';
import { systemClock } from '../../../adapters/clock.ts';
import { openBlobs } from '../../../adapters/open-files.ts';
import { createLogger } from '../../../base/logger.ts';
import { loadMasterKey, masterKeyFile } from '../../../base/master-key.ts';
import { type Config, readConfig } from '../../../config/config.ts';
import { openDatabase } from '../../../db/open.ts';
import { createDb, createPool, type Db } from '../../../db/pool.ts';
import { discardContainer, storeContainer, storeMails } from '../../mailbox/messages/index.ts';
import { isBackupCommand, runBackupCommand } from './commands.ts';
import { archiveContainers } from './jobs.ts';

const logger = createLogger('silent');
let root: string;
let s3: S3Server;
let blobs: BlobStore;
const opened: (() => Promise<void>)[] = [];
const emptyOnes: EmptyDatabase[] = [];

type Place = { readonly config: Config; readonly db: Db; readonly userId: string };
type Stored = { readonly id: string; readonly bytes: Buffer };

const folder = (): string => mkdtempSync(path.join(root, 'f-'));
const inBucket = () => ({
  S3_ENDPOINT: s3.options.endpoint,
  S3_BUCKET: s3.options.bucket,
  S3_ACCESS_KEY: s3.options.accessKey,
  S3_SECRET_KEY: s3.options.secretKey,
});
const run = (config: Config, ...words: string[]) => runBackupCommand(config, logger, words);
/** Returns what the command prints and whether it succeeds. */
const bringBack = (config: Config) =>
  run(config, 'restore-containers').then(
    lines => ({ isDone: true, said: lines.join('\n') }),
    (error: Error) => ({ isDone: false, said: error.name === 'BackupError' ? error.message : String(error) }),
  );

/** The same as the operator runs it: the exit code of the process and its output on each stream. */
async function inProcess(config: Config, ...words: string[]) {
  const file = path.resolve(import.meta.dirname, '../../../admin.ts');
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', file, ...words], {
    env: {
      PATH: process.env.PATH,
      HOME: os.tmpdir(),
      KEYFOLD_DATA: config.dataDir,
      DATABASE_URL: config.databaseUrl,
      ...inBucket(),
    },
  });
  const code = new Promise(resolve => child.once('close', resolve));
  const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await code, out, errors };
}

/** Opens a database until the test file ends, or until it is closed earlier. */
async function open(config: Config): Promise<{ readonly db: Db; readonly close: () => Promise<void> }> {
  const database = await openDatabase(config, logger);
  const db = createDb(createPool(database.connection, logger, 4));
  let closing: Promise<void> | null = null;
  const close = () => {
    closing ??= db.destroy().then(database.close);
    return closing;
  };
  opened.push(close);
  return { db, close };
}

/**
 * Creates a service with an external PostgreSQL, one user, and the bucket unless specified
 * otherwise.
 */
async function newService(): Promise<Place> {
  const empty = await createEmptyDatabase();
  emptyOnes.push(empty);
  const config = readConfig({ KEYFOLD_DATA: folder(), DATABASE_URL: empty.url, ...inBucket() });
  loadMasterKey(config.dataDir);
  const { db } = await open(config);
  return { config, db, userId: await insertTestUser(db, 'ann@keyfold.test') };
}

const depsOf = ({ db }: Pick<Place, 'db'>) => ({ db, blobs, clock: systemClock, logger });

/** Stores a message with its own container. */
async function storeMail(place: Omit<Place, 'config'>): Promise<Stored> {
  const bytes = randomBytes(5_000);
  async function* content() {
    yield bytes;
  }
  const container = await storeContainer(depsOf(place), content());
  const mail = makeNewMail(place.userId, { attachments: [container] });
  await place.db.transaction().execute(trx => storeMails(trx, [mail]));
  return { id: container.blobId, bytes };
}

/** Permanently removes a container's message and the container. */
async function purge(place: Pick<Place, 'db'>, { id }: Stored): Promise<void> {
  await place.db.deleteFrom('mail_attachments').where('blob_id', '=', id).execute();
  await discardContainer(depsOf(place), id);
}

/**
 * Copies the current database of a service to another PostgreSQL, for use at a later time. An
 * operator has better tools for this.
 */
async function keepMoment({ config }: Place): Promise<Config> {
  const dir = path.join(folder(), 'backup');
  await run(config, 'backup', dir);
  const empty = await createEmptyDatabase();
  emptyOnes.push(empty);
  const dataDir = folder();
  mkdirSync(path.dirname(masterKeyFile(dataDir)));
  writeFileSync(masterKeyFile(dataDir), readFileSync(masterKeyFile(config.dataDir)));
  // Without the bucket: the containers that the backup restores go elsewhere.
  await run(readConfig({ KEYFOLD_DATA: dataDir, DATABASE_URL: empty.url }), 'restore', dir);
  return readConfig({ KEYFOLD_DATA: folder(), DATABASE_URL: empty.url, ...inBucket() });
}

const isThere = async ({ id, bytes }: Stored): Promise<boolean> =>
  (await blobs.has(id)) && (await buffer(await blobs.get(id))).equals(bytes);

beforeAll(async () => {
  root = mkdtempSync(path.join(os.tmpdir(), 'kf-lacking-'));
  s3 = await startS3Server();
  blobs = await openBlobs(readConfig({ KEYFOLD_DATA: root, ...inBucket() }));
});
beforeEach(() => {
  s3.spoil(null);
  s3.keepVersions(true);
});
afterAll(async () => {
  for (const close of opened) await close();
  for (const empty of emptyOnes) await empty.drop();
  await s3.close();
  rmSync(root, { recursive: true, force: true });
});

test('blobs purged after the restored moment come back, earlier ones do not, and repeating changes nothing', async () => {
  const place = await newService();
  const [kept, before, one, other] = [
    await storeMail(place),
    await storeMail(place),
    await storeMail(place),
    await storeMail(place),
  ];
  await purge(place, before);
  const then = await keepMoment(place);
  for (const mail of [one, other]) await purge(place, mail);
  expect(await isThere(one)).toBe(false);
  expect(await bringBack(then)).toEqual({
    isDone: true,
    said: 'Restored 2 containers from the versions of the bucket; none of 3 containers that mail refers to is missing.',
  });
  expect(await Promise.all([kept, one, other, before].map(isThere))).toEqual([true, true, true, false]);
  const versions = s3.versionCount();
  expect(await bringBack(then)).toEqual({
    isDone: true,
    said: 'Restored 0 containers from the versions of the bucket; none of 3 containers that mail refers to is missing.',
  });
  expect(s3.versionCount()).toBe(versions);
});

test('a blob without a version is counted as missing and fails the command, and the rest comes back', async () => {
  const place = await newService();
  const [gone, one] = [await storeMail(place), await storeMail(place)];
  const then = await keepMoment(place);
  await purge(place, gone);
  s3.expireVersions();
  await purge(place, one);
  expect(await bringBack(then)).toEqual({
    isDone: false,
    said: 'Restored 1 container from the versions of the bucket; 1 of 2 containers that mail refers to could not be found.',
  });
  expect(await Promise.all([gone, one].map(isThere))).toEqual([false, true]);
});

test('a bucket without versions is reported, whether or not a blob is missing', async () => {
  s3.keepVersions(false);
  const place = await newService();
  const mail = await storeMail(place);
  const then = await keepMoment(place);
  const noVersions = /\nThe bucket keeps no versions, .* see docs\/operations\.md, Backups\.$/;
  expect(await bringBack(then)).toEqual({ isDone: true, said: expect.stringMatching(noVersions) });
  await purge(place, mail);
  const { code, out, errors } = await inProcess(then, 'restore-containers');
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(errors).toMatch(/; 1 of 1 container that mail refers to could not be found\.\n/);
  expect(errors.trimEnd()).toMatch(noVersions);
});

test('missing permissions, a failing bucket and an absent one are reported, and no blob is lost', async () => {
  const place = await newService();
  const mail = await storeMail(place);
  const then = await keepMoment(place);
  await purge(place, mail);
  s3.spoil('guarded');
  expect(await bringBack(then)).toEqual({
    isDone: false,
    said: expect.stringMatching(
      /could not be found\.\n.* Grant s3:ListBucketVersions and s3:DeleteObjectVersion/,
    ),
  });
  s3.spoil('failing');
  expect((await bringBack(then)).said).toMatch(/^The bucket is unavailable: .* sent an unexpected response$/);
  s3.spoil(null);
  if (then.s3 === undefined) throw new Error('There is a bucket');
  expect(await bringBack({ ...then, s3: { ...then.s3, bucket: 'other' } })).toEqual({
    isDone: false,
    said: 'The bucket is unavailable: The bucket does not exist or denies access',
  });
  expect((await bringBack({ ...then, s3: undefined })).said).toMatch(/^No bucket is configured\. /);
  expect((await bringBack(then)).isDone).toBe(true);
  expect(await isThere(mail)).toBe(true);
});

test('a database that is still recovering and read-only is reported', async () => {
  const { config, db } = await newService();
  const name = sql.id(decodeURIComponent(new URL(config.databaseUrl ?? '').pathname.slice(1)));
  await sql`alter database ${name} set default_transaction_read_only = on`.execute(db);
  expect(await bringBack(config)).toEqual({
    isDone: false,
    said: 'The database is still read-only. Let its recovery finish first (promote it)',
  });
});

test('no blob is removed while the command runs beside a running service', async () => {
  const place = await newService();
  const mail = await storeMail(place);
  let work: ReturnType<typeof bringBack> | undefined;
  await place.db.transaction().execute(async trx => {
    // The command blocks when it tries to read this table.
    await sql`lock table import_containers in access exclusive mode`.execute(trx);
    work = bringBack(place.config);
    const holds = () => trx.selectFrom('container_holds').select('id').execute();
    await expect.poll(holds).toHaveLength(1);
    await purge(place, mail);
    expect(await isThere(mail)).toBe(true);
  });
  expect((await work)?.isDone).toBe(true);
  await discardContainer(depsOf(place), mail.id);
  expect(await blobs.has(mail.id)).toBe(false);
});

test('restore-to brings blobs of the embedded database back from the bucket by itself', async () => {
  const [dataDir, walArchive, base] = [folder(), folder(), path.join(folder(), 'base')];
  const config = readConfig({ KEYFOLD_DATA: dataDir, KEYFOLD_WAL_ARCHIVE: walArchive, ...inBucket() });
  loadMasterKey(dataDir);
  const young = await open(config);
  const userId = await insertTestUser(young.db, 'ben@keyfold.test');
  const inBase = await storeMail({ db: young.db, userId });
  await young.close();
  expect((await run(config, 'base-backup', base)).join('\n')).not.toContain('versions');

  const first = await open(config);
  const place = { db: first.db, userId };
  const later = await storeMail(place);
  // Commit times and this process use the same clock; this leaves a gap between them.
  await sleep(100);
  const moment = new Date().toISOString();
  await sleep(100);
  for (const mail of [inBase, later]) await purge(place, mail);
  const { rows } = await sql<{ file: string }>`
    select system_identifier::text || '/' || pg_walfile_name(pg_switch_wal()) || '.gz' as file
    from pg_control_system()`.execute(first.db);
  await expect.poll(() => existsSync(path.join(walArchive, rows[0]?.file ?? ''))).toBe(true);
  await first.close();

  const again = (time: string): Promise<string[]> => {
    renameSync(path.join(dataDir, 'postgres'), path.join(folder(), 'aside'));
    return run(config, 'restore-to', time, base, walArchive);
  };
  const lines = (await again(moment)).join('\n');
  expect(lines).toContain('; copied 2 missing containers.');
  expect(lines).not.toMatch(/could not be found|versions/);
  expect(await Promise.all([inBase, later].map(isThere))).toEqual([true, true]);

  const second = await open(config);
  const found = await second.db.selectFrom('mail_attachments').select('blob_id').execute();
  expect(found.map(({ blob_id }) => blob_id).sort()).toEqual([inBase.id, later.id].sort());
  await second.close();
  // An account without permission to list versions does not fail the restore: the operator can run
  // the command afterwards.
  await blobs.remove(later.id);
  s3.spoil('guarded');
  expect((await again(moment)).join('\n')).toMatch(
    /\n1 container that mail refers to could not be found\.\n.*s3:ListBucketVersions.* then run restore-containers\.\n/,
  );
  s3.spoil(null);
  expect((await bringBack(config)).said).toMatch(/^Restored 1 container /);
  expect(await isThere(later)).toBe(true);
}, 120_000);

test('a service with a WAL archive warns once that the bucket keeps no versions', async () => {
  const warned: string[] = [];
  const telling = { ...logger, warn: (line: string) => warned.push(line) } as unknown as typeof logger;
  const place = await newService();
  const look = async (config: Config, db: Db) =>
    archiveContainers({ ...depsOf({ db }), logger: telling, config });
  s3.keepVersions(false);
  await look(place.config, place.db);
  expect(warned).toEqual([]);
  const archiving = { ...place.config, walArchive: folder() };
  for (let time = 0; time < 2; time++) await look(archiving, place.db);
  expect(warned).toEqual([expect.stringMatching(/^bucket keeps no versions, /)]);
  s3.keepVersions(true);
  await look(archiving, (await newService()).db);
  expect(warned).toHaveLength(1);
});

test('restore-containers accepts no arguments and has a help text', async () => {
  const { code, out } = await inProcess((await newService()).config, 'restore-containers', '--help');
  expect({ code, out }).toEqual({
    code: 0,
    out: expect.stringMatching(/^Usage: .*\n {2}restore-containers {5,}after .*\n {10,}were removed .*\n$/),
  });
  expect(isBackupCommand(['restore-containers'])).toBe(true);
  expect(isBackupCommand(['restore-containers', 'all'])).toBe(false);
});
