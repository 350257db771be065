// PST files uploaded to one machine and read by another, which share only a database and a bucket.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import type { ClientRequest } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { type TestMail, writePst } from '@keyfold/testing/pst-file';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../../tests/harness/app.ts';
import { createTestClient } from '../../../../tests/harness/client.ts';
import { createTestClock, type TestClock } from '../../../../tests/harness/clock.ts';
import { codeOf } from '../../../../tests/harness/codes.ts';
import { readCounters } from '../../../../tests/harness/mailbox.ts';
import { beginPstUpload } from '../../../../tests/harness/pst-upload.ts';
import { type S3Server, startS3Server } from '../../../../tests/harness/s3.ts';
import { registerTestUser, type TestUser } from '../../../../tests/harness/users.ts';
import { type App, startApp } from '../../../app.ts';
import { PST_DEATHS_MAX, PST_STORE_AWAY_MS, PST_UPLOAD_LEASE_MS } from '../../../base/import-limits.ts';
import type { Deps } from '../../../context/deps.ts';
import { createPstRunner, tidyUpImports } from './service.ts';

const MAILS = 12;
const CANARY = 'Zaunkönig im Kanarienkäfig';
const DAY_MS = 86_400_000;

let s3: S3Server;
let clock: TestClock;
/** Machine that accepts the uploads. */
let app: TestApp;
/** Another machine that accepts uploads, with its own disk. */
let second: App;
let secondDir: string;
/** Two machines that read, each with its own disk. */
let readers: readonly { readonly deps: Deps; readonly dataDir: string }[];

const closing: App[] = [];

beforeAll(async () => {
  s3 = await startS3Server();
  clock = createTestClock();
  app = await startTestApp({ clock, config: { s3: s3.options } });
  const { masterKey } = app.deps;
  const startOther = async (roles: readonly 'http'[]) => {
    const dataDir = mkdtempSync(path.join(os.tmpdir(), 'kf-machine-'));
    const config = { ...app.config, dataDir, roles };
    return { dataDir, app: await startApp(config, app.database.connection, { masterKey, clock }) };
  };
  const other = await startOther(['http']);
  [second, secondDir] = [other.app, other.dataDir];
  const machines = [await startOther([]), await startOther([])];
  readers = machines.map(one => ({ deps: one.app.deps, dataDir: one.dataDir }));
  closing.push(...machines.map(one => one.app), second);
});
afterEach(() => s3.spoil(null));
afterAll(async () => {
  const { kept, recounted } = await readCounters(app.db);
  expect(kept).toEqual(recounted);
  for (const one of closing) await one.close();
  await app.close();
  for (const dir of [secondDir, ...readers.map(({ dataDir }) => dataDir)])
    rmSync(dir, { recursive: true, force: true });
  await s3.close();
});

const mail = (subject: string): TestMail => ({
  properties: [
    { id: 0x001a, type: 'text', value: 'IPM.Note' },
    { id: 0x0037, type: 'text', value: subject },
    { id: 0x1000, type: 'text', value: `${CANARY} ${subject}` },
    { id: 0x1035, type: 'text', value: `<${subject}@outside.test>` },
  ],
});

const FILE = writePst({
  cipher: 'none',
  folders: [{ name: 'Inbox', mails: Array.from({ length: MAILS }, (_, at) => mail(`n${at}`)) }],
});

const start = async ({ client }: Pick<TestUser, 'client'>): Promise<string> =>
  (await client.server_imports.start_pst({ import_options: '{}' }, { file: new Blob([FILE]) })).data
    .import_id;

/** Returns the same user's client connected to the second machine. */
const atSecond = ({ client }: TestUser) => ({
  client: createTestClient(`http://127.0.0.1:${second.httpPort}`, { jar: client.jar }),
});

const statusOf = async (user: TestUser, id: string) => (await user.client.server_imports.status({ id })).data;

/** Runs one turn on a reading machine; returns false when nothing was pending. */
async function read(deps: Deps | undefined, options: { turnMs?: number } = {}): Promise<boolean> {
  if (deps === undefined) throw new Error('There is no such machine');
  const runner = createPstRunner(deps, options);
  return runner.runNext(new AbortController().signal).finally(() => runner.close());
}

const objectsOf = (id: string): string[] => s3.keys().filter(key => key.startsWith(`imports/${id}/`));

