import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../../tests/harness/app.ts';
import type { TestClient } from '../../../../tests/harness/client.ts';
import { createTestClock, type TestClock } from '../../../../tests/harness/clock.ts';
import { codeOf } from '../../../../tests/harness/codes.ts';
import { registerTestUser } from '../../../../tests/harness/users.ts';
import { DEVICE_LIFETIME_MS, SESSION_IDLE_MS } from '../../../base/limits.ts';
import { forgetRepeats } from './restore-repeats.ts';
import { hashToken } from './tokens.ts';

const MINUTE_MS = 60_000;

let app: TestApp;
let clock: TestClock;
beforeAll(async () => {
  clock = createTestClock();
  app = await startTestApp({ clock });
});
afterAll(() => app.close());

const now = () => clock.now().getTime();

test('a session lasts while it is used and expires when idle', async () => {
  const { client } = await registerTestUser(app);
  for (let used = 0; used < 3; used++) {
    clock.advance(SESSION_IDLE_MS - MINUTE_MS);
    await client.auth.check({});
  }
  clock.advance(SESSION_IDLE_MS + MINUTE_MS);
  expect(await codeOf(client.auth.check({}))).toBe('401 not_logged_in');
});

test('activity is recorded, but not on every request', async () => {
  const { client, email } = await registerTestUser(app);
  const lastActive = async () =>
    (
      await app.db
        .selectFrom('users')
        .select('last_active_at')
        .where('email', '=', email)
        .executeTakeFirstOrThrow()
    ).last_active_at?.getTime();
  const first = await lastActive();
  expect(first).toBe(now());
  clock.advance(MINUTE_MS);
  await client.auth.check({});
  expect(await lastActive()).toBe(first);
  clock.advance(5 * MINUTE_MS);
  await client.auth.check({});
  expect(await lastActive()).toBe(now());
});

test('restore starts a session with the same client key and replaces the device cookie', async () => {
  const { client, user, email } = await registerTestUser(app, { keepSignedIn: true });
  const device = client.jar.get('keyfold_device');
  client.jar.remove('keyfold_session');
  expect(await codeOf(client.auth.check({}))).toBe('401 not_logged_in');
  const { data } = await client.auth.restore({ email, timestamp: now() });
  expect(data.client_key).toBe(user.client_key);
  expect(client.jar.get('keyfold_device')).not.toBe(device);
  expect((await client.auth.check({})).data.client_key).toBe(user.client_key);
});

test('a replayed device cookie ends the whole family, including its sessions', async () => {
  const { client, email } = await registerTestUser(app, { keepSignedIn: true });
  const thief = client.jar.copy();
  await client.auth.restore({ email, timestamp: now() });
  const stolen = app.client();
  stolen.jar.set('keyfold_device', thief.get('keyfold_device') ?? '', '/auth');
  expect(await codeOf(stolen.auth.restore({ email, timestamp: now() }))).toBe('401 restore_refused');
  expect(await codeOf(client.auth.check({}))).toBe('401 not_logged_in');
  expect(await codeOf(client.auth.restore({ email, timestamp: now() }))).toBe('401 restore_refused');
});

test('at most one of many concurrent restores with one cookie succeeds', async () => {
  const { client, email } = await registerTestUser(app, { keepSignedIn: true });
  const results = await Promise.allSettled(
    Array.from({ length: 6 }, () => {
      const tab = app.client();
      tab.jar.set('keyfold_device', client.jar.get('keyfold_device') ?? '', '/auth');
      return tab.auth.restore({ email, timestamp: now() });
    }),
  );
  expect(results.filter(result => result.status === 'fulfilled').length).toBeLessThanOrEqual(1);
});

const newKey = (): string => randomBytes(32).toString('base64url');

/** Restores a session under `key` and discards the response, as if it never reached the client. */
async function loseAnswer(key: string) {
  const person = await registerTestUser(app, { keepSignedIn: true });
  person.client.jar.remove('keyfold_session');
  const device = person.client.jar.get('keyfold_device') ?? '';
  const lost = app.client();
  lost.jar.set('keyfold_device', device, '/auth');
  await restoreWith(lost, person.email, key);
  return { ...person, lost };
}
const restoreWith = (client: TestClient, email: string, key: string) =>
  client.auth.restore({ email, timestamp: now() }, { headers: { 'idempotency-key': key } });

