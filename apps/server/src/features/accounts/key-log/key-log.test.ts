import { CryptoError } from '@keyfold/crypto/errors';
import { checkGrowth, checkHead, checkKeys, type SeenLog } from '@keyfold/crypto/key-log';
import { addressTag, NO_KEYS } from '@keyfold/crypto/key-log/hashes';
import { createIdentity } from '@keyfold/crypto/vault';
import { directoryNameOf } from '@keyfold/mail/address-form';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../../tests/harness/app.ts';
import { registerTestUser, type TestUser } from '../../../../tests/harness/users.ts';
import { bringUpToDate } from './append.ts';
import { mapRootOf, putEntry } from './map.ts';
import { appendLeaf, hashOf, knownTree } from './tree.ts';

let app: TestApp;
let ann: TestUser;
beforeAll(async () => {
  app = await startTestApp();
  ann = await registerTestUser(app);
});
afterAll(() => app.close());

const bytes = (text: string): Uint8Array => Buffer.from(text, 'base64');

/**
 * Requests keys as a client does and verifies the whole response. Returns versions by address, and
 * the log state seen.
 */
async function ask(users: string[], seen: SeenLog | null = null) {
  const { data, log } = await ann.client.mail.keys({ users, ...(seen && { log_size: seen.size }) });
  const now = await checkHead(seen, log.head);
  const versions: Record<string, number | null> = {};
  for (const [at, one] of data.entries()) {
    const keys =
      'plaintext' in one ? null : { dh_public: bytes(one.dh_public), mlkem_public: bytes(one.mlkem_public) };
    const proof = log.proofs[at] ?? { path: '' };
    versions[one.email] =
      (await checkKeys(log.head.map_root, directoryNameOf(one.email), keys, proof))?.version ?? null;
  }
  return { seen: now, versions };
}

const refused = (work: Promise<unknown>) =>
  expect(work).rejects.toMatchObject({ name: CryptoError.name, code: 'key_log_refused' });

async function otherKeys() {
  const { dh_public, mlkem_public } = await createIdentity();
  return {
    dh_public_key: Buffer.from(dh_public).toString('base64'),
    mlkem_public_key: Buffer.from(mlkem_public).toString('base64'),
  };
}
const swapKeys = async ({ email }: TestUser) =>
  sql`update users set main_key = main_key || ${JSON.stringify(await otherKeys())}::jsonb where email = ${email}`.execute(
    app.db,
  );

/** Rebuilds the log from its entries and its states. */
async function rebuilt() {
  const nodes = new Map();
  const entries = await app.db
    .selectFrom('key_log_entries')
    .select(['tag', 'entry'])
    .orderBy('tag', 'desc')
    .execute();
  for (const one of entries) await putEntry(nodes, new Set(), one);
  const leaves = await app.db
    .selectFrom('key_log_tree')
    .select('hash')
    .where('level', '=', 0)
    .orderBy('place')
    .execute();
  const known = new Map<string, Uint8Array>();
  for (const [size, { hash }] of leaves.entries())
    for (const [key, made] of knownTree(await appendLeaf(size, hash, known))) known.set(key, made);
  return {
    map: await mapRootOf(nodes),
    root: await hashOf({ start: 0, end: leaves.length }, known),
    size: leaves.length,
  };
}

test('a proof shows the keys of an address or its absence, including tagged addresses', async () => {
  const bob = await registerTestUser(app);
  const tagged = bob.email.replace('@', '+shop@');
  const { versions } = await ask([
    ann.email,
    bob.email,
    tagged,
    'nobody@keyfold.test',
    'nobody@elsewhere.test',
  ]);
  expect(versions).toEqual({
    [ann.email]: 1,
    [bob.email]: 1,
    [tagged]: 1,
    'nobody@keyfold.test': null,
    'nobody@elsewhere.test': null,
  });
});

