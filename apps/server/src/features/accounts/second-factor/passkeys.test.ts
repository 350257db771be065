// Passkeys and security keys as a second factor (WebAuthn), with an in-memory authenticator:
// registering, naming, removing, signing in; responses with each part invalid in turn; single-use
// challenges bound to one sign-in; counters.
import { randomBytes } from 'node:crypto';
import { lockVault } from '@keyfold/crypto/vault';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startTestApp, type TestApp } from '../../../../tests/harness/app.ts';
import { createAuthenticator, type Twist } from '../../../../tests/harness/authenticator.ts';
import type { TestClient } from '../../../../tests/harness/client.ts';
import { createTestClock, type TestClock } from '../../../../tests/harness/clock.ts';
import { codeOf } from '../../../../tests/harness/codes.ts';
import {
  addKey,
  codeAt,
  nextStep,
  startSignIn,
  turnTotpOn,
} from '../../../../tests/harness/second-factor.ts';
import { registerTestUser, type TestUser, userIdOf } from '../../../../tests/harness/users.ts';
import { removeExpiredRows } from '../../operator/retention/jobs.ts';

const MINUTE_MS = 60_000;

let app: TestApp;
let clock: TestClock;
beforeAll(async () => {
  clock = createTestClock();
  app = await startTestApp({ clock });
});
afterAll(() => app.close());

const newHash = () => randomBytes(32).toString('hex');
const half = (user: TestUser): Promise<TestClient> => startSignIn(app.client(), user);

type Key = ReturnType<typeof createAuthenticator>;

/** Signs in with a key, using only the second step. */
async function enterWith(client: TestClient, { email }: TestUser, key: Key, twist: Twist = {}) {
  const { data: options } = await client.mfa.challenge({ email });
  return codeOf(client.mfa.passkey({ email, passkey: key.get(options, twist) }));
}

/** Returns a key's response for an existing session. */
async function proofOf({ client }: TestUser, key: Key, twist: Twist = {}) {
  const { data: options } = await client.second_factor.challenge({});
  return { passkey: key.get(options, twist) };
}

const alertsOf = async (client: TestClient) =>
  (await client.mail.query({ threading: false })).data
    .filter(mail => mail.alert)
    .map(mail => /^Subject: (.*)$/m.exec(mail.headers)?.[1]?.trim());

