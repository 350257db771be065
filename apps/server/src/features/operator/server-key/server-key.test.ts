import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../../tests/harness/app.ts';
import { createTestDatabase, type TestDatabase } from '../../../../tests/harness/database.ts';
import { registerTestUser } from '../../../../tests/harness/users.ts';
import { fingerprintOf, loadMasterKey, masterKeyFile } from '../../../base/master-key.ts';
import { sealSecret } from '../../accounts/second-factor/totp.ts';
import { getVapidKeys } from '../../clients/notifications/vapid.ts';
import { saveRules } from '../../inbound/filters/rules.ts';
import { dkimRecords } from '../../outbound/delivery/index.ts';
import { sealOutgoing } from '../../outbound/delivery/sealing.ts';
import { openServerKey } from './service.ts';
import { findFingerprint, findSealedSamples } from './store.ts';

let app: TestApp;
let root: string;
const databases: TestDatabase[] = [];

beforeAll(async () => {
  root = mkdtempSync(path.join(os.tmpdir(), 'kf-key-'));
  app = await startTestApp();
});
afterAll(async () => {
  await app.close();
  for (const { drop } of databases) await drop();
  rmSync(root, { recursive: true, force: true });
});

const folder = (): string => mkdtempSync(path.join(root, 'data-'));
async function databaseOf(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  databases.push(database);
  return database;
}
const refusalOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => '',
    (error: Error) => `${error.name}: ${error.message}`,
  );
/** Creates a database from before fingerprints, with a sealed DKIM key. */
async function olderService() {
  const [database, dataDir] = [await databaseOf(), folder()];
  const masterKey = loadMasterKey(dataDir);
  await dkimRecords({ ...app.deps, db: database.db, masterKey });
  return { ...database, dataDir, masterKey };
}

let older: Awaited<ReturnType<typeof olderService>>;
beforeEach(async () => {
  older = await olderService();
});

test('a first start creates the key and records its fingerprint, not the key itself', async () => {
  const [{ db }, dataDir] = [await databaseOf(), folder()];
  const key = await openServerKey(db, { dataDir, mayMake: true });
  const recorded = await findFingerprint(db);
  expect(recorded).toEqual(fingerprintOf(key));
  expect(fingerprintOf(loadMasterKey(dataDir))).toEqual(recorded);
  expect(await refusalOf(openServerKey(db, { dataDir, mayMake: false }))).toBe('');
});

test('a service without a recorded fingerprint adopts only the key that opens its sealed data', async () => {
  const { db, dataDir } = older;
  const strange = folder();
  loadMasterKey(strange);
  const another = await refusalOf(openServerKey(db, { dataDir: strange, mayMake: true }));
  expect(another).toMatch(/^StartRefused: The server's key .* does not belong to this database\. /);
  const empty = folder();
  const missing = await refusalOf(openServerKey(db, { dataDir: empty, mayMake: true }));
  expect(missing).toMatch(/^StartRefused: The server's key .* is missing: restore your copy/);
  expect(`${another}${missing}`).not.toContain('\n');
  expect(readdirSync(empty)).toEqual([]);
  expect(await findFingerprint(db)).toBeNull();
  await openServerKey(db, { dataDir, mayMake: false });
  expect(await findFingerprint(db)).not.toBeNull();
});

test('a key that is missing, different, damaged or not a file is refused, and none is created', async () => {
  const { db, dataDir } = older;
  await openServerKey(db, { dataDir, mayMake: true });
  const file = masterKeyFile(dataDir);
  rmSync(file);
  const refused = () => refusalOf(openServerKey(db, { dataDir, mayMake: true }));
  expect(await refused()).toMatch(/ is missing: /);
  expect(existsSync(file)).toBe(false);
  for (const text of ['', 'half a k', `${randomBytes(31).toString('base64')}\n`, `${'A'.repeat(43)}=x`]) {
    writeFileSync(file, text);
    expect(await refused()).toBe(
      `StartRefused: The server's key ${file} is damaged: restore your copy of it`,
    );
  }
  writeFileSync(file, `${randomBytes(32).toString('base64')}\n`);
  expect(await refused()).toMatch(/ does not belong to this database\. /);
  rmSync(file);
  mkdirSync(file);
  expect(await refused()).toBe(`StartRefused: Cannot read the server's key ${file} (EISDIR)`);
});

test('of two machines that start at once without a key, only one creates it', async () => {
  const { db } = await databaseOf();
  const dirs = [folder(), folder()];
  const said = await Promise.all(
    dirs.map(dataDir => refusalOf(openServerKey(db, { dataDir, mayMake: true }))),
  );
  expect(said.filter(text => text === '')).toHaveLength(1);
  const [loser = ''] = dirs.filter((_, index) => said[index] !== '');
  expect(readdirSync(loser)).toEqual([]);
});

test('samples of every feature that stores sealed data open with the key that sealed them', async () => {
  const ann = await registerTestUser(app);
  const { db, masterKey, clock } = app.deps;
  const { id: user_id } = await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', ann.email)
    .executeTakeFirstOrThrow();
  await dkimRecords(app.deps);
  await getVapidKeys(app.deps);
  await ann.client.signatures.create({
    name: 'Work',
    html_content: '<p>W</p>',
    plain_text: 'W',
    is_default: true,
  });
  await ann.client.addresses.change({ address: ann.email, label: 'Mine' });
  await saveRules(app.deps, user_id, []);
  await db
    .insertInto('second_factors')
    .values({ user_id, secret_sealed: sealSecret(masterKey, user_id, randomBytes(20)) })
    .execute();
  await db
    .insertInto('outbound_messages')
    .values({
      id: user_id,
      user_id,
      message_sealed: sealOutgoing(masterKey, user_id, Buffer.from('x')),
      created_at: clock.now(),
    })
    .execute();
  const samples = await findSealedSamples(db);
  expect(new Set(samples.map(({ purpose }) => purpose))).toEqual(
    new Set([
      'dkim key',
      'push key',
      'mail rules',
      'security settings',
      'totp secret',
      'signature',
      'address label',
      'outbound message',
    ]),
  );
  for (const { purpose, context, sealed } of samples)
    expect(() => masterKey.open(purpose, context, sealed), purpose).not.toThrow();
});
