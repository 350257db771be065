// Setup of and sign-in with the second factor (docs/spec-map.md 4, 7; docs/interpretations.md#29
// and #86) on a real PostgreSQL: pending secrets, replays, waits, single-use recovery codes,
// including concurrent attempts.
import { randomBytes } from 'node:crypto';
import { SHOWN_CODE_SETS_MAX } from '@keyfold/contract/limits';
import { lockVault } from '@keyfold/crypto/vault';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../../tests/harness/app.ts';
import type { TestClient } from '../../../../tests/harness/client.ts';
import { createTestClock, type TestClock } from '../../../../tests/harness/clock.ts';
import { codeOf } from '../../../../tests/harness/codes.ts';
import {
  codeAt,
  nextStep,
  startSignIn,
  turnTotpOn,
  wrongCodeAt,
} from '../../../../tests/harness/second-factor.ts';
import {
  createTestKeys,
  registerTestUser,
  type TestUser,
  userIdOf,
} from '../../../../tests/harness/users.ts';
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
const now = (secret: string, aside = 0) => codeAt(secret, clock.now(), aside);
const half = (user: TestUser): Promise<TestClient> => startSignIn(app.client(), user);

const alertsOf = async (client: TestClient) =>
  (await client.mail.query({ threading: false })).data
    .filter(mail => mail.alert)
    .map(mail => /^Subject: (.*)$/m.exec(mail.headers)?.[1]?.trim());

/** Returns everything that the database stores about second factors, as text. */
const everything = async (): Promise<string> =>
  JSON.stringify(
    [
      await app.db.selectFrom('second_factors').selectAll().execute(),
      await app.db.selectFrom('recovery_codes').selectAll().execute(),
      await app.db.selectFrom('half_sessions').selectAll().execute(),
      await app.db.selectFrom('passkeys').selectAll().execute(),
    ],
    (_, value) => (value?.type === 'Buffer' ? Buffer.from(value.data).toString('latin1') : value),
  );

describe('setting up an authenticator app', () => {
  test('takes effect after the first correct code, not before', async () => {
    const user = await registerTestUser(app);
    const { data: made } = await user.client.otp.generate({});
    expect(Date.parse(made.expires_at) - clock.now().getTime()).toBe(10 * MINUTE_MS);
    expect((await user.client.auth.check({})).data.totp_active).toBe(false);
    const { data: free } = await app.client().sign_in.login({ email: user.email, password: user.loginHash });
    expect('email' in free).toBe(true);
    const wrong = wrongCodeAt(made.secret, clock.now());
    expect(await codeOf(user.client.otp.initial({ code: wrong }))).toBe('403 code_wrong');

    const { data } = await user.client.otp.initial({ code: now(made.secret) });
    expect(new Set(data.recovery_codes).size).toBe(10);
    for (const code of data.recovery_codes) expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-Z]{4}$/);
    expect((await user.client.auth.check({})).data.totp_active).toBe(true);
    expect((await user.client.second_factor.status({})).data).toEqual({
      totp_active: true,
      totp_since: clock.now().toISOString(),
      passkeys: [],
      has_passkeys: true,
      recovery_codes_left: 10,
      recovery_codes_confirmed: false,
    });
    expect(await alertsOf(user.client)).toContain('Two-factor authentication was turned on');
  });

  test('shows the same secret while it is pending, a new one after ten minutes, none once it is on', async () => {
    const { client } = await registerTestUser(app);
    const { data: first } = await client.otp.generate({});
    expect((await client.otp.generate({})).data.secret).toBe(first.secret);
    clock.advance(10 * MINUTE_MS);
    expect(await codeOf(client.otp.initial({ code: now(first.secret) }))).toBe('422 setup_expired');
    await removeExpiredRows(app.deps);
    const { data: second } = await client.otp.generate({});
    expect(second.secret).not.toBe(first.secret);
    expect(await codeOf(client.otp.initial({ code: now(first.secret) }))).toBe('403 code_wrong');
    await client.otp.initial({ code: now(second.secret) });
    expect(await codeOf(client.otp.generate({}))).toBe('409 totp_on');
    expect(await codeOf(client.otp.initial({ code: now(second.secret) }))).toBe('409 totp_on');
  });

  test('requires a pending secret and limits guesses of the first code', async () => {
    const { client } = await registerTestUser(app);
    expect(await codeOf(client.otp.initial({ code: '123456' }))).toBe('422 setup_expired');
    const { data: made } = await client.otp.generate({});
    const codes: string[] = [];
    for (let tries = 0; tries < 10; tries++)
      codes.push(await codeOf(client.otp.initial({ code: wrongCodeAt(made.secret, clock.now()) })));
    expect(codes.at(0)).toBe('403 code_wrong');
    expect(codes.at(-1)).toBe('429 rate_limited');
  });

  test('concurrently in two tabs turns it on once, with one set of codes', async () => {
    const user = await registerTestUser(app);
    const { data: made } = await user.client.otp.generate({});
    const code = now(made.secret);
    const results = await Promise.allSettled([1, 2, 3].map(() => user.client.otp.initial({ code })));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await user.client.second_factor.status({})).data.recovery_codes_left).toBe(10);
  });

  test('cannot be started by a link or an image of another site', async () => {
    const { client } = await registerTestUser(app);
    for (const headers of [{ origin: 'https://evil.test' }, { 'sec-fetch-dest': 'image' }])
      expect((await client.fetch('/otp/generate', { headers })).status, JSON.stringify(headers)).toBe(403);
  });

  test('leaves neither the secret nor codes in plain text in the database', async () => {
    const user = await registerTestUser(app);
    const { secret, codes } = await turnTotpOn(user, clock);
    const pending = (await half(user)).jar.get('keyfold_pending') ?? '';
    expect(pending).toHaveLength(43);
    const text = await everything();
    for (const one of [secret, ...codes, ...codes.map(code => code.replaceAll('-', '')), pending])
      expect(text).not.toContain(one);
  });
});

