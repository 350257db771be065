import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../../tests/harness/app.ts';
import { createTestClient, type TestClient } from '../../../../tests/harness/client.ts';
import { makeNewMail } from '../../../../tests/harness/mailbox.ts';
import { registerTestUser, type TestUser, userIdOf } from '../../../../tests/harness/users.ts';
import { type App, startApp } from '../../../app.ts';
import { storeMails } from '../../mailbox/messages/index.ts';

/** Long enough for a slow machine; events normally arrive within a fraction of a second. */
const PATIENCE = { timeout: 20_000, interval: 20 };

let app: TestApp;
/** Another node of the same service. */
let other: App;
let ann: TestUser;
let bob: TestUser;
const open: AbortController[] = [];

beforeAll(async () => {
  app = await startTestApp();
  const { masterKey } = app.deps;
  other = await startApp(app.config, app.database.connection, { masterKey });
});
beforeEach(async () => {
  ann = await registerTestUser(app);
  bob = await registerTestUser(app);
});
afterEach(() => {
  for (const stream of open.splice(0)) stream.abort();
});
afterAll(async () => {
  await other.close();
  await app.close();
});

type Heard = { readonly event: string; readonly data: string };
type Stream = {
  readonly status: number;
  readonly heard: Heard[];
  readonly raw: () => string;
  isEnded: boolean;
  readonly leave: () => void;
};

async function listen(client: TestClient): Promise<Stream> {
  const ending = new AbortController();
  open.push(ending);
  const response = await client.fetch('/user/events', { signal: ending.signal });
  const heard: Heard[] = [];
  let text = '';
  const stream: Stream = {
    status: response.status,
    heard,
    raw: () => text,
    isEnded: false,
    leave: () => ending.abort(),
  };
  const read = async () => {
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString('utf8');
      const found = [...text.matchAll(/event: (\w+)\ndata: (.*)\n\n/g)];
      heard.splice(0, heard.length, ...found.map(([, event = '', data = '']) => ({ event, data })));
    }
  };
  void read()
    .catch(() => undefined)
    .finally(() => {
      stream.isEnded = true;
    });
  if (response.status === 200) await expect.poll(() => heard.length, PATIENCE).toBeGreaterThan(0);
  return stream;
}
const named = ({ heard }: Stream, name: string) => heard.filter(one => one.event === name);

const elsewhere = ({ client }: TestUser): TestClient =>
  createTestClient(`http://127.0.0.1:${other.httpPort}`, { jar: client.jar.copy() });

async function deliver(user: TestUser, db = app.deps.db): Promise<string> {
  const mail = makeNewMail(await userIdOf(app.db, user), { ownAddress: user.email });
  return (await db.transaction().execute(trx => storeMails(trx, [mail])))[0]?.id ?? '';
}

test('events reach only their owner, on every node, with just a kind and a version', async () => {
  const here = await listen(ann.client);
  const there = await listen(elsewhere(ann));
  const foreign = await listen(bob.client);
  const id = await deliver(ann);
  for (const stream of [here, there]) await expect.poll(() => named(stream, 'mail').length, PATIENCE).toBe(1);
  const changes = named(here, 'change').length;
  await elsewhere(ann).mail.star({ email_id: id, value: true });
  for (const stream of [here, there])
    await expect.poll(() => named(stream, 'change').length, PATIENCE).toBeGreaterThan(changes);
  const { version } = await app.db
    .selectFrom('mailboxes')
    .select('version')
    .where('user_id', '=', await userIdOf(app.db, ann))
    .executeTakeFirstOrThrow();
  await expect
    .poll(() => here.heard.at(-1), PATIENCE)
    .toEqual({ event: 'change', data: JSON.stringify({ version }) });
  expect(
    here
      .raw()
      .replace(
        /: open\nretry: \d+\n\n|: still here\n\n|event: (mail|change)\ndata: \{"version":\d+\}\n\n/g,
        '',
      ),
  ).toBe('');
  expect(foreign.heard).toHaveLength(1);
});

