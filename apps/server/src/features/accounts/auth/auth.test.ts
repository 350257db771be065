import { randomUUID } from 'node:crypto';
import { unlockVault } from '@keyfold/crypto/vault';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../../tests/harness/app.ts';
import { codeOf } from '../../../../tests/harness/codes.ts';
import { createTestKeys, registerTestUser } from '../../../../tests/harness/users.ts';
import { REGISTRATION_REPEAT_MS } from '../../../base/limits.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const registration = async (username: string) => ({
  name: 'Someone',
  username,
  domain: 'keyfold.test',
  password: 'ab'.repeat(32),
  captcha: '',
  main_key: (await createTestKeys()).mainKey,
});

test('signing up creates an account, signs it in and returns the user', async () => {
  const alice = await registerTestUser(app, {
    username: 'alice',
    name: 'Alice',
    password: 'Correct-Horse-1',
  });
  expect(alice.user).toMatchObject({
    email: 'alice@keyfold.test',
    kdf_email: 'alice@keyfold.test',
    name: 'Alice',
    role: { is_admin: false, admin_level: null },
    addresses: [],
    tags: [],
    contacts: [{ name: 'Me', email: 'alice@keyfold.test', fingerprint: alice.mainKey.key_id }],
    plan: 'free',
    plan_config: { domain_limit: 1, address_limit: 3, storage_limit: 5_368_709_120 },
    storage_used: 0,
    main_key: alice.mainKey,
  });
  const { data: again } = await alice.client.auth.check({});
  expect(again.client_key).toBe(alice.user.client_key);
  expect(await unlockVault(alice.vaultKey, again.main_key)).toMatchObject({ key_id: alice.identity.key_id });
});

test('the user includes other addresses and tags, with gray for an unknown color', async () => {
  const { client, email } = await registerTestUser(app);
  const { id } = await app.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  const alias = `alias.${email}`;
  await app.db.insertInto('addresses').values({ address: alias, user_id: id, is_primary: false }).execute();
  const rows = [
    { name: 'work', color: 'blue' },
    { name: 'odd', color: 'mauve' },
  ];
  await app.db
    .insertInto('tags')
    .values(rows.map(row => ({ ...row, user_id: id, id: randomUUID() })))
    .execute();
  const { data } = await client.auth.check({});
  expect(data.addresses).toEqual([alias]);
  expect(data.tags).toEqual([
    { name: 'odd', color: 'gray' },
    { name: 'work', color: 'blue' },
  ]);
});

test('signing in elsewhere returns the same keys and another client key', async () => {
  const client = app.client();
  const bob = await registerTestUser(app, { username: 'bob' });
  const { data } = await client.sign_in.login({ email: ' BOB@Keyfold.Test ', password: bob.loginHash });
  if ('mfa_required' in data) throw new Error('no second factor was set');
  expect(data.main_key).toEqual(bob.mainKey);
  expect(data.client_key).not.toBe(bob.user.client_key);
});

test('a wrong password and an unknown address get the same answer', async () => {
  const carol = await registerTestUser(app, { username: 'carol' });
  const wrong = { password: '00'.repeat(32) };
  expect(await codeOf(app.client().sign_in.login({ email: carol.email, ...wrong }))).toBe(
    '401 login_refused',
  );
  expect(await codeOf(app.client().sign_in.login({ email: 'nobody@keyfold.test', ...wrong }))).toBe(
    '401 login_refused',
  );
});

test('invalid names, domains and keys, and taken addresses, each get their own error', async () => {
  const { sign_up } = app.client();
  await sign_up.register(await registration('dave'));
  expect(await codeOf(sign_up.register(await registration('Dave')))).toBe('409 address_taken');
  for (const name of ['postmaster', 'Admin', 'ab use', 'a..b', '.a', 'a@b', 'äöü', 'post-master']) {
    expect(await codeOf(sign_up.register(await registration(name))), name).toBe('422 username_refused');
  }
  const elsewhere = { ...(await registration('erin')), domain: 'example.org' };
  expect(await codeOf(sign_up.register(elsewhere))).toBe('422 domain_refused');
  const swapped = await registration('erin');
  const other = (await createTestKeys()).mainKey;
  const mixed = { ...swapped.main_key, dh_public_key: other.dh_public_key };
  expect(await codeOf(sign_up.register({ ...swapped, main_key: mixed }))).toBe('422 keys_refused');
  const short = { ...swapped.main_key, dh_public_key: 'AAAA' };
  expect(await codeOf(sign_up.register({ ...swapped, main_key: short }))).toBe('400 malformed');
});

test('keys that cannot encrypt are refused even with a correct fingerprint', async () => {
  const form = await registration('frank');
  const { fingerprintOf } = await import('@keyfold/crypto/fingerprint');
  const dh_public = new Uint8Array(32);
  const mlkem_public = Buffer.from(form.main_key.mlkem_public_key, 'base64');
  const main_key = {
    ...form.main_key,
    dh_public_key: Buffer.from(dh_public).toString('base64'),
    key_id: await fingerprintOf({ dh_public, mlkem_public }),
  };
  expect(await codeOf(app.client().sign_up.register({ ...form, main_key }))).toBe('422 keys_refused');
});