describe('adding a passkey', () => {
  test('turns the second factor on with the first one and sends a notice for each', async () => {
    const user = await registerTestUser(app);
    const { client } = user;
    const first = await addKey(user);
    expect(first.codes).toHaveLength(10);
    clock.advance(1000);
    const second = await addKey(user, await proofOf(user, first.key), 'Red key');
    expect(second.codes).toEqual([]);
    const { data } = await client.second_factor.status({});
    expect(data).toMatchObject({ totp_active: false, recovery_codes_left: 10 });
    expect(data.passkeys.map(({ name, is_synced }) => [name, is_synced])).toEqual([
      ['Blue key', false],
      ['Red key', false],
    ]);
    expect((await client.auth.check({})).data.passkeys).toBe(2);
    expect(await alertsOf(client)).toEqual([
      'A passkey or security key was added',
      'Two-factor authentication was turned on',
    ]);
    const rows = await app.db.selectFrom('passkeys').select(['name_sealed', 'transports']).execute();
    expect(rows.some(row => row.name_sealed.includes('Blue key'))).toBe(false);
    expect(rows[0]?.transports).toEqual(['usb']);
  });

  test('needs the password, and the second factor where one is on', async () => {
    const user = await registerTestUser(app);
    const { begin_passkey } = user.client.second_factor;
    expect(await codeOf(begin_passkey({ password: newHash() }))).toBe('403 password_wrong');
    const { secret } = await turnTotpOn(user, clock);
    const password = user.loginHash;
    expect(await codeOf(begin_passkey({ password }))).toBe('403 second_factor_needed');
    const { codes } = await addKey(user, { totp_code: codeAt(secret, clock.now()) });
    expect(codes).toEqual([]);
  });

  test('sends options without account data and excludes registered passkeys', async () => {
    const user = await registerTestUser(app);
    const { key } = await addKey(user);
    const { data: options } = await user.client.second_factor.begin_passkey({
      password: user.loginHash,
      ...(await proofOf(user, key)),
    });
    expect(options).toMatchObject({
      rp: { id: 'localhost', name: 'Keyfold' },
      attestation: 'none',
      excludeCredentials: [{ type: 'public-key', transports: ['usb'] }],
    });
    const again = key.create(options);
    expect(await codeOf(user.client.second_factor.add_passkey({ name: 'Again', credential: again }))).toBe(
      '409 passkey_known',
    );
  });

  test('accepts a response once, for this session, challenge and origin, with user presence', async () => {
    const user = await registerTestUser(app);
    const { client, loginHash: password } = user;
    const begin = async () => (await client.second_factor.begin_passkey({ password })).data;
    const add = (credential: ReturnType<Key['create']>, by = client) =>
      codeOf(by.second_factor.add_passkey({ name: 'Key', credential }));
    const key = createAuthenticator();
    expect(await add(key.create({ challenge: 'AAAA' }))).toBe('422 setup_expired');
    const twists: Twist[] = [
      { origin: 'https://evil.test' },
      { origin: 'http://localhost.evil.test' },
      { rpId: 'evil.test' },
      { challenge: randomBytes(32).toString('base64url') },
      { isTouched: false },
    ];
    for (const twist of twists)
      expect(await add(key.create(await begin(), twist)), JSON.stringify(twist)).toBe('403 passkey_wrong');
    const options = await begin();
    const other = app.client();
    await other.sign_in.login({ email: user.email, password });
    expect(await add(key.create(options), other)).toBe('422 setup_expired');
    const damaged = key.create(options);
    damaged.response.attestationObject = randomBytes(100).toString('base64url');
    expect(await add(damaged)).toBe('403 passkey_wrong');
    expect(await add(key.create(options))).toBe('422 setup_expired');
    const late = await begin();
    clock.advance(5 * MINUTE_MS);
    expect(await add(key.create(late))).toBe('422 setup_expired');
    expect((await client.second_factor.status({})).data.passkeys).toEqual([]);
    expect(await add(key.create(await begin()))).toBe('none');
  });

  test('never contacts another machine about an attestation certificate', async () => {
    const { client, loginHash } = await registerTestUser(app);
    const { data: options } = await client.second_factor.begin_passkey({ password: loginHash });
    const asked = vi.spyOn(globalThis, 'fetch');
    const before = asked.mock.calls.length;
    for (const format of ['packed', 'android-key', 'tpm', 'fido-u2f', 'apple', 'android-safetynet']) {
      const certificates = new Map([['x5c', new Map()]]);
      const credential = createAuthenticator().create(options, { attestation: [format, certificates] });
      await codeOf(client.second_factor.add_passkey({ name: 'Key', credential }));
    }
    // The test's own requests to the server.
    expect(asked.mock.calls.length - before).toBe(6);
    asked.mockRestore();
    expect((await client.second_factor.status({})).data.passkeys).toEqual([]);
  });

  test('is limited to 20 and not offered on a bare IP address', async () => {
    const user = await registerTestUser(app);
    const { client, loginHash: password } = user;
    const { codes } = await addKey(user);
    const row = await app.db
      .selectFrom('passkeys')
      .selectAll()
      .where('user_id', '=', await userIdOf(app.db, user))
      .executeTakeFirst();
    if (row === undefined) throw new Error('there is no key');
    const more = Array.from({ length: 19 }, () => ({
      ...row,
      id: crypto.randomUUID(),
      credential_id: randomBytes(32),
    }));
    await app.db.insertInto('passkeys').values(more).execute();
    expect(await codeOf(client.second_factor.begin_passkey({ password, totp_code: codes[0] }))).toBe(
      '422 limit_reached',
    );
    const bare = await startTestApp({ config: { relyingParty: null } });
    try {
      const there = await registerTestUser(bare);
      expect((await there.client.second_factor.status({})).data.has_passkeys).toBe(false);
      const begun = there.client.second_factor.begin_passkey({ password: there.loginHash });
      expect(await codeOf(begun)).toBe('422 passkeys_refused');
    } finally {
      await bare.close();
    }
  });
});

