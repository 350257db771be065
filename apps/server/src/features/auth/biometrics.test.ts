import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../tests/harness/app.ts';
import { createTestClock, type TestClock } from '../../../tests/harness/clock.ts';
import { codeOf } from '../../../tests/harness/codes.ts';
import { createTestKeys, registerTestUser, type TestUser } from '../../../tests/harness/users.ts';
import { SESSION_IDLE_MS, SESSION_MAX_MS } from '../../limits.ts';

const DAY_MS = 86_400_000;
const refused = '401 restore_refused';

let app: TestApp;
let clock: TestClock;
beforeAll(async () => {
  clock = createTestClock();
  app = await startTestApp({ clock });
});
afterAll(() => app.close());

/** Somebody whose phone opens with its biometrics. */
const withBiometrics = async (keepSignedIn = false) => {
  const user = await registerTestUser(app, { keepSignedIn });
  const { data } = await user.client.biometrics.turn_on({ keep_signed_in: keepSignedIn });
  return { ...user, token: data.token, expiresAt: new Date(data.expires_at) };
};

/** The phone once more, with nothing but what it keeps. */
const enter = async ({ email }: Pick<TestUser, 'email'>, token: string, keep_signed_in = false) => {
  const phone = app.client();
  const { data } = await phone.biometrics.enter({ email, token, keep_signed_in });
  return { phone, user: data };
};

test('the token signs in long after the session has ended, with the same client key, again and again', async () => {
  const owner = await withBiometrics();
  clock.advance(SESSION_IDLE_MS + DAY_MS);
  expect(await codeOf(owner.client.auth.check({}))).toBe('401 not_logged_in');
  const first = await enter(owner, owner.token);
  expect(first.user.client_key).toBe(owner.user.client_key);
  expect((await first.phone.auth.check({})).data.kdf_email).toBe(owner.email);
  expect(first.phone.jar.get('keyfold_device')).toBeUndefined();
  expect((await enter(owner, owner.token)).user.client_key).toBe(owner.user.client_key);
});

test('it is good for 7 days, and for 30 where one stays signed in', async () => {
  const one = await withBiometrics();
  const kept = await withBiometrics(true);
  expect(one.expiresAt.getTime() - clock.now().getTime()).toBe(7 * DAY_MS);
  expect(kept.expiresAt.getTime() - clock.now().getTime()).toBe(30 * DAY_MS);
  clock.advance(7 * DAY_MS - 1);
  await enter(one, one.token);
  clock.advance(1);
  expect(await codeOf(enter(one, one.token))).toBe(refused);
  clock.advance(23 * DAY_MS - 1);
  await enter(kept, kept.token);
  clock.advance(1);
  expect(await codeOf(enter(kept, kept.token))).toBe(refused);
});

test('it ends with the login that it comes from, and so does what it begins', async () => {
  const owner = await withBiometrics(true);
  const start = clock.now().getTime();
  let { token } = owner;
  for (let days = 0; days < 87; days += 29) {
    clock.advance(29 * DAY_MS);
    const { phone } = await enter(owner, token, true);
    const { data } = await phone.biometrics.turn_on({ keep_signed_in: true });
    token = data.token;
    expect(new Date(data.expires_at).getTime()).toBeLessThanOrEqual(start + SESSION_MAX_MS);
  }
  const { phone } = await enter(owner, token);
  clock.advance(3 * DAY_MS);
  expect(await codeOf(phone.auth.check({}))).toBe('401 not_logged_in');
  expect(await codeOf(enter(owner, token))).toBe(refused);
});

test('it opens nobody else’s account, and no other token passes for it', async () => {
  const owner = await withBiometrics(true);
  const other = await registerTestUser(app);
  expect(await codeOf(enter(other, owner.token))).toBe(refused);
  expect(await codeOf(enter(owner, owner.client.jar.get('keyfold_device') ?? ''))).toBe(refused);
  expect(await codeOf(enter(owner, 'A'.repeat(43)))).toBe(refused);
  expect(await codeOf(enter(owner, '.'))).toBe(refused);
  const thief = app.client();
  thief.jar.set('keyfold_device', owner.token, '/auth');
  expect(await codeOf(thief.auth.restore({ email: owner.email, timestamp: clock.now().getTime() }))).toBe(
    refused,
  );
  await enter(owner, owner.token);
});

