import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../../tests/harness/app.ts';
import { createTestClock, type TestClock } from '../../../../tests/harness/clock.ts';
import { codeOf } from '../../../../tests/harness/codes.ts';
import { createTestKeys, registerTestUser, type TestUser } from '../../../../tests/harness/users.ts';
import { SESSION_IDLE_MS, SESSION_MAX_MS } from '../../../base/limits.ts';

const DAY_MS = 86_400_000;
const refused = '401 restore_refused';

let app: TestApp;
let clock: TestClock;
beforeAll(async () => {
  clock = createTestClock();
  app = await startTestApp({ clock });
});
afterAll(() => app.close());

/** Registers a user whose phone signs in with biometrics. */
async function withBiometrics(keepSignedIn = false) {
  const user = await registerTestUser(app, { keepSignedIn });
  const { data } = await user.client.biometrics.turn_on({ keep_signed_in: keepSignedIn });
  return { ...user, token: data.token, expiresAt: new Date(data.expires_at) };
}

/** Returns the subjects of a user's notices, sorted. */
const noticesOf = async ({ client }: Pick<TestUser, 'client'>) =>
  (await client.mail.query({ threading: false })).data
    .filter(mail => mail.alert)
    .map(mail => /^Subject: (.*)$/m.exec(mail.headers)?.[1]?.trim())
    .sort();

/** Signs in from the phone again, with only its stored token. */
async function enter({ email }: Pick<TestUser, 'email'>, token: string, keep_signed_in = false) {
  const phone = app.client();
  const { data } = await phone.biometrics.enter({ email, token, keep_signed_in });
  return { phone, user: data };
}

test('the biometric token signs in repeatedly after the session ended, with the same client key', async () => {
  const owner = await withBiometrics();
  clock.advance(SESSION_IDLE_MS + DAY_MS);
  expect(await codeOf(owner.client.auth.check({}))).toBe('401 not_logged_in');
  const first = await enter(owner, owner.token);
  expect(first.user.client_key).toBe(owner.user.client_key);
  expect((await first.phone.auth.check({})).data.kdf_email).toBe(owner.email);
  expect(first.phone.jar.get('keyfold_device')).toBeUndefined();
  expect((await enter(owner, owner.token)).user.client_key).toBe(owner.user.client_key);
});