describe('signing in with a passkey', () => {
  test('replaces the code', async () => {
    const user = await registerTestUser(app);
    const { key } = await addKey(user);
    const client = app.client();
    const { data } = await client.sign_in.login({ email: user.email, password: user.loginHash });
    expect(data).toEqual({ mfa_required: true, factors: ['passkey', 'recovery_code'] });
    expect(await enterWith(client, user, key)).toBe('none');
    await client.auth.check({});
    const { data: status } = await user.client.second_factor.status({});
    expect(status.passkeys[0]?.last_used_at).toBe(clock.now().toISOString());
  });

  test('accepts a response only from the account’s own passkey and for its challenge', async () => {
    const user = await registerTestUser(app);
    const stranger = await registerTestUser(app);
    const { key } = await addKey(user);
    const { key: foreign } = await addKey(stranger);
    expect(await enterWith(await half(user), user, foreign)).toBe('401 passkey_refused');
    expect(await enterWith(await half(user), user, createAuthenticator())).toBe('401 passkey_refused');
    const twists: Twist[] = [
      { origin: 'https://evil.test' },
      { rpId: 'evil.test' },
      { challenge: randomBytes(32).toString('base64url') },
      { isTouched: false },
    ];
    for (const twist of twists)
      expect(await enterWith(await half(user), user, key, twist), JSON.stringify(twist)).toBe(
        '401 passkey_refused',
      );
    const client = await half(user);
    const { data: options } = await client.mfa.challenge({ email: user.email });
    const answer = key.get(options, { counter: 50 });
    const forged = {
      ...answer,
      response: { ...answer.response, signature: randomBytes(70).toString('base64url') },
    };
    expect(await codeOf(client.mfa.passkey({ email: user.email, passkey: forged }))).toBe(
      '401 passkey_refused',
    );
    // The forged response consumed the challenge.
    expect(await codeOf(client.mfa.passkey({ email: user.email, passkey: answer }))).toBe(
      '401 passkey_refused',
    );
    expect(await enterWith(client, user, key, { counter: 51 })).toBe('none');
  });

  test('binds a challenge to its MFA-pending session, once and for five minutes', async () => {
    const user = await registerTestUser(app);
    const { key } = await addKey(user);
    const { email } = user;
    const [one, two] = [await half(user), await half(user)];
    const { data: options } = await one.mfa.challenge({ email });
    await two.mfa.challenge({ email });
    const answer = key.get(options);
    expect(await codeOf(two.mfa.passkey({ email, passkey: answer }))).toBe('401 passkey_refused');
    expect(await codeOf(one.mfa.passkey({ email, passkey: answer }))).toBe('none');
    expect(await codeOf(one.mfa.passkey({ email, passkey: answer }))).toBe('401 mfa_expired');
    expect(await codeOf(app.client().mfa.challenge({ email }))).toBe('401 mfa_expired');
    const stranger = await registerTestUser(app);
    await addKey(stranger);
    expect(await codeOf((await half(stranger)).mfa.challenge({ email }))).toBe('401 mfa_expired');
    // A challenge issued to a session is not valid for a sign-in.
    const { data: inside } = await user.client.second_factor.challenge({});
    const client = await half(user);
    await client.mfa.challenge({ email });
    expect(await codeOf(client.mfa.passkey({ email, passkey: key.get(inside) }))).toBe('401 passkey_refused');
    await half(user);
    clock.advance(6 * MINUTE_MS);
    expect((await removeExpiredRows(app.deps)).passkey_challenges).toBeGreaterThanOrEqual(1);
  });

  test('refuses a passkey whose counter went back, which suggests a copy', async () => {
    const user = await registerTestUser(app);
    const { key } = await addKey(user);
    expect(await enterWith(await half(user), user, key, { counter: 7 })).toBe('none');
    expect(await enterWith(await half(user), user, key, { counter: 7 })).toBe('401 passkey_refused');
    expect(await enterWith(await half(user), user, key, { counter: 6 })).toBe('401 passkey_refused');
    expect(await enterWith(await half(user), user, key, { counter: 8 })).toBe('none');
  });

  test('works for passkeys without a counter', async () => {
    const user = await registerTestUser(app);
    const { key } = await addKey(user);
    for (let times = 0; times < 2; times++)
      expect(await enterWith(await half(user), user, key, { counter: 0 })).toBe('none');
  });

  test('fails after five wrong responses, and one response works in only one of many attempts', async () => {
    const user = await registerTestUser(app);
    const { key } = await addKey(user);
    const client = await half(user);
    const results: string[] = [];
    for (let tries = 0; tries < 5; tries++)
      results.push(await enterWith(client, user, key, { isTouched: false }));
    expect(new Set(results)).toEqual(new Set(['401 passkey_refused']));
    expect(await codeOf(client.mfa.challenge({ email: user.email }))).toBe('401 mfa_expired');
    const fresh = await half(user);
    const { data: options } = await fresh.mfa.challenge({ email: user.email });
    const passkey = key.get(options, { counter: 90 });
    const many = await Promise.all(
      [1, 2, 3, 4].map(() => codeOf(fresh.mfa.passkey({ email: user.email, passkey }))),
    );
    expect(many.filter(result => result === 'none')).toHaveLength(1);
  });

  test('fails after the passkey was removed', async () => {
    const user = await registerTestUser(app);
    const { key, id } = await addKey(user);
    const { key: kept } = await addKey(user, await proofOf(user, key), 'Kept');
    const client = await half(user);
    const { data: options } = await client.mfa.challenge({ email: user.email });
    await user.client.second_factor.remove_passkey({ id, ...(await proofOf(user, kept)) });
    const late = client.mfa.passkey({ email: user.email, passkey: key.get(options) });
    expect(await codeOf(late)).toBe('401 passkey_refused');
  });
});