test('a restore whose response was lost can be repeated with the same key, and the lost session ends', async () => {
  const key = newKey();
  const { client, lost, email, user } = await loseAnswer(key);
  clock.advance(59_000);
  const { data } = await restoreWith(client, email, key);
  expect(data.client_key).toBe(user.client_key);
  expect(await codeOf(lost.auth.check({}))).toBe('401 not_logged_in');
  // Loses the response a second time.
  const again = app.client();
  again.jar.set('keyfold_device', client.jar.get('keyfold_device') ?? '', '/auth');
  await again.auth.restore({ email, timestamp: now() });
  expect((await again.auth.check({})).data.client_key).toBe(user.client_key);
  // A client that presents the lost token must have read another client's response.
  expect(await codeOf(lost.auth.restore({ email, timestamp: now() }))).toBe('401 restore_refused');
  expect(await codeOf(again.auth.check({}))).toBe('401 not_logged_in');
});

test('a restore may be repeated more than once while its answers get lost', async () => {
  const key = newKey();
  const { client, email } = await loseAnswer(key);
  const device = client.jar.get('keyfold_device') ?? '';
  await restoreWith(client, email, key);
  client.jar.set('keyfold_device', device, '/auth');
  await restoreWith(client, email, key);
  await client.auth.check({});
  await client.auth.restore({ email, timestamp: now() });
});

test.each([
  ['under another key', async () => newKey()],
  ['without a key', async () => undefined],
  [
    'after a minute',
    async (key: string) => {
      clock.advance(60_001);
      return key;
    },
  ],
  [
    'when the session that it gave was used',
    async (key: string, lost: TestClient) => {
      await lost.auth.check({});
      return key;
    },
  ],
  [
    'when that session has ended',
    async (key: string, lost: TestClient) => {
      const hash = hashToken('session', lost.jar.get('keyfold_session') ?? '');
      await app.db.deleteFrom('sessions').where('token_hash', '=', hash).execute();
      return key;
    },
  ],
  [
    'when the token that it gave was used',
    async (key: string, lost: TestClient, email: string) => {
      await lost.auth.restore({ email, timestamp: now() });
      return key;
    },
  ],
])('a replaced device token ends its family %s', async (_, keyAfter) => {
  const key = newKey();
  const { client, lost, email } = await loseAnswer(key);
  const given = await keyAfter(key, lost, email);
  const repeat = client.auth.restore(
    { email, timestamp: now() },
    given === undefined ? {} : { headers: { 'idempotency-key': given } },
  );
  expect(await codeOf(repeat)).toBe('401 restore_refused');
  expect(await codeOf(lost.auth.check({}))).toBe('401 not_logged_in');
  expect(await codeOf(restoreWith(client, email, key))).toBe('401 restore_refused');
});

test('concurrent restores under one key leave one session', async () => {
  const { client, email } = await registerTestUser(app, { keepSignedIn: true });
  const key = newKey();
  const tabs = Array.from({ length: 4 }, () => {
    const tab = app.client();
    tab.jar.set('keyfold_device', client.jar.get('keyfold_device') ?? '', '/auth');
    return tab;
  });
  await Promise.all(tabs.map(tab => restoreWith(tab, email, key)));
  const living = await Promise.all(tabs.map(tab => codeOf(tab.auth.check({}))));
  expect(living.filter(code => code === 'none')).toHaveLength(1);
});

test('the data for repeating a restore is deleted after a minute', async () => {
  const kept = () =>
    app.db.selectFrom('devices').select('token_hash').where('repeat_key_sealed', 'is not', null).execute();
  await forgetRepeats(app.db, new Date(now() + 2 * MINUTE_MS));
  await loseAnswer(newKey());
  clock.advance(59_000);
  await forgetRepeats(app.db, clock.now());
  expect(await kept()).toHaveLength(1);
  clock.advance(2_000);
  await forgetRepeats(app.db, clock.now());
  expect(await kept()).toEqual([]);
});

test('an invalid restore key is malformed', async () => {
  const { client, email } = await registerTestUser(app, { keepSignedIn: true });
  expect(await codeOf(restoreWith(client, email, 'short'))).toBe('400 malformed');
});