describe('signing in', () => {
  test('requires the code after the password and gives no access before', async () => {
    const user = await registerTestUser(app);
    const { secret } = await turnTotpOn(user, clock);
    const client = app.client();
    const { data } = await client.sign_in.login({ email: user.email, password: user.loginHash });
    expect(data).toEqual({ mfa_required: true, factors: ['totp', 'recovery_code'] });
    expect(client.jar.get('keyfold_session')).toBeUndefined();
    expect(await codeOf(client.auth.check({}))).toBe('401 not_logged_in');
    expect(await codeOf(client.second_factor.status({}))).toBe('401 not_logged_in');
    // The pending token is not valid as a session token either.
    const token = client.jar.get('keyfold_pending') ?? '';
    const thief = app.client();
    thief.jar.set('keyfold_session', token);
    expect(await codeOf(thief.auth.check({}))).toBe('401 not_logged_in');

    const { data: entered } = await client.mfa.code({
      email: ` ${user.email.toUpperCase()}`,
      code: now(secret),
    });
    expect(entered.main_key).toEqual(user.mainKey);
    await client.auth.check({});
    expect(client.jar.get('keyfold_pending')).toBeUndefined();
    expect((await client.account.logins({})).data.map(({ outcome }) => outcome)).toEqual([
      'signed_in',
      'signed_in',
    ]);
  });

  test('can stay signed in, and a restored session asks for no code', async () => {
    const user = await registerTestUser(app);
    const { secret } = await turnTotpOn(user, clock);
    const client = await half(user);
    await client.mfa.code({ email: user.email, code: now(secret), keep_signed_in: true });
    client.jar.remove('keyfold_session');
    await client.auth.restore({ email: user.email, timestamp: clock.now().getTime() });
    await client.auth.check({});
  });

  test('requires the password first: a code works only with its own, current MFA-pending session', async () => {
    const user = await registerTestUser(app);
    const other = await registerTestUser(app);
    const { secret } = await turnTotpOn(user, clock);
    await turnTotpOn(other, clock);
    const enter = (client: TestClient) => codeOf(client.mfa.code({ email: user.email, code: now(secret) }));
    expect(await enter(app.client())).toBe('401 mfa_expired');
    expect(await enter(await half(other))).toBe('401 mfa_expired');
    const late = await half(user);
    const token = late.jar.get('keyfold_pending') ?? '';
    clock.advance(5 * MINUTE_MS);
    late.jar.set('keyfold_pending', token, '/auth');
    expect(await enter(late)).toBe('401 mfa_expired');
    const changed = await half(user);
    await user.client.account.change_password({
      old_password: user.loginHash,
      new_password: newHash(),
      main_key: await lockVault(randomBytes(32), user.identity),
      totp_code: now(secret),
    });
    nextStep(clock);
    expect(await enter(changed)).toBe('401 mfa_expired');
  });

  test('accepts each code once, never an older one, and the next step’s code early', async () => {
    const user = await registerTestUser(app);
    const { secret } = await turnTotpOn(user, clock);
    const enter = async (code: string) => codeOf((await half(user)).mfa.code({ email: user.email, code }));
    const first = now(secret);
    expect(await enter(first)).toBe('none');
    expect(await enter(first)).toBe('401 code_refused');
    expect(await enter(now(secret, -1))).toBe('401 code_refused');
    expect(await enter(now(secret, 1))).toBe('none');
    nextStep(clock);
    expect(await enter(now(secret))).toBe('401 code_refused');
    nextStep(clock);
    expect(await enter(now(secret))).toBe('none');
  });

  test('accepts a code once in concurrent requests', async () => {
    const user = await registerTestUser(app);
    const { secret } = await turnTotpOn(user, clock);
    const tabs = await Promise.all([1, 2, 3, 4].map(() => half(user)));
    const code = now(secret);
    const results = await Promise.all(
      tabs.map(client => codeOf(client.mfa.code({ email: user.email, code }))),
    );
    expect(results.filter(result => result === 'none')).toHaveLength(1);
    const one = await half(user);
    nextStep(clock);
    const again = now(secret);
    const same = await Promise.all(
      [1, 2, 3].map(() => codeOf(one.mfa.code({ email: user.email, code: again }))),
    );
    expect(same.filter(result => result === 'none')).toHaveLength(1);
  });

  test('stops after five wrong codes: the MFA-pending session ends, and waits grow', async () => {
    const user = await registerTestUser(app);
    const { secret, codes } = await turnTotpOn(user, clock);
    const wrong = () => wrongCodeAt(secret, clock.now());
    const spend = async (client: TestClient) => {
      const results: string[] = [];
      for (let tries = 0; tries < 5; tries++)
        results.push(await codeOf(client.mfa.code({ email: user.email, code: wrong() })));
      return results;
    };
    const client = await half(user);
    const refused = Array.from({ length: 4 }, () => '401 code_refused');
    expect(await spend(client)).toEqual([...refused, '429 rate_limited']);
    expect(await codeOf(client.mfa.code({ email: user.email, code: now(secret) }))).toBe('401 mfa_expired');
    // Starting another MFA-pending session does not lift the wait for codes.
    const again = await half(user);
    const reply = await again.fetch('/auth/mfa', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: user.email, code: now(secret) }),
    });
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([429, '60']);
    expect(await codeOf(user.client.otp.disable({ code: now(secret) }))).toBe('429 rate_limited');
    clock.advance(MINUTE_MS);
    expect((await spend(await half(user))).at(-1)).toBe('429 rate_limited');
    clock.advance(MINUTE_MS);
    expect(await codeOf((await half(user)).mfa.code({ email: user.email, code: now(secret) }))).toBe(
      '429 rate_limited',
    );
    // Recovery codes cannot be guessed, so the owner can sign in with one during an attack.
    await (await half(user)).mfa.code({ email: user.email, code: codes[0] ?? '' });
    clock.advance(MINUTE_MS);
    await (await half(user)).mfa.code({ email: user.email, code: now(secret) });
    // Wrong codes are recorded shortly after the response.
    const countWrong = async () =>
      (await user.client.account.logins({})).data.filter(({ outcome }) => outcome === 'wrong_code').length;
    await expect.poll(countWrong).toBeGreaterThanOrEqual(10);
  });

  test('counts concurrent guesses', async () => {
    const user = await registerTestUser(app);
    const { secret } = await turnTotpOn(user, clock);
    const client = await half(user);
    const code = wrongCodeAt(secret, clock.now());
    const results = await Promise.all(
      Array.from({ length: 12 }, () => codeOf(client.mfa.code({ email: user.email, code }))),
    );
    expect(results.filter(result => result === '401 code_refused')).toHaveLength(4);
    const row = await app.db
      .selectFrom('second_factors')
      .select('wrong_codes')
      .where('user_id', '=', await userIdOf(app.db, user))
      .executeTakeFirstOrThrow();
    expect(row.wrong_codes).toBe(5);
  });

  test('refuses an account that was suspended meanwhile', async () => {
    const user = await registerTestUser(app);
    const { secret } = await turnTotpOn(user, clock);
    const client = await half(user);
    await app.db.updateTable('users').set({ status: 'suspended' }).where('email', '=', user.email).execute();
    expect(await codeOf(client.mfa.code({ email: user.email, code: now(secret) }))).toBe(
      '403 account_suspended',
    );
  });
});