describe('registered passkeys', () => {
  test('can be renamed and removed; removing the last one turns the second factor and codes off', async () => {
    const user = await registerTestUser(app);
    const { client } = user;
    const { key, id } = await addKey(user);
    const { id: second } = await addKey(user, await proofOf(user, key), 'Second');
    await client.second_factor.rename_passkey({ id, name: '  On my keys  ' });
    const names = async () => (await client.second_factor.status({})).data.passkeys.map(({ name }) => name);
    expect(await names()).toEqual(['On my keys', 'Second']);
    expect(await codeOf(client.second_factor.rename_passkey({ id, name: ' ' }))).toBe('400 malformed');
    expect(await codeOf(client.second_factor.rename_passkey({ id: 'nothing', name: 'x' }))).toBe(
      '404 not_found',
    );
    expect(await codeOf(client.second_factor.remove_passkey({ id: second }))).toBe(
      '403 second_factor_needed',
    );
    const untouched = await proofOf(user, key, { isTouched: false });
    expect(await codeOf(client.second_factor.remove_passkey({ id: second, ...untouched }))).toBe(
      '403 passkey_wrong',
    );
    await client.second_factor.remove_passkey({ id: second, ...(await proofOf(user, key)) });
    expect(await names()).toEqual(['On my keys']);
    await client.second_factor.remove_passkey({ id, ...(await proofOf(user, key)) });
    expect((await client.second_factor.status({})).data).toMatchObject({
      passkeys: [],
      recovery_codes_left: 0,
    });
    const { data } = await app.client().sign_in.login({ email: user.email, password: user.loginHash });
    expect('email' in data).toBe(true);
    expect((await alertsOf(client)).slice(0, 3)).toEqual(
      expect.arrayContaining([
        'A passkey or security key was removed',
        'Two-factor authentication was turned off',
      ]),
    );
  });

  test('are out of reach of other users', async () => {
    const ann = await registerTestUser(app);
    const bob = await registerTestUser(app);
    const { id } = await addKey(ann);
    const { key } = await addKey(bob);
    const { rename_passkey, remove_passkey } = bob.client.second_factor;
    expect(await codeOf(rename_passkey({ id, name: 'Mine' }))).toBe('404 not_found');
    expect(await codeOf(remove_passkey({ id, ...(await proofOf(bob, key)) }))).toBe('404 not_found');
    const { data } = await ann.client.second_factor.status({});
    expect(data.passkeys).toMatchObject([{ id, name: 'Blue key' }]);
  });

  test('can confirm changes to the authenticator app, and the app changes to passkeys', async () => {
    const user = await registerTestUser(app);
    const { client } = user;
    const { secret } = await turnTotpOn(user, clock);
    const { key, id } = await addKey(user, { totp_code: codeAt(secret, clock.now()) });
    nextStep(clock);
    await client.otp.disable(await proofOf(user, key));
    expect((await client.auth.check({})).data).toMatchObject({ totp_active: false, passkeys: 1 });
    expect(await alertsOf(client)).toContain('Your authenticator app was removed');
    // With a key enabled, setting up the app requires a proof.
    const { data: made } = await client.otp.generate({});
    const code = codeAt(made.secret, clock.now());
    expect(await codeOf(client.otp.initial({ code }))).toBe('403 second_factor_needed');
    const { data } = await client.otp.initial({ code, ...(await proofOf(user, key)) });
    expect(data.recovery_codes).toEqual([]);
    nextStep(clock);
    await client.second_factor.remove_passkey({ id, totp_code: codeAt(made.secret, clock.now()) });
    expect((await client.second_factor.status({})).data.recovery_codes_left).toBe(10);
  });

  test('can confirm sensitive changes and a recovery', async () => {
    const user = await registerTestUser(app);
    const { client, loginHash: password } = user;
    const { key } = await addKey(user);
    const recovery = { proof: newHash(), main_key: await lockVault(randomBytes(32), user.identity) };
    expect(await codeOf(client.account.save_recovery({ password, recovery }))).toBe(
      '403 second_factor_needed',
    );
    await client.account.save_recovery({ password, recovery, ...(await proofOf(user, key)) });
    const lost = app.client();
    const { email } = user;
    const { data: opened } = await lost.recovery.recover({ email, proof: recovery.proof });
    expect(opened).toMatchObject({ factors: ['passkey', 'recovery_code'] });
    const { data: options } = await lost.mfa.challenge({ email });
    const way = { email, proof: recovery.proof, password: newHash(), main_key: recovery.main_key };
    const passkey = key.get(options);
    // A challenge issued to a recovery rejects the response from a different one.
    expect(await codeOf(app.client().recovery.recover({ ...way, passkey }))).toBe('403 passkey_wrong');
    await lost.recovery.recover({ ...way, passkey });
    expect((await lost.auth.check({})).data.passkeys).toBe(1);
  });
});