test('turned off it is over, and whoever is signed in stays so', async () => {
  const owner = await withBiometrics();
  const { phone } = await enter(owner, owner.token);
  await phone.biometrics.turn_off({ token: owner.token });
  await phone.biometrics.turn_off({ token: owner.token });
  expect(await codeOf(enter(owner, owner.token))).toBe(refused);
  await phone.auth.check({});
});

test('signing out of what it began ends it', async () => {
  const owner = await withBiometrics();
  const { phone } = await enter(owner, owner.token);
  await phone.auth.logout({});
  expect(await codeOf(enter(owner, owner.token))).toBe(refused);
});

test('a phone that stays signed in restores its session afterwards, with the same client key', async () => {
  const owner = await withBiometrics(true);
  const { phone } = await enter(owner, owner.token, true);
  phone.jar.remove('keyfold_session');
  const { data } = await phone.auth.restore({ email: owner.email, timestamp: clock.now().getTime() });
  expect(data.client_key).toBe(owner.user.client_key);
  // One device is one entry, with the token and with the session of it.
  const { data: list } = await phone.account.sessions({});
  expect(list.filter(({ current }) => current)).toMatchObject([{ kept: true, biometric: true }]);
});

test('what stayed signed in on the same phone before, under another client key, ends', async () => {
  const owner = await withBiometrics(true);
  const old = owner.client.jar.get('keyfold_device') ?? '';
  await owner.client.biometrics.enter({ email: owner.email, token: owner.token, keep_signed_in: true });
  const thief = app.client();
  thief.jar.set('keyfold_device', old, '/auth');
  const again = { email: owner.email, timestamp: clock.now().getTime() };
  expect(await codeOf(thief.auth.restore(again))).toBe(refused);
  await owner.client.auth.restore(again);
  await enter(owner, owner.token);
});

test('another password ends it, on this phone too, and leaves the session', async () => {
  const owner = await withBiometrics();
  const { phone } = await enter(owner, owner.token);
  const { mainKey } = await createTestKeys();
  expect(
    await codeOf(
      phone.account.change_password({
        old_password: owner.loginHash,
        new_password: 'b'.repeat(64),
        main_key: mainKey,
      }),
    ),
  ).toBe('422 keys_refused');
  await enter(owner, owner.token);
  await owner.client.auth.login({ email: owner.email, password: owner.loginHash, keep_signed_in: false });
  await owner.client.account.change_password({
    old_password: owner.loginHash,
    new_password: 'b'.repeat(64),
    main_key: owner.mainKey,
  });
  expect(await codeOf(enter(owner, owner.token))).toBe(refused);
  await owner.client.auth.check({});
});

test('ending all other sessions, or it alone in the list, ends it', async () => {
  const owner = await withBiometrics();
  const { data: list } = await owner.client.account.sessions({});
  expect(list.map(({ biometric, kept, current }) => ({ biometric, kept, current }))).toEqual([
    { biometric: false, kept: false, current: true },
    { biometric: true, kept: false, current: false },
  ]);
  expect(list[1]?.ends_at).toBe(owner.expiresAt.toISOString());
  await owner.client.account.end_session({ id: list[1]?.id ?? '' });
  expect(await codeOf(enter(owner, owner.token))).toBe(refused);
  const { data } = await owner.client.biometrics.turn_on({});
  await owner.client.account.end_other_sessions({});
  expect(await codeOf(enter(owner, data.token))).toBe(refused);
});

test('whoever is suspended does not come in', async () => {
  const owner = await withBiometrics();
  await app.db.updateTable('users').set({ status: 'suspended' }).where('email', '=', owner.email).execute();
  expect(await codeOf(enter(owner, owner.token))).toBe('403 account_suspended');
});

test('what is stored opens no vault: neither token nor client key can be read from it', async () => {
  const owner = await withBiometrics();
  const rows = await app.db.selectFrom('devices').selectAll().where('is_biometric', '=', true).execute();
  const stored = JSON.stringify(
    rows.map(row => [row.token_hash.toString('hex'), row.client_key_sealed.toString('hex')]),
  );
  expect(stored).not.toContain(Buffer.from(owner.token, 'base64url').toString('hex'));
  expect(stored).not.toContain(Buffer.from(owner.user.client_key, 'base64').toString('hex'));
});