test('the log only grows during concurrent changes and queries, and matches its parts', async () => {
  let { seen } = await ask([ann.email]);
  const first = seen;
  for (let round = 0; round < 3; round++) {
    const [, , next] = await Promise.all([
      registerTestUser(app),
      registerTestUser(app),
      ask([ann.email], seen),
      ask([ann.email, 'nobody@keyfold.test'], seen),
    ]);
    seen = next.seen;
  }
  seen = (await ask([ann.email], seen)).seen;
  expect(seen.size).toBeGreaterThan(first.size);
  const growth = await ann.client.key_log.growth({ from: first.size, to: seen.size });
  await checkGrowth(first, seen, growth.data.path);
  const { map, root, size } = await rebuilt();
  const head = await app.db
    .selectFrom('key_log_heads')
    .selectAll()
    .where('size', '=', size)
    .executeTakeFirstOrThrow();
  expect(Buffer.compare(head.map_root, map)).toBe(0);
  expect(Buffer.compare(head.root, root)).toBe(0);
  expect(await app.db.selectFrom('key_log_notes').selectAll().execute()).toEqual([]);
});

test('a removed address has no keys in the log, and a new owner’s keys are a new version', async () => {
  const { rows } = await sql<{ id: string }>`select id from users where email = ${ann.email}`.execute(app.db);
  const address = 'alias@keyfold.test';
  const add = () =>
    app.db
      .insertInto('addresses')
      .values({ address, user_id: rows[0]?.id ?? '', is_primary: false })
      .execute();
  await add();
  const { seen, versions } = await ask([address]);
  expect(versions).toEqual({ [address]: 1 });
  await app.db.deleteFrom('addresses').where('address', '=', address).execute();
  const later = await ask([address], seen);
  expect(later.versions).toEqual({ [address]: null });
  await add();
  expect((await ask([address], later.seen)).versions).toEqual({ [address]: 3 });
  const { data } = await ann.client.key_log.history({ address });
  expect(data.map(({ version }) => version)).toEqual([1, 2, 3]);
  expect(data[1]?.keys).toBe(Buffer.from(NO_KEYS).toString('base64'));
  expect(data[0]?.keys).toBe(data[2]?.keys);
});

test('keys swapped in the database appear as a version that the owner did not create', async () => {
  const eve = await registerTestUser(app);
  const before = await ask([eve.email]);
  await swapKeys(eve);
  expect((await ask([eve.email], before.seen)).versions).toEqual({ [eve.email]: 2 });
  const { data } = await eve.client.key_log.history({ address: eve.email });
  expect(new Set(data.map(({ keys }) => keys)).size).toBe(2);
});

test('keys swapped behind the log’s back and a map with a missing entry are refused', async () => {
  const eve = await registerTestUser(app);
  const { seen } = await ask([eve.email]);
  await sql`alter table users disable trigger key_log_keys`.execute(app.db);
  await swapKeys(eve);
  await sql`alter table users enable trigger key_log_keys`.execute(app.db);
  await refused(ask([eve.email], seen));
  await app.db
    .deleteFrom('key_log_entries')
    .where('tag', '=', Buffer.from(await addressTag(eve.email)))
    .execute();
  await refused(ask([eve.email], seen));
  // The log is still consistent for clients that have not seen it before.
  expect((await ask([ann.email], seen)).versions).toEqual({ [ann.email]: 1 });
});

test('a log that was started over does not match the one seen before', async () => {
  const { seen } = await ask([ann.email]);
  await refused(ask([ann.email], { ...seen, size: seen.size + 5 }));
  await refused(ask([ann.email], { ...seen, root: Buffer.alloc(32, 7).toString('base64') }));
});

test('users read only their own history, and sizes that never existed are not found', async () => {
  const bob = await registerTestUser(app);
  await bringUpToDate(app.deps);
  const notFound = { code: 'not_found' };
  await expect(ann.client.key_log.history({ address: bob.email })).rejects.toMatchObject(notFound);
  await expect(ann.client.key_log.history({ address: 'nobody@keyfold.test' })).rejects.toMatchObject(
    notFound,
  );
  await expect(ann.client.key_log.growth({ from: 1, to: 1_000_000 })).rejects.toMatchObject(notFound);
  await expect(ann.client.key_log.growth({ from: 2, to: 1 })).rejects.toMatchObject(notFound);
  expect((await ann.client.key_log.growth({ from: 1, to: 1 })).data.path).toBe('');
});