test('two concurrent sign-ups with one name create one account', async () => {
  const forms = await Promise.all(Array.from({ length: 8 }, () => registration('grace')));
  const results = await Promise.allSettled(forms.map(form => app.client().sign_up.register(form)));
  expect(results.filter(result => result.status === 'fulfilled')).toHaveLength(1);
  const rows = await app.db
    .selectFrom('mailboxes')
    .innerJoin('users', 'users.id', 'mailboxes.user_id')
    .select('users.id')
    .where('users.email', '=', 'grace@keyfold.test')
    .execute();
  expect(rows).toHaveLength(1);
});

test('a sign-up whose response was lost can be repeated and starts a new session', async () => {
  const form = { ...(await registration('judy')), keep_signed_in: true };
  const lost = app.client();
  const { data: first } = await lost.sign_up.register(form);
  const found = app.client();
  const { data: again } = await found.sign_up.register(form);
  expect(again.email).toBe(first.email);
  expect((await found.auth.check({})).data.main_key).toEqual(form.main_key);
  expect(await codeOf(lost.auth.check({}))).toBe('401 not_logged_in');
  const restored = lost.auth.restore({ email: first.email, timestamp: Date.now() });
  expect(await codeOf(restored)).toBe('401 restore_refused');
  // Users receive no notice of their own sign-in.
  const { data: mails } = await found.mail.query({});
  expect(mails).toEqual([]);
  const taken = '409 address_taken';
  const otherHash = { ...form, password: 'cd'.repeat(32) };
  expect(await codeOf(app.client().sign_up.register(otherHash))).toBe(taken);
  const otherKeys = { ...form, main_key: (await createTestKeys()).mainKey };
  expect(await codeOf(app.client().sign_up.register(otherKeys))).toBe(taken);
  await app.db
    .updateTable('users')
    .set({ created_at: new Date(Date.now() - REGISTRATION_REPEAT_MS - 60_000) })
    .where('email', '=', first.email)
    .execute();
  expect(await codeOf(app.client().sign_up.register(form))).toBe(taken);
  await found.auth.check({});
});

test('a sign-up whose response arrived cannot be repeated and ends no session', async () => {
  const form = { ...(await registration('liam')), keep_signed_in: true };
  const client = app.client();
  await client.sign_up.register(form);
  await client.auth.check({});
  const thief = app.client();
  expect(await codeOf(thief.sign_up.register(form))).toBe('409 address_taken');
  await client.auth.check({});
  await client.auth.logout({});
  expect(await codeOf(thief.sign_up.register(form))).toBe('409 address_taken');
});

test('concurrent copies of one sign-up create one account with one session', async () => {
  const form = await registration('karl');
  const clients = Array.from({ length: 4 }, () => app.client());
  await Promise.all(clients.map(client => client.sign_up.register(form)));
  const codes = await Promise.all(clients.map(client => codeOf(client.auth.check({}))));
  expect(codes.filter(code => code === 'none')).toHaveLength(1);
});

test('control characters are rejected as malformed before they reach the database', async () => {
  const form = await registration('ivan');
  const malformed = '400 malformed';
  for (const bad of ['a\0b', 'a\r\nBcc: b'])
    expect(await codeOf(app.client().sign_up.register({ ...form, name: bad })), bad).toBe(malformed);
  expect(await codeOf(app.client().sign_up.register({ ...form, affiliate_code: 'a\0b' }))).toBe(malformed);
  const email = 'iv\0an@keyfold.test';
  const password = 'ab'.repeat(32);
  expect(await codeOf(app.client().sign_in.login({ email, password }))).toBe(malformed);
  expect(await codeOf(app.client().auth.restore({ email, timestamp: 1 }))).toBe(malformed);
});

test('a malformed key is refused in time linear to its length', async () => {
  const form = await registration('judy');
  const main_key = { ...form.main_key, mlkem_public_key: `${'='.repeat(25_000)}x` };
  const startedAt = performance.now();
  expect(await codeOf(app.client().sign_up.register({ ...form, main_key }))).toBe('400 malformed');
  expect(performance.now() - startedAt).toBeLessThan(30_000);
});

test('signing out ends the session and can be repeated', async () => {
  const { client } = await registerTestUser(app);
  await client.auth.logout({});
  expect(await codeOf(client.auth.check({}))).toBe('401 not_logged_in');
  await client.auth.logout({});
});

test('the database contains no plain tokens, login hashes or client keys', async () => {
  const heidi = await registerTestUser(app, { username: 'heidi', keepSignedIn: true });
  const token = heidi.client.jar.get('keyfold_session') ?? '';
  expect(token).toHaveLength(43);
  const everything = JSON.stringify(
    [
      await app.db.selectFrom('users').selectAll().execute(),
      await app.db.selectFrom('sessions').selectAll().execute(),
      await app.db.selectFrom('devices').selectAll().execute(),
    ],
    (_, value) => (value?.type === 'Buffer' ? Buffer.from(value.data).toString('latin1') : value),
  );
  for (const secret of [token, heidi.loginHash, heidi.user.client_key]) {
    expect(everything).not.toContain(secret);
    expect(everything).not.toContain(Buffer.from(secret, 'base64').toString('latin1').slice(2));
    expect(everything).not.toContain(Buffer.from(secret, 'hex').toString('latin1').slice(2) || 'none');
  }
});
