// Backups of a database with messages and containers: what they contain, that damage is reported,
// and what a restore refuses. tests/backup.test.ts tests them with the whole product, under load.
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { cp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createEmptyDatabase,
  createTestDatabase,
  type EmptyDatabase,
  type TestDatabase,
} from '../../../../tests/harness/database.ts';
import {
  insertTestTag,
  insertTestUser,
  makeNewMail,
  readCounters,
} from '../../../../tests/harness/mailbox.ts';
import { createFileBlobs } from '../../../adapters/blob-files.ts';
import type { BlobStore } from '../../../adapters/blobs.ts';
import { systemClock } from '../../../adapters/clock.ts';
import { createLogger } from '../../../base/logger.ts';
import { loadMasterKey, masterKeyFile } from '../../../base/master-key.ts';
import { readMetrics } from '../../../base/metrics.ts';
import { type Config, readConfig } from '../../../config/config.ts';
import { embeddedConnection, startEmbeddedPostgres } from '../../../db/embedded.ts';
import { createDb, createPool, type Db } from '../../../db/pool.ts';
import { archiveSettings } from '../../../db/wal-archive.ts';
import { holdContainers, storeContainer, storeMails } from '../../mailbox/messages/index.ts';
import { publishOperationsGauges } from '../operations/index.ts';
import { openServerKey } from '../server-key/index.ts';
import { isBackupCommand, runBackupCommand } from './commands.ts';
import { checkArchive } from './jobs.ts';
import { type Manifest, verifyBackup } from './manifest.ts';
import { restoreBackup } from './restore.ts';
import { takeBackup } from './take.ts';

const logger = createLogger('silent');
let root: string;
let database: TestDatabase;
let blobs: BlobStore;
let dataDir: string;
let backup: string;
let manifest: Manifest;
let restored: Config;
const containers = new Map<string, Buffer>();
const emptyOnes: EmptyDatabase[] = [];

async function* one(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}

const folder = (): string => mkdtempSync(path.join(root, 'f-'));
const source = () => ({ connection: database.connection, db: database.db, blobs, dataDir });
const openDb = (url: string): Db => createDb(createPool({ connectionString: url }, logger, 2));

/**
 * Returns the configuration of a new service with an empty database and an empty data directory.
 */
async function newService(hasKey = true): Promise<Config> {
  const empty = await createEmptyDatabase();
  emptyOnes.push(empty);
  const config = readConfig({ KEYFOLD_DATA: folder(), DATABASE_URL: empty.url });
  if (hasKey) {
    mkdirSync(path.dirname(masterKeyFile(config.dataDir)));
    writeFileSync(masterKeyFile(config.dataDir), readFileSync(masterKeyFile(dataDir)));
  }
  return config;
}

const failureOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => '',
    (error: Error) => (error.name === 'BackupError' ? error.message : `${error.name}: ${error.stack}`),
  );

beforeAll(async () => {
  root = mkdtempSync(path.join(os.tmpdir(), 'kf-backup-'));
  dataDir = folder();
  loadMasterKey(dataDir);
  database = await createTestDatabase();
  blobs = await createFileBlobs(dataDir);
  const deps = { db: database.db, blobs, clock: systemClock, logger };
  for (const name of ['ann', 'ben']) {
    const userId = await insertTestUser(database.db, `${name}@keyfold.test`);
    await insertTestTag(database.db, userId, 'Größe "1"\t\\n');
    for (let index = 0; index < 5; index++) {
      const bytes = randomBytes(40_000);
      const container = await storeContainer(deps, one(bytes));
      containers.set(container.blobId, bytes);
      const mail = makeNewMail(userId, { attachments: [container] });
      await database.db.transaction().execute(trx => storeMails(trx, [mail]));
    }
  }
  await openServerKey(database.db, { dataDir, mayMake: true });
  backup = path.join(root, 'backup');
  manifest = await takeBackup(source(), backup, { hasMasterKey: false });
});
afterAll(async () => {
  for (const empty of emptyOnes) await empty.drop();
  await database.drop();
  rmSync(root, { recursive: true, force: true });
});

test('a backup contains all rows and blobs, and the key only on request', async () => {
  expect(await verifyBackup(backup)).toEqual(manifest);
  expect(manifest.tables.find(({ name }) => name === 'mails')?.rows).toBe(10);
  expect(manifest.containers).toEqual({ count: 10, size_bytes: 400_000, missing: [] });
  expect(manifest.tables.map(({ name }) => name)).not.toContain('rate_limits');
  const files = readdirSync(backup, { recursive: true }).map(String);
  expect(files.filter(name => name.includes('master') || name.includes('incoming'))).toEqual([]);
  const withKey = path.join(root, 'with-key');
  await takeBackup(source(), withKey, { hasMasterKey: true });
  expect(readFileSync(path.join(withKey, 'keys/master.key'))).toEqual(readFileSync(masterKeyFile(dataDir)));
});