test('the biometric token is valid for 7 days, or 30 on a device that stays signed in', async () => {
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

test('the biometric token and its sessions end with the original sign-in', async () => {
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

test('the biometric token opens no other account, and no other token replaces it', async () => {
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

test('turning biometrics off invalidates the token and keeps current sessions', async () => {
  const owner = await withBiometrics();
  const { phone } = await enter(owner, owner.token);
  await phone.biometrics.turn_off({ token: owner.token });
  await phone.biometrics.turn_off({ token: owner.token });
  expect(await codeOf(enter(owner, owner.token))).toBe(refused);
  await phone.auth.check({});
});

test('signing out of the session it started or of the one that made it ends the biometric token', async () => {
  const owner = await withBiometrics();
  const { phone } = await enter(owner, owner.token);
  await phone.auth.logout({});
  expect(await codeOf(enter(owner, owner.token))).toBe(refused);
  for (const keepSignedIn of [false, true]) {
    const other = await withBiometrics(keepSignedIn);
    await other.client.auth.logout({});
    expect(await codeOf(enter(other, other.token))).toBe(refused);
  }
});

test('the biometric token shares one list entry with its session and ends with it', async () => {
  for (const keepSignedIn of [false, true]) {
    const owner = await withBiometrics(keepSignedIn);
    // A second token replaces nothing and belongs to the same family.
    const { data: second } = await owner.client.biometrics.turn_on({ keep_signed_in: keepSignedIn });
    const desk = app.client();
    await desk.sign_in.login({ email: owner.email, password: owner.loginHash, keep_signed_in: false });
    const { data: list } = await desk.account.sessions({});
    expect(list.map(({ biometric, kept, current }) => ({ biometric, kept, current }))).toEqual([
      { biometric: false, kept: false, current: true },
      { biometric: true, kept: keepSignedIn, current: false },
    ]);
    await desk.account.end_session({ id: list[1]?.id ?? '' });
    expect(await codeOf(owner.client.auth.check({}))).toBe('401 not_logged_in');
    for (const token of [owner.token, second.token]) expect(await codeOf(enter(owner, token))).toBe(refused);
  }
});

test('two biometric tokens made at once by one session both end with it', async () => {
  const owner = await registerTestUser(app);
  const made = await Promise.all([1, 2, 3].map(() => owner.client.biometrics.turn_on({})));
  expect((await owner.client.account.sessions({})).data).toHaveLength(1);
  await owner.client.auth.logout({});
  for (const { data } of made) expect(await codeOf(enter(owner, data.token))).toBe(refused);
});

test('a session that does not stay signed in cannot obtain a longer token or a device token', async () => {
  const owner = await registerTestUser(app);
  const week = () => new Date(clock.now().getTime() + 7 * DAY_MS).toISOString();
  const { data } = await owner.client.biometrics.turn_on({ keep_signed_in: true });
  expect(data.expires_at).toBe(week());
  const { phone } = await enter(owner, data.token, true);
  expect(phone.jar.get('keyfold_device')).toBeUndefined();
  clock.advance(DAY_MS / 2);
  expect((await phone.biometrics.turn_on({ keep_signed_in: true })).data.expires_at).toBe(week());
});

test('signing in with the password on the same phone keeps the biometric token', async () => {
  const owner = await withBiometrics(true);
  const password = owner.loginHash;
  for (const keep_signed_in of [true, false]) {
    const old = owner.client.jar.get('keyfold_device') ?? '';
    await owner.client.sign_in.login({ email: owner.email, password, keep_signed_in });
    expect((await owner.client.account.sessions({})).data).toMatchObject([
      { biometric: true, kept: keep_signed_in, current: true },
    ]);
    expect(owner.client.jar.get('keyfold_device')).not.toBe(old);
    await enter(owner, owner.token);
  }
  await owner.client.auth.logout({});
  expect(await codeOf(enter(owner, owner.token))).toBe(refused);
});

test('the owner is notified when biometrics are turned on and when a new program uses them', async () => {
  const owner = await withBiometrics();
  const turnedOn = 'Biometric sign-in was turned on';
  expect(await noticesOf(owner)).toEqual([turnedOn]);
  await owner.client.biometrics.enter({ email: owner.email, token: owner.token });
  expect(await noticesOf(owner)).toEqual([turnedOn]);
  const { phone } = await enter(owner, owner.token);
  const both = [turnedOn, 'Biometric sign-in was used from a new app or browser'];
  expect(await noticesOf(owner)).toEqual(both);
  await phone.biometrics.enter({ email: owner.email, token: owner.token });
  expect(await noticesOf(owner)).toEqual(both);
});

test('the sign-in history lists biometric sign-ins once a day per device', async () => {
  const owner = await withBiometrics();
  const { client } = owner;
  const count = async () => (await client.account.logins({})).data.length;
  const again = () => client.biometrics.enter({ email: owner.email, token: owner.token });
  // The sign-in itself also came from this device.
  expect(await count()).toBe(1);
  await again();
  expect(await count()).toBe(1);
  clock.advance(DAY_MS);
  await again();
  await again();
  expect(await count()).toBe(2);
  expect((await client.account.logins({})).data[0]?.outcome).toBe('signed_in');
});

test('a phone that stays signed in restores its session with the same client key', async () => {
  const owner = await withBiometrics(true);
  const { phone } = await enter(owner, owner.token, true);
  phone.jar.remove('keyfold_session');
  const { data } = await phone.auth.restore({ email: owner.email, timestamp: clock.now().getTime() });
  expect(data.client_key).toBe(owner.user.client_key);
  // A device is one entry, including its token and the token's session.
  const { data: list } = await phone.account.sessions({});
  expect(list.filter(({ current }) => current)).toMatchObject([{ kept: true, biometric: true }]);
});

test('a biometric sign-in ends an earlier device token of that phone under another client key', async () => {
  const owner = await withBiometrics(true);
  const phone = app.client();
  await phone.sign_in.login({ email: owner.email, password: owner.loginHash, keep_signed_in: true });
  const old = phone.jar.get('keyfold_device') ?? '';
  await phone.biometrics.enter({ email: owner.email, token: owner.token, keep_signed_in: true });
  const thief = app.client();
  thief.jar.set('keyfold_device', old, '/auth');
  const again = { email: owner.email, timestamp: clock.now().getTime() };
  expect(await codeOf(thief.auth.restore(again))).toBe(refused);
  await phone.auth.restore(again);
  await enter(owner, owner.token);
});

test('a device token replaced in a lost response ends nothing when biometrics identify the phone', async () => {
  const owner = await withBiometrics(true);
  const lost = owner.client.jar.get('keyfold_device') ?? '';
  await owner.client.auth.restore({ email: owner.email, timestamp: clock.now().getTime() });
  const newer = owner.client.jar.get('keyfold_device') ?? '';
  owner.client.jar.set('keyfold_device', lost, '/auth');
  const again = { email: owner.email, token: owner.token, keep_signed_in: true };
  await owner.client.biometrics.enter(again);
  await owner.client.biometrics.enter(again);
  await owner.client.auth.restore({ email: owner.email, timestamp: clock.now().getTime() });
  // The tokens from the lost response restore nothing anymore; a caller that tries has a copy.
  const thief = app.client();
  thief.jar.set('keyfold_device', newer, '/auth');
  expect(await codeOf(thief.auth.restore({ email: owner.email, timestamp: clock.now().getTime() }))).toBe(
    refused,
  );
});

test('a phone that no longer stays signed in keeps no device token that restores', async () => {
  const owner = await withBiometrics(true);
  const old = owner.client.jar.get('keyfold_device') ?? '';
  await owner.client.biometrics.enter({ email: owner.email, token: owner.token, keep_signed_in: false });
  expect(owner.client.jar.get('keyfold_device')).toBeUndefined();
  await enter(owner, owner.token);
  const copy = app.client();
  copy.jar.set('keyfold_device', old, '/auth');
  expect(await codeOf(copy.auth.restore({ email: owner.email, timestamp: clock.now().getTime() }))).toBe(
    refused,
  );
});

test('a password change ends the biometric token on this phone too and keeps the session', async () => {
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
  await owner.client.sign_in.login({ email: owner.email, password: owner.loginHash, keep_signed_in: false });
  await owner.client.account.change_password({
    old_password: owner.loginHash,
    new_password: 'b'.repeat(64),
    main_key: owner.mainKey,
  });
  expect(await codeOf(enter(owner, owner.token))).toBe(refused);
  await owner.client.auth.check({});
});

test('ending all other sessions ends the biometric token on this phone too', async () => {
  const owner = await withBiometrics();
  const { data: list } = await owner.client.account.sessions({});
  expect(list).toMatchObject([
    { biometric: true, kept: false, current: true, ends_at: owner.expiresAt.toISOString() },
  ]);
  await owner.client.account.end_other_sessions({});
  expect(await codeOf(enter(owner, owner.token))).toBe(refused);
  await owner.client.auth.check({});
});

test('a suspended account cannot sign in with biometrics', async () => {
  const owner = await withBiometrics();
  await app.db.updateTable('users').set({ status: 'suspended' }).where('email', '=', owner.email).execute();
  expect(await codeOf(enter(owner, owner.token))).toBe('403 account_suspended');
});

test('the database reveals neither the biometric token nor the client key', async () => {
  const owner = await withBiometrics();
  const rows = await app.db.selectFrom('devices').selectAll().where('is_biometric', '=', true).execute();
  const stored = JSON.stringify(
    rows.map(row => [row.token_hash.toString('hex'), row.client_key_sealed.toString('hex')]),
  );
  expect(stored).not.toContain(Buffer.from(owner.token, 'base64url').toString('hex'));
  expect(stored).not.toContain(Buffer.from(owner.user.client_key, 'base64').toString('hex'));
});