describe('recovery codes', () => {
  test('work once each in any notation and notify the user', async () => {
    const user = await registerTestUser(app);
    const { codes } = await turnTotpOn(user, clock);
    const enter = async (code: string) => codeOf((await half(user)).mfa.code({ email: user.email, code }));
    const [first = '', second = ''] = codes;
    expect(await enter(first)).toBe('none');
    expect(await enter(first)).toBe('401 code_refused');
    expect(await enter(second.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o'))).toBe('none');
    expect((await user.client.second_factor.status({})).data.recovery_codes_left).toBe(8);
    expect(await alertsOf(user.client)).toContain('A recovery code was used');
  });

  test('work only for their own account, and wrong ones end the MFA-pending session', async () => {
    const user = await registerTestUser(app);
    const other = await registerTestUser(app);
    await turnTotpOn(user, clock);
    const { codes } = await turnTotpOn(other, clock);
    const client = await half(user);
    const results: string[] = [];
    for (const code of codes.slice(0, 6))
      results.push(await codeOf(client.mfa.code({ email: user.email, code })));
    expect(results).toEqual([...Array.from({ length: 5 }, () => '401 code_refused'), '401 mfa_expired']);
    expect((await other.client.second_factor.status({})).data.recovery_codes_left).toBe(10);
  });

  test('used from many tabs at once open one session', async () => {
    const user = await registerTestUser(app);
    const { codes } = await turnTotpOn(user, clock);
    const tabs = await Promise.all([1, 2, 3, 4, 5].map(() => half(user)));
    const results = await Promise.all(
      tabs.map(client => codeOf(client.mfa.code({ email: user.email, code: codes[0] ?? '' }))),
    );
    expect(results.filter(result => result === 'none')).toHaveLength(1);
    expect((await user.client.second_factor.status({})).data.recovery_codes_left).toBe(9);
  });

  test('are replaced with password and code, and the old ones stop working', async () => {
    const user = await registerTestUser(app);
    const password = user.loginHash;
    const { renew_codes } = user.client.second_factor;
    expect(await codeOf(renew_codes({ password }))).toBe('422 second_factor_off');
    const { secret, codes } = await turnTotpOn(user, clock);
    expect(await codeOf(renew_codes({ password }))).toBe('403 second_factor_needed');
    expect(await codeOf(renew_codes({ password: newHash(), totp_code: now(secret) }))).toBe(
      '403 password_wrong',
    );
    const { data } = await renew_codes({ password, totp_code: now(secret) });
    expect(data.recovery_codes).toHaveLength(10);
    const enter = async (code: string) => codeOf((await half(user)).mfa.code({ email: user.email, code }));
    expect(await enter(codes[0] ?? '')).toBe('401 code_refused');
    expect(await enter(data.recovery_codes[0] ?? '')).toBe('none');
    expect(await alertsOf(user.client)).toContain('New recovery codes were created');
  });

  test('work once created, even after a lost response; old ones work until new ones are confirmed', async () => {
    const user = await registerTestUser(app);
    const { client, loginHash: password } = user;
    const { secret, codes: first } = await turnTotpOn(user, clock);
    const { confirm_codes, renew_codes, status } = client.second_factor;
    const state = async () => {
      const { data } = await status({});
      return [data.recovery_codes_left, data.recovery_codes_confirmed];
    };
    const renew = async () => {
      nextStep(clock);
      const proof = { password, totp_code: now(secret), confirmed: false };
      return (await renew_codes(proof)).data.recovery_codes;
    };
    const enter = async (code = '') => codeOf((await half(user)).mfa.code({ email: user.email, code }));
    expect(await state()).toEqual([10, false]);
    await confirm_codes({ code: first[0] ?? '' });
    expect(await state()).toEqual([10, true]);
    // The response with these codes is lost. The confirmed ones still work, and the page can report
    // that others are pending.
    await renew();
    expect(await state()).toEqual([10, false]);
    expect(await enter(first[0])).toBe('none');
    const shown = await renew();
    expect(await enter(shown[0])).toBe('none');
    expect(await enter(first[1])).toBe('none');
    expect(await codeOf(confirm_codes({ code: 'AAAA-AAAA-AAAA-AAAA' }))).toBe('403 code_wrong');
    const other = await registerTestUser(app);
    expect(await codeOf(other.client.second_factor.confirm_codes({ code: shown[1] ?? '' }))).toBe(
      '403 code_wrong',
    );
    for (let times = 0; times < 2; times++) await confirm_codes({ code: shown[1] ?? '' });
    expect(await state()).toEqual([9, true]);
    expect(await enter(first[2])).toBe('401 code_refused');
    expect(await enter(shown[1])).toBe('none');
  });

  test('lost at setup can be replaced with an app code, and using one confirms its set', async () => {
    const user = await registerTestUser(app);
    const { secret } = await turnTotpOn(user, clock);
    const { data } = await user.client.second_factor.renew_codes({
      password: user.loginHash,
      totp_code: now(secret),
      confirmed: false,
    });
    const [code = ''] = data.recovery_codes;
    expect(await codeOf((await half(user)).mfa.code({ email: user.email, code }))).toBe('none');
    const { data: left } = await user.client.second_factor.status({});
    expect(left.recovery_codes_left).toBe(9);
  });

  test('that were shown are never dropped: further sets are refused', async () => {
    const user = await registerTestUser(app);
    const { secret, codes: first } = await turnTotpOn(user, clock);
    const renew = () => {
      nextStep(clock);
      const proof = { password: user.loginHash, totp_code: now(secret), confirmed: false };
      return codeOf(user.client.second_factor.renew_codes(proof));
    };
    for (let sets = 1; sets < SHOWN_CODE_SETS_MAX; sets++) expect(await renew()).toBe('none');
    expect(await renew()).toBe('422 limit_reached');
    const client = await half(user);
    expect(await codeOf(client.mfa.code({ email: user.email, code: first[0] ?? '' }))).toBe('none');
  });
});

describe('turning the second factor off', () => {
  test('requires a code, then the password alone suffices, the codes are gone and the user is notified', async () => {
    const user = await registerTestUser(app);
    expect(await codeOf(user.client.otp.disable({ code: '123456' }))).toBe('422 second_factor_off');
    const { secret } = await turnTotpOn(user, clock);
    expect(await codeOf(user.client.otp.disable({}))).toBe('403 second_factor_needed');
    expect(await codeOf(user.client.otp.disable({ code: wrongCodeAt(secret, clock.now()) }))).toBe(
      '403 code_wrong',
    );
    await user.client.auth.check({});
    await user.client.otp.disable({ code: now(secret) });
    const { data } = await app.client().sign_in.login({ email: user.email, password: user.loginHash });
    expect('email' in data && data.totp_active).toBe(false);
    expect((await user.client.second_factor.status({})).data).toMatchObject({
      totp_active: false,
      recovery_codes_left: 0,
    });
    expect(await alertsOf(user.client)).toContain('Two-factor authentication was turned off');
  });

  test('works with a recovery code when the phone is lost', async () => {
    const user = await registerTestUser(app);
    const { codes } = await turnTotpOn(user, clock);
    await user.client.otp.disable({ code: codes[3] ?? '' });
    expect((await user.client.auth.check({})).data.totp_active).toBe(false);
    // The app can be set up again with another secret.
    expect((await turnTotpOn(user, clock)).codes).toHaveLength(10);
  });
});

describe('actions that ask for the password again', () => {
  test('also require the second factor and change nothing without it', async () => {
    const user = await registerTestUser(app);
    const { secret, codes } = await turnTotpOn(user, clock);
    const { client, loginHash: password } = user;
    const recovery = {
      proof: newHash(),
      main_key: await lockVault(randomBytes(32), user.identity),
    };
    const change = {
      old_password: password,
      new_password: newHash(),
      main_key: await lockVault(randomBytes(32), user.identity),
    };
    const wrong = wrongCodeAt(secret, clock.now());
    const calls = {
      change: (proof: object) => client.account.change_password({ ...change, ...proof }),
      save: (proof: object) => client.account.save_recovery({ password, recovery, ...proof }),
      remove: (proof: object) => client.account.remove_recovery({ password, ...proof }),
      end: (proof: object) => client.account.delete_account({ password, ...proof }),
    };
    for (const [name, call] of Object.entries(calls)) {
      expect(await codeOf(call({})), name).toBe('403 second_factor_needed');
      if (name !== 'end') expect(await codeOf(call({ totp_code: wrong })), name).toBe('403 code_wrong');
    }
    expect((await client.auth.check({})).data.recovery_at).toBeNull();
    await calls.save({ totp_code: now(secret) });
    nextStep(clock);
    await calls.remove({ totp_code: codes[0] });
    await calls.change({ totp_code: now(secret) });
    nextStep(clock);
    const ended = client.account.delete_account({
      password: change.new_password,
      totp_code: now(secret),
    });
    expect(await codeOf(ended)).toBe('none');
    expect(await codeOf(client.auth.check({}))).toBe('401 not_logged_in');
  });

  test('include replacing the keys', async () => {
    const user = await registerTestUser(app);
    await turnTotpOn(user, clock);
    const { key_id } = user.mainKey;
    const rotation = {
      password: user.loginHash,
      from: key_id,
      main_key: (await createTestKeys()).mainKey,
      retired: [{ key_id, generation: 1, sealed: randomBytes(156).toString('base64') }],
    };
    expect(await codeOf(user.client.key_rotation.rotate(rotation))).toBe('403 second_factor_needed');
    expect((await user.client.auth.check({})).data.main_key.key_id).toBe(key_id);
  });

  test('report a wrong password before they use up the code', async () => {
    const user = await registerTestUser(app);
    const { secret } = await turnTotpOn(user, clock);
    const code = { totp_code: now(secret) };
    const { remove_recovery } = user.client.account;
    expect(await codeOf(remove_recovery({ password: newHash(), ...code }))).toBe('403 password_wrong');
    expect(await codeOf(remove_recovery({ password: user.loginHash, ...code }))).toBe('none');
  });
});

describe('the recovery kit', () => {
  const withKit = async () => {
    const user = await registerTestUser(app);
    const kit = { proof: newHash(), main_key: await lockVault(randomBytes(32), user.identity) };
    await user.client.account.save_recovery({ password: user.loginHash, recovery: kit });
    const on = await turnTotpOn(user, clock);
    const way = {
      email: user.email,
      proof: kit.proof,
      password: newHash(),
      main_key: await lockVault(randomBytes(32), user.identity),
    };
    return { user, kit, way, ...on };
  };

  test('asks for the second factor, which stays on', async () => {
    const { user, kit, way, secret } = await withKit();
    const client = app.client();
    const { data: opened } = await client.recovery.recover({ email: user.email, proof: kit.proof });
    expect(opened).toMatchObject({ main_key: kit.main_key, factors: ['totp', 'recovery_code'] });
    // A recovery started with the kit is not an MFA-pending session.
    expect(await codeOf(client.mfa.code({ email: user.email, code: now(secret) }))).toBe('401 mfa_expired');
    expect(await codeOf(client.recovery.recover(way))).toBe('403 second_factor_needed');
    const wrong = wrongCodeAt(secret, clock.now());
    expect(await codeOf(client.recovery.recover({ ...way, totp_code: wrong }))).toBe('403 code_wrong');
    await user.client.auth.check({});
    await client.recovery.recover({ ...way, totp_code: now(secret) });
    expect((await client.auth.check({})).data.totp_active).toBe(true);
    expect(await codeOf(user.client.auth.check({}))).toBe('401 not_logged_in');
  });

  test('turns a lost second factor off and sends a notice about both', async () => {
    const { user, way } = await withKit();
    const client = app.client();
    await client.recovery.recover({ ...way, second_factor_lost: true });
    expect((await client.auth.check({})).data.totp_active).toBe(false);
    expect(await alertsOf(client)).toEqual(
      expect.arrayContaining(['Your recovery kit was used', 'Two-factor authentication was turned off']),
    );
    const { data } = await app.client().sign_in.login({ email: user.email, password: way.password });
    expect('email' in data).toBe(true);
  });

  test('with a wrong proof turns nothing off', async () => {
    const { user, way } = await withKit();
    const lost = { ...way, proof: newHash(), second_factor_lost: true };
    expect(await codeOf(app.client().recovery.recover(lost))).toBe('403 recovery_refused');
    expect((await user.client.auth.check({})).data.totp_active).toBe(true);
  });
});

test('expired MFA-pending sessions are removed by the retention job', async () => {
  const user = await registerTestUser(app);
  await turnTotpOn(user, clock);
  await half(user);
  clock.advance(6 * MINUTE_MS);
  expect((await removeExpiredRows(app.deps)).half_sessions).toBeGreaterThanOrEqual(1);
  const left = await app.db.selectFrom('half_sessions').select('user_id').execute();
  expect(left).toEqual([]);
});