test('a restore yields the same rows, counters, sequences and blobs', async () => {
  const config = await newService();
  restored = config;
  expect(await runBackupCommand(config, logger, ['restore', backup])).toEqual([
    expect.stringMatching(/^Restored .* and 10 containers, as of .*; copied 10 missing containers\.$/),
    expect.stringMatching(/^All sessions have ended, /),
  ]);
  const dir = path.join(root, 'of the restored');
  expect(await runBackupCommand(config, logger, ['backup', dir])).toEqual([
    expect.stringMatching(/ contains \d+ rows of \d+ tables and 10 containers, as of /),
    "It does not include the server's key (keys/master.key): keep a copy of the key elsewhere.",
  ]);
  expect((await verifyBackup(dir)).tables).toEqual(manifest.tables);
  const db = openDb(config.databaseUrl ?? '');
  try {
    // Backing up the restored service recorded that backup in its database.
    for (const { name } of manifest.tables.filter(table => table.name !== 'last_backups')) {
      const digest = sql<{ digest: string }>`
        select count(*) || ' ' || coalesce(md5(string_agg(t::text, ' ' order by t::text)), '') as digest
        from ${sql.table(name)} t`;
      expect([name, (await digest.execute(db)).rows]).toEqual([
        name,
        (await digest.execute(database.db)).rows,
      ]);
    }
    const { kept, recounted } = await readCounters(db);
    expect(kept).toEqual(recounted);
    const store = await createFileBlobs(config.dataDir);
    for (const [id, bytes] of containers) expect(await buffer(await store.get(id))).toEqual(bytes);
    // Triggers and sequences still work: a released address cannot be taken by another user.
    const [ann] = await db.selectFrom('users').select('id').orderBy('email').execute();
    await db
      .deleteFrom('addresses')
      .where('user_id', '=', ann?.id ?? '')
      .execute();
    expect((await db.selectFrom('former_addresses').selectAll().execute()).length).toBe(1);
    expect((await db.selectFrom('key_log_notes').selectAll().execute()).length).toBe(3);
  } finally {
    await db.destroy();
  }
});

test('the last successful backup is recorded for the metric, and older ones beside it are removed', async () => {
  const db = openDb(restored.databaseUrl ?? '');
  const lastBackup = async (): Promise<number> => {
    publishOperationsGauges({ db, config: restored });
    const line = /^keyfold_backup_last_success_timestamp_seconds\{kind="tables"\} (.*)$/m;
    return Number(line.exec((await readMetrics()).text)?.[1]);
  };
  const nightly = path.join(root, 'nightly');
  mkdirSync(nightly);
  const take = (name: string, ...options: string[]) =>
    runBackupCommand(restored, logger, ['backup', path.join(nightly, name), ...options]);
  await take('a');
  const { made_at } = await verifyBackup(path.join(nightly, 'a'));
  expect(await lastBackup()).toBe(Date.parse(made_at) / 1000);
  // Anything that is not a backup of this service stays: unrelated folders, an incomplete backup,
  // links.
  mkdirSync(path.join(nightly, 'photos'));
  mkdirSync(path.join(nightly, 'broken'));
  writeFileSync(path.join(nightly, 'broken/manifest.json'), '{');
  symlinkSync(path.join(nightly, 'a'), path.join(nightly, 'link'));
  await take('b', '--keep=3');
  expect(await take('c', '--with-master-key', '--keep=2')).toEqual([
    expect.any(String),
    expect.stringContaining('It includes the server'),
    `Removed 1 older backup: ${path.join(nightly, 'a')}`,
  ]);
  expect(readdirSync(nightly).sort()).toEqual(['b', 'broken', 'c', 'link', 'photos']);
  await db.destroy();
  for (const options of [['--keep=0'], ['--keep'], ['--keep=2', '--keep=3'], ['--keep=x']])
    expect(isBackupCommand(['backup', 'd', ...options]), options.join(' ')).toBe(false);
});