test('a rolled-back transaction sends no event, and many changes are merged into few events', async () => {
  const stream = await listen(ann.client);
  const userId = await userIdOf(app.db, ann);
  const failing = app.deps.db.transaction().execute(async trx => {
    await storeMails(trx, [makeNewMail(userId)]);
    throw new Error('undone');
  });
  await expect(failing).rejects.toThrow('undone');
  await bob.client.tags.save({ tag: { name: 'x', color: 'blue' } });
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: 50 }, () => deliver(ann)));
  await expect.poll(() => named(stream, 'mail').at(-1)?.data, PATIENCE).toBe('{"version":50}');
  // Changes within 50 ms merge into one event of each kind; a busy machine takes more such
  // intervals.
  const gathers = Math.ceil((performance.now() - startedAt) / 50);
  expect(stream.heard.length).toBeLessThanOrEqual(2 * gathers + 2);
});

test('a listener whose connection was cut reconnects and reports what it missed', async () => {
  const stream = await listen(ann.client);
  const cut = () =>
    sql<{ pid: number }>`
      select pg_terminate_backend(pid) as cut, pid from pg_stat_activity
      where datname = current_database() and application_name = 'keyfold-events'`.execute(app.db);
  expect((await cut()).rows).toHaveLength(2);
  await deliver(ann);
  await expect.poll(() => named(stream, 'mail').length, PATIENCE).toBeGreaterThan(0);
  const before = named(stream, 'mail').length;
  await deliver(ann, other.deps.db);
  await expect.poll(() => named(stream, 'mail').length, PATIENCE).toBeGreaterThan(before);
  expect(stream.isEnded).toBe(false);
});

test('signing out ends the session’s streams on every node and keeps those of other sessions', async () => {
  const client = app.client();
  await client.sign_in.login({ email: ann.email, password: ann.loginHash, keep_signed_in: false });
  const kept = await listen(client);
  const here = await listen(ann.client);
  const there = await listen(elsewhere(ann));
  await ann.client.auth.logout({});
  for (const stream of [here, there]) await expect.poll(() => stream.isEnded, PATIENCE).toBe(true);
  expect(kept.isEnded).toBe(false);
  expect([...here.heard, ...there.heard].filter(({ event }) => event === 'suspended')).toEqual([]);
  await deliver(ann);
  await expect.poll(() => named(kept, 'mail').length, PATIENCE).toBe(1);
  expect((await listen(ann.client)).status).toBe(401);
});

test('a replayed device token ends the streams of its sessions on every node', async () => {
  const { client, email } = await registerTestUser(app, { keepSignedIn: true });
  const thief = app.client();
  thief.jar.set('keyfold_device', client.jar.get('keyfold_device') ?? '', '/auth');
  const restore = (by: TestClient) => by.auth.restore({ email, timestamp: Date.now() });
  await restore(client);
  const there = createTestClient(`http://127.0.0.1:${other.httpPort}`, { jar: client.jar.copy() });
  const streams = [await listen(client), await listen(there)];
  await expect(restore(thief)).rejects.toMatchObject({ code: 'restore_refused' });
  for (const stream of streams) await expect.poll(() => stream.isEnded, PATIENCE).toBe(true);
});

test('the streams of a user are limited, and a closed one frees its slot', async () => {
  const tried = await Promise.all(Array.from({ length: 12 }, () => listen(ann.client)));
  const streams = tried.filter(({ status }) => status === 200);
  expect(streams).toHaveLength(8);
  expect((await listen(ann.client)).status).toBe(429);
  expect((await listen(bob.client)).status).toBe(200);
  streams[0]?.leave();
  await expect.poll(async () => (await listen(ann.client)).status, PATIENCE).toBe(200);
});

test('the event stream requires a session', async () => {
  expect((await listen(app.client())).status).toBe(401);
});