test('restore requires the right address, a current cookie and a recent timestamp', async () => {
  const other = await registerTestUser(app);
  const { client, email } = await registerTestUser(app, { keepSignedIn: true });
  const old = now() - DEVICE_LIFETIME_MS - MINUTE_MS;
  expect(await codeOf(client.auth.restore({ email: other.email, timestamp: now() }))).toBe(
    '401 restore_refused',
  );
  expect(await codeOf(client.auth.restore({ email, timestamp: old }))).toBe('401 restore_refused');
  expect(await codeOf(client.auth.restore({ email, timestamp: new Date(old).toISOString() }))).toBe(
    '401 restore_refused',
  );
  await client.auth.restore({ email, timestamp: now() });
  clock.advance(DEVICE_LIFETIME_MS + MINUTE_MS);
  expect(await codeOf(client.auth.restore({ email, timestamp: now() }))).toBe('401 restore_refused');
  expect(await codeOf(app.client().auth.restore({ email, timestamp: now() }))).toBe('401 restore_refused');
});

test('a later sign-in on a kept device keeps the client key; one without staying ends the device', async () => {
  const { client, user, email, loginHash } = await registerTestUser(app, { keepSignedIn: true });
  const keyAfter = async (keep_signed_in: boolean) => {
    const { data } = await client.sign_in.login({ email, password: loginHash, keep_signed_in });
    return 'mfa_required' in data ? null : data.client_key;
  };
  const first = client.jar.get('keyfold_device') ?? '';
  expect(await keyAfter(true)).toBe(user.client_key);
  expect(await keyAfter(false)).toBe(user.client_key);
  expect(client.jar.get('keyfold_device')).toBeUndefined();
  client.jar.set('keyfold_device', first, '/auth');
  expect(await codeOf(client.auth.restore({ email, timestamp: now() }))).toBe('401 restore_refused');
  client.jar.remove('keyfold_device');
  expect(await keyAfter(false)).not.toBe(user.client_key);
});

test("another user's sign-in on a device never receives the first user's client key", async () => {
  const first = await registerTestUser(app, { keepSignedIn: true });
  const second = await registerTestUser(app);
  const { data } = await first.client.sign_in.login({ email: second.email, password: second.loginHash });
  expect('client_key' in data && data.client_key).not.toBe(first.user.client_key);
  expect(first.client.jar.get('keyfold_device')).toBeUndefined();
});

test('signing out removes the device token too', async () => {
  const { client, email } = await registerTestUser(app, { keepSignedIn: true });
  const device = client.jar.get('keyfold_device') ?? '';
  await client.auth.logout({});
  expect(client.jar.get('keyfold_device')).toBeUndefined();
  client.jar.set('keyfold_device', device, '/auth');
  expect(await codeOf(client.auth.restore({ email, timestamp: now() }))).toBe('401 restore_refused');
});

test('cookies are HttpOnly, SameSite=Lax and host-only, and Secure only behind HTTPS', async () => {
  const { email, loginHash } = await registerTestUser(app);
  const login = (headers: Record<string, string>) =>
    app.client().fetch('/auth/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ email, password: loginHash, keep_signed_in: true }),
    });
  const [session, device] = (await login({})).headers.getSetCookie();
  expect(session).toMatch(/^keyfold_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
  expect(device).toMatch(
    /^keyfold_device=[\w-]{43}; Max-Age=2592000; Path=\/auth; HttpOnly; SameSite=Strict$/,
  );
  const [secure] = (await login({ 'x-forwarded-proto': 'https' })).headers.getSetCookie();
  expect(secure).toMatch(/^__Host-keyfold_session=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
});

test('a bearer token works like the cookie, and both together are refused', async () => {
  const { client } = await registerTestUser(app);
  const token = client.jar.get('keyfold_session') ?? '';
  const bearer = { authorization: `Bearer ${token}` };
  expect((await app.client().fetch('/auth/check', { headers: bearer })).status).toBe(200);
  expect((await client.fetch('/auth/check', { headers: bearer })).status).toBe(400);
  for (const wrong of [
    'x',
    token.slice(1),
    `${token}A`,
    token.replace(/^./, first => (first === 'A' ? 'B' : 'A')),
  ]) {
    const headers = { authorization: `Bearer ${wrong}` };
    expect((await app.client().fetch('/auth/check', { headers })).status).toBe(401);
  }
});