test('damage anywhere is reported in one clear line, and nothing is restored', async () => {
  const containerPath = (): string => {
    const [id = ''] = containers.keys();
    return `blobs/${id.slice(-2)}/${id.slice(-4, -2)}/${id}`;
  };
  /**
   * Simulates an attacker who cannot create a MAC: the backup claims to be from a server without a
   * key.
   */
  const forgetKey = (dir: string): void => {
    const file = path.join(dir, 'manifest.json');
    const changed = JSON.parse(readFileSync(file, 'utf8'));
    changed.master_key.fingerprint = null;
    const text = `${JSON.stringify(changed, null, 2)}\n`;
    writeFileSync(file, text);
    writeFileSync(path.join(dir, 'manifest.sha256'), `${createHash('sha256').update(text).digest('hex')}\n`);
  };
  const cases: [string, (dir: string) => void, RegExp][] = [
    [
      'no manifest',
      dir => rmSync(path.join(dir, 'manifest.json')),
      /contains no complete backup: manifest\.json is missing$/,
    ],
    [
      'manifest',
      dir => appendFileSync(path.join(dir, 'manifest.json'), ' '),
      /is damaged: manifest\.json was changed$/,
    ],
    [
      'list',
      dir => appendFileSync(path.join(dir, 'contents.txt'), '\n'),
      /is damaged: contents\.txt was changed$/,
    ],
    [
      'table',
      dir => appendFileSync(path.join(dir, 'database/mails.copy'), 'x'),
      /database\/mails.copy was changed$/,
    ],
    [
      'mark',
      dir => writeFileSync(path.join(dir, 'manifest.mark'), `${'0'.repeat(64)}\n`),
      /was changed without the server's key: manifest\.mark does not match/,
    ],
    [
      'no mark',
      dir => rmSync(path.join(dir, 'manifest.mark')),
      /has no MAC by the server's key .*--without-mark$/,
    ],
    ['no fingerprint', forgetKey, /has no MAC by the server's key /],
    ['no table', dir => rmSync(path.join(dir, 'database/users.copy')), /database\/users.copy is missing$/],
    [
      'container',
      dir => writeFileSync(path.join(dir, containerPath()), randomBytes(40_000)),
      /blobs\/.* was changed$/,
    ],
  ];
  const config = await newService();
  for (const [name, harm, line] of cases) {
    const harmed = path.join(root, name);
    await cp(backup, harmed, { recursive: true });
    harm(harmed);
    const said = await failureOf(
      restoreBackup(config, logger, harmed, { isKeyless: false, isMarkless: false }),
    );
    expect(said).toMatch(line);
    expect(said).not.toContain('\n');
  }
  const db = openDb(config.databaseUrl ?? '');
  const { rows } = await sql`select 1 from pg_tables where schemaname = 'public'`.execute(db);
  await db.destroy();
  expect(rows).toEqual([]);
});

test('a target that is in use, another key and an unknown version are refused', async () => {
  const restore = (config: Config, dir = backup, isKeyless = false) =>
    failureOf(restoreBackup(config, logger, dir, { isKeyless, isMarkless: false }));
  expect(await restore(restored)).toBe('The database cannot be restored into: it has accounts');

  const strange = await newService();
  const db = openDb(strange.databaseUrl ?? '');
  await sql`create table somebody_elses (id int)`.execute(db);
  expect(await restore(strange)).toBe(
    'The database cannot be restored into: it has tables that do not belong to Keyfold',
  );
  await db.destroy();

  const keyless = await newService(false);
  expect(await restore(keyless)).toMatch(/^The backup does not include the server's key\. Copy the key to /);
  loadMasterKey(keyless.dataDir);
  expect(await restore(keyless)).toMatch(/is not the key of the backup\. Move it aside first$/);
  rmSync(masterKeyFile(keyless.dataDir));
  expect(await restore(keyless, backup, true)).toBe('');

  const withKey = await newService(false);
  expect(await restore(withKey, path.join(root, 'with-key'))).toBe('');
  expect(readFileSync(masterKeyFile(withKey.dataDir))).toEqual(readFileSync(masterKeyFile(dataDir)));

  expect(await failureOf(takeBackup(source(), backup, { hasMasterKey: false }))).toMatch(
    / is not empty\. Use a new folder /,
  );
});

test('a restore ends all sessions, tokens and links from the backup and uses up its codes', async () => {
  const { id: user_id } = await database.db.selectFrom('users').select('id').executeTakeFirstOrThrow();
  const [token_hash, client_key_sealed, expires_at] = [randomBytes(32), randomBytes(60), '2100-01-01'];
  const family_id = randomUUID();
  await database.db
    .insertInto('sessions')
    .values({ token_hash, user_id, client_key_sealed, expires_at, ends_at: new Date('2100-01-01') })
    .execute();
  await database.db
    .insertInto('devices')
    .values({ token_hash, family_id, user_id, client_key_sealed, expires_at, is_biometric: true })
    .execute();
  await database.db
    .insertInto('half_sessions')
    .values({ token_hash, user_id, purpose: 'login', expires_at })
    .execute();
  await database.db.insertInto('second_factors').values({ user_id, last_step: 7 }).execute();
  await database.db
    .insertInto('organization_invites')
    .values({
      id: user_id,
      organization_id: randomUUID(),
      token_hash,
      address: 'withdrawn@keyfold.test',
      name: 'With Drawn',
      role: 'member',
      expires_at: new Date('2100-01-01'),
      created_at: new Date(),
    })
    .execute();
  const dir = path.join(root, 'with sessions');
  await takeBackup(source(), dir, { hasMasterKey: false });
  rmSync(path.join(dir, 'manifest.mark'));
  const config = await newService();
  const words = ['restore', dir, '--without-mark'];
  expect([isBackupCommand(words), isBackupCommand([...words, '--without-mark'])]).toEqual([true, false]);
  expect(await runBackupCommand(config, logger, words)).toEqual([
    expect.stringMatching(/^Restored /),
    expect.stringMatching(/^The backup has no MAC that this server could verify\. /),
    expect.stringMatching(/^All sessions have ended, /),
  ]);
  const db = openDb(config.databaseUrl ?? '');
  for (const table of ['sessions', 'devices', 'half_sessions', 'organization_invites'] as const) {
    expect(await database.db.selectFrom(table).select('token_hash').execute()).toHaveLength(1);
    expect(await db.selectFrom(table).select('token_hash').execute()).toEqual([]);
    await database.db.deleteFrom(table).execute();
  }
  const { last_step } = await db.selectFrom('second_factors').select('last_step').executeTakeFirstOrThrow();
  await db.destroy();
  await database.db.deleteFrom('second_factors').execute();
  expect(last_step).toBeGreaterThan(Date.now() / 30_000);
});

test('a database URL with a password is refused on the command line', async () => {
  const url = 'postgres://keyfold:secret@127.0.0.1/mail';
  const run = (config: Config, ...words: string[]) =>
    failureOf(runBackupCommand(config, logger, ['move-database', ...words]));
  const config = await newService();
  for (const given of [url, 'postgres://127.0.0.1/mail?password=secret']) {
    expect(isBackupCommand(['move-database', given])).toBe(true);
    expect(await run(config, given)).toMatch(/^Other accounts on this machine can read a password /);
  }
  expect(await run({ ...config, moveTo: 'http://127.0.0.1' })).toMatch(/ must contain a postgres:\/\/ URL$/);
  expect(await run({ ...config, moveTo: url })).toMatch(/^DATABASE_URL is set, /);
  expect(isBackupCommand(['move-database'])).toBe(true);
});

test('a blob that was already missing is reported, and the rest is backed up', async () => {
  const [id = ''] = containers.keys();
  await blobs.remove(id);
  const dir = path.join(root, 'one-lost');
  const found = await takeBackup(source(), dir, { hasMasterKey: false });
  await blobs.put(id, one(containers.get(id) ?? Buffer.alloc(0)));
  expect(found.containers).toMatchObject({ count: 9, missing: [id] });
  expect(await runBackupCommand(await newService(), logger, ['verify-backup', dir])).toEqual([
    expect.stringMatching(/ is complete: \d+ rows of \d+ tables and 9 containers, as of 20/),
    '1 container that mail refers to could not be found.',
  ]);
});

test('a backup fails when its hold on blobs expires', async () => {
  const work = holdContainers(database.db, async () => {
    await sql`update container_holds set held_until = now() - interval '1 second'`.execute(database.db);
  });
  await expect(work).rejects.toThrow('The hold on containers expired');
  expect(await database.db.selectFrom('container_holds').selectAll().execute()).toEqual([]);
});

test('a failing archive is reported, and a working one is counted', async () => {
  const [dir, archive] = [path.join(root, 'pg'), path.join(root, 'archive')];
  const config = { walArchive: archive };
  const place = { folder: archive, database: '77', dataDir: root };
  loadMasterKey(root);
  const start = async () => {
    const postgres = await startEmbeddedPostgres(dir, ['fsync=off', ...archiveSettings(place)]);
    const db = createDb(createPool(embeddedConnection(postgres.socketDir, 'postgres'), logger, 1));
    await sql`select pg_switch_wal() from (select txid_current()) t`.execute(db);
    return { db, stop: () => db.destroy().then(postgres.stop) };
  };
  const ends = (db: Db) => checkArchive({ config, db }).then(result => result && result.archived > 0, String);
  const metricOf = async (db: Db) => {
    publishOperationsGauges({ config: { ...readConfig({}), ...config }, db });
    return /^keyfold_archive_failing (.*)$/m.exec((await readMetrics()).text)?.[1];
  };
  const without = await start();
  await expect.poll(() => ends(without.db)).toMatch(/accepts no changes/);
  expect(await metricOf(without.db)).toBe('1');
  expect(await checkArchive({ config: { walArchive: undefined }, db: without.db })).toBe(0);
  await without.stop();
  mkdirSync(archive);
  const withIt = await start();
  await expect.poll(() => ends(withIt.db)).toBe(true);
  expect(await metricOf(withIt.db)).toBe('0');
  await withIt.stop();
});