/** Returns the import files on the disks of all machines. */
const onDisks = (): string[] =>
  [app.config.dataDir, secondDir, ...readers.map(({ dataDir }) => dataDir)].flatMap(dir => {
    try {
      return readdirSync(path.join(dir, 'imports'));
    } catch {
      return [];
    }
  });

const rowsOf = ({ email }: TestUser) =>
  app.db
    .selectFrom('server_imports')
    .innerJoin('users', 'users.id', 'server_imports.user_id')
    .select(['server_imports.id', 'server_imports.status'])
    .where('users.email', '=', email)
    .execute();

/** Starts an upload to the first machine that does not end. */
function begin(user: TestUser): ClientRequest {
  const upload = beginPstUpload(app.baseUrl, user);
  upload.write('--b\r\ncontent-disposition: form-data; name="pst_file"; filename="blob"\r\n\r\n!BDN');
  upload.write(Buffer.alloc(9 * 1024 * 1024));
  return upload;
}

test('a file uploaded to one machine is read by another and leaves no plain data', async () => {
  const ann = await registerTestUser(app);
  const id = await start(ann);
  expect(objectsOf(id)).toEqual([`imports/${id}/000000`]);
  expect(onDisks()).toEqual([]);
  const stored = s3.object(`imports/${id}/000000`) ?? Buffer.of();
  expect(stored).toHaveLength(FILE.length);
  for (const plain of ['!BDN', CANARY]) {
    expect(stored.includes(Buffer.from(plain, 'utf16le'))).toBe(false);
    expect(stored.includes(Buffer.from(plain))).toBe(false);
  }
  expect(await read(readers[0]?.deps)).toBe(true);
  expect(await statusOf(ann, id)).toMatchObject({ status: 'done', imported: MAILS, failed: 0 });
  expect((await ann.client.mail.query({})).count).toBe(MAILS);
  expect(objectsOf(id)).toEqual([]);
  expect(onDisks()).toEqual([]);
});

test('each turn fetches the file again on any machine, without duplicates', async () => {
  const [ann, cat] = [await registerTestUser(app), await registerTestUser(app)];
  const id = await start(ann);
  clock.advance(1_000);
  const other = await start(cat);
  for (let turn = 0; turn < 6; turn++) {
    clock.advance(1_000);
    await read(readers[turn % 2]?.deps, { turnMs: 0 });
    expect(onDisks()).toEqual([]);
  }
  expect((await statusOf(ann, id)).processed).toBe(3);
  while (await read(readers[1]?.deps));
  for (const [user, importId] of [
    [ann, id],
    [cat, other],
  ] as const) {
    expect(await statusOf(user, importId)).toMatchObject({ status: 'done', imported: MAILS, skipped: 0 });
    expect((await user.client.mail.query({})).count).toBe(MAILS);
    expect(objectsOf(importId)).toEqual([]);
  }
});

test('an interrupted upload leaves nothing and can be restarted on another machine', async () => {
  const ann = await registerTestUser(app);
  const upload = begin(ann);
  await expect.poll(async () => (await rowsOf(ann)).length).toBe(1);
  const { id = '' } = (await rowsOf(ann))[0] ?? {};
  await expect.poll(() => objectsOf(id).length).toBe(2);
  expect(await codeOf(start(atSecond(ann)))).toBe('409 already_in_progress');
  upload.destroy();
  await expect.poll(() => rowsOf(ann)).toEqual([]);
  expect(objectsOf(id)).toEqual([]);
  const again = await start(atSecond(ann));
  await read(readers[1]?.deps);
  expect(await statusOf(ann, again)).toMatchObject({ status: 'done', imported: MAILS });
});

test('an unfinished upload of a crashed machine is removed by the next upload elsewhere', async () => {
  const ann = await registerTestUser(app);
  const id = await start(ann);
  await app.db
    .updateTable('server_imports')
    .set({ size_bytes: -1, leased_until: new Date(clock.now().getTime() + PST_UPLOAD_LEASE_MS) })
    .where('id', '=', id)
    .execute();
  clock.advance(PST_UPLOAD_LEASE_MS + 1);
  expect(objectsOf(id)).toHaveLength(1);
  const again = await start(atSecond(ann));
  expect(objectsOf(id)).toEqual([]);
  await ann.client.server_imports.cancel({ id: again });
  expect(objectsOf(again)).toEqual([]);
});

