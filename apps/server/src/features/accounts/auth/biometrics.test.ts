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

/** Somebody whose phone opens with its biometrics. */
async function withBiometrics(keepSignedIn = false) {
  const user = await registerTestUser(app, { keepSignedIn });
  const { data } = await user.client.biometrics.turn_on({ keep_signed_in: keepSignedIn });
  return { ...user, token: data.token, expiresAt: new Date(data.expires_at) };
}

/** Subjects of the notices that somebody has, sorted. */
const noticesOf = async ({ client }: Pick<TestUser, 'client'>) =>
  (await client.mail.query({ threading: false })).data
    .filter(mail => mail.alert)
    .map(mail => /^Subject: (.*)$/m.exec(mail.headers)?.[1]?.trim())
    .sort();

/** The phone once more, with nothing but what it keeps. */
async function enter({ email }: Pick<TestUser, 'email'>, token: string, keep_signed_in = false) {
  const phone = app.client();
  const { data } = await phone.biometrics.enter({ email, token, keep_signed_in });
  return { phone, user: data };
}

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

test('signing out of what it began ends it, and so does signing out of what made it', async () => {
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

test('it is one with the session that made it, and ends with it in the list', async () => {
  for (const keepSignedIn of [false, true]) {
    const owner = await withBiometrics(keepSignedIn);
    // Made anew it takes the place of nothing, and is of the same family.
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

test('two that are made at once by one session both end with it', async () => {
  const owner = await registerTestUser(app);
  const made = await Promise.all([1, 2, 3].map(() => owner.client.biometrics.turn_on({})));
  expect((await owner.client.account.sessions({})).data).toHaveLength(1);
  await owner.client.auth.logout({});
  for (const { data } of made) expect(await codeOf(enter(owner, data.token))).toBe(refused);
});

test('a session that does not stay makes no longer token, and no device that stays, by saying that it does', async () => {
  const owner = await registerTestUser(app);
  const week = () => new Date(clock.now().getTime() + 7 * DAY_MS).toISOString();
  const { data } = await owner.client.biometrics.turn_on({ keep_signed_in: true });
  expect(data.expires_at).toBe(week());
  const { phone } = await enter(owner, data.token, true);
  expect(phone.jar.get('keyfold_device')).toBeUndefined();
  clock.advance(DAY_MS / 2);
  expect((await phone.biometrics.turn_on({ keep_signed_in: true })).data.expires_at).toBe(week());
});

test('the password leaves it on where it is typed on the same phone, staying or not', async () => {
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

test('its owner is told that it was turned on, and of a use in a program that is new', async () => {
  const owner = await withBiometrics();
  const turnedOn = 'Biometric sign-in was turned on';
  expect(await noticesOf(owner)).toEqual([turnedOn]);
  await owner.client.biometrics.enter({ email: owner.email, token: owner.token });
  expect(await noticesOf(owner)).toEqual([turnedOn]);
  const { phone } = await enter(owner, owner.token);
  const both = [turnedOn, 'Biometric sign-in was used from a new program'];
  expect(await noticesOf(owner)).toEqual(both);
  await phone.biometrics.enter({ email: owner.email, token: owner.token });
  expect(await noticesOf(owner)).toEqual(both);
});

test('the history of sign-ins has its uses, one a day for each device', async () => {
  const owner = await withBiometrics();
  const { client } = owner;
  const count = async () => (await client.account.logins({})).data.length;
  const again = () => client.biometrics.enter({ email: owner.email, token: owner.token });
  // The sign-in itself was made from here, too.
  expect(await count()).toBe(1);
  await again();
  expect(await count()).toBe(1);
  clock.advance(DAY_MS);
  await again();
  await again();
  expect(await count()).toBe(2);
  expect((await client.account.logins({})).data[0]?.outcome).toBe('signed_in');
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

test('a device token that was replaced in a lost answer ends nothing where biometrics prove the phone', async () => {
  const owner = await withBiometrics(true);
  const lost = owner.client.jar.get('keyfold_device') ?? '';
  await owner.client.auth.restore({ email: owner.email, timestamp: clock.now().getTime() });
  const newer = owner.client.jar.get('keyfold_device') ?? '';
  owner.client.jar.set('keyfold_device', lost, '/auth');
  const again = { email: owner.email, token: owner.token, keep_signed_in: true };
  await owner.client.biometrics.enter(again);
  await owner.client.biometrics.enter(again);
  await owner.client.auth.restore({ email: owner.email, timestamp: clock.now().getTime() });
  // What the lost answer gave restores nothing any more; who tries has a copy.
  const thief = app.client();
  thief.jar.set('keyfold_device', newer, '/auth');
  expect(await codeOf(thief.auth.restore({ email: owner.email, timestamp: clock.now().getTime() }))).toBe(
    refused,
  );
});

test('a phone that stays signed in no longer leaves no device token that restores', async () => {
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
  await owner.client.sign_in.login({ email: owner.email, password: owner.loginHash, keep_signed_in: false });
  await owner.client.account.change_password({
    old_password: owner.loginHash,
    new_password: 'b'.repeat(64),
    main_key: owner.mainKey,
  });
  expect(await codeOf(enter(owner, owner.token))).toBe(refused);
  await owner.client.auth.check({});
});

test('ending all other sessions ends it, on this phone too', async () => {
  const owner = await withBiometrics();
  const { data: list } = await owner.client.account.sessions({});
  expect(list).toMatchObject([
    { biometric: true, kept: false, current: true, ends_at: owner.expiresAt.toISOString() },
  ]);
  await owner.client.account.end_other_sessions({});
  expect(await codeOf(enter(owner, owner.token))).toBe(refused);
  await owner.client.auth.check({});
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