test('parts without an import are removed within a day by any machine, and blobs stay', async () => {
  const ann = await registerTestUser(app);
  const cat = await registerTestUser(app);
  const waiting = await start(cat);
  const gone = await start(ann);
  s3.exchange('blobs/ab/cd/some-container', Buffer.of(1));
  await app.db.deleteFrom('users').where('email', '=', ann.email).execute();
  expect((await tidyUpImports(readers[0]?.deps as Deps)).files).toBe(0);
  s3.age(DAY_MS);
  expect((await tidyUpImports(readers[0]?.deps as Deps)).files).toBe(1);
  expect(objectsOf(gone)).toEqual([]);
  expect(objectsOf(waiting)).toHaveLength(1);
  expect(s3.keys()).toContain('blobs/ab/cd/some-container');
  await cat.client.server_imports.cancel({ id: waiting });
});

test('a full bucket refuses a file like a full disk', async () => {
  const ann = await registerTestUser(app);
  s3.spoil('full');
  expect(await codeOf(start(atSecond(ann)))).toBe('507 storage_full');
  expect(await rowsOf(ann)).toEqual([]);
});

test('a machine without disk space leaves a file to the next one', async () => {
  const ann = await registerTestUser(app);
  const id = await start(ann);
  const [full, roomy] = readers;
  if (full === undefined) throw new Error('There is no such machine');
  const importFiles = {
    ...full.deps.importFiles,
    open: (name: string, stored: { sizeBytes: number; digest: Uint8Array }, goOn: () => Promise<void>) =>
      full.deps.importFiles.open(name, { ...stored, sizeBytes: Number.MAX_SAFE_INTEGER / 2 }, goOn),
  };
  // Retries on that machine never count against the import.
  for (let turn = 0; turn <= PST_DEATHS_MAX; turn++) {
    await read({ ...full.deps, importFiles });
    expect(await statusOf(ann, id)).toMatchObject({ status: 'running', processed: 0 });
    expect(await read(roomy?.deps)).toBe(false);
    clock.advance(PST_STORE_AWAY_MS);
  }
  await read(roomy?.deps);
  expect(await statusOf(ann, id)).toMatchObject({ status: 'done', imported: MAILS });
});

test('a file that was altered in or removed from the bucket fails as lost', async () => {
  for (const spoil of [
    (key: string, bytes: Buffer) =>
      s3.exchange(key, Buffer.from(bytes.map((byte, at) => (at === 0 ? byte ^ 1 : byte)))),
    (key: string) => s3.exchange(key, Buffer.of()),
  ]) {
    const ann = await registerTestUser(app);
    const id = await start(ann);
    const key = `imports/${id}/000000`;
    spoil(key, s3.object(key) ?? Buffer.of());
    await read(readers[0]?.deps);
    expect(await statusOf(ann, id)).toMatchObject({ status: 'failed', failure: 'lost', processed: 0 });
    expect(objectsOf(id)).toEqual([]);
  }
});

test('an import canceled while its file is being fetched stops', async () => {
  const ann = await registerTestUser(app);
  const id = await start(ann);
  const [reader] = readers;
  if (reader === undefined) throw new Error('There is no such machine');
  const importFiles = {
    ...reader.deps.importFiles,
    open: async (...args: Parameters<Deps['importFiles']['open']>) => {
      await ann.client.server_imports.cancel({ id });
      return reader.deps.importFiles.open(...args);
    },
  };
  await read({ ...reader.deps, importFiles });
  expect(await statusOf(ann, id)).toMatchObject({ status: 'cancelled', processed: 0 });
  expect(objectsOf(id)).toEqual([]);
  expect(onDisks()).toEqual([]);
});

test('while the bucket is unavailable an import waits, and an upload is refused without a trace', async () => {
  const ann = await registerTestUser(app);
  const cat = await registerTestUser(app);
  const id = await start(ann);
  s3.spoil('failing');
  expect(await codeOf(start(cat))).toBe('503 unavailable');
  expect(await rowsOf(cat)).toEqual([]);
  for (let turn = 0; turn <= PST_DEATHS_MAX; turn++) {
    await read(readers[0]?.deps);
    expect((await statusOf(ann, id)).status).toBe('running');
    clock.advance(PST_STORE_AWAY_MS);
  }
  s3.spoil(null);
  // A machine pauses the store briefly after a failure; another machine does not know about it.
  await read(readers[1]?.deps);
  expect(await statusOf(ann, id)).toMatchObject({ status: 'done', imported: MAILS });
});
