// Password, sessions, history and recovery kit through the API (docs/spec-map.md 7;
// docs/api-conventions.md; docs/interpretations.md#13).
import { randomBytes } from 'node:crypto';
import { deriveRecovery } from '@keyfold/crypto/recovery';
import { lockVault, unlockVault } from '@keyfold/crypto/vault';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../../tests/harness/app.ts';
import type { TestClient } from '../../../../tests/harness/client.ts';
import { createTestClock, type TestClock } from '../../../../tests/harness/clock.ts';
import { codeOf } from '../../../../tests/harness/codes.ts';
import { createTestKeys, registerTestUser, type TestUser } from '../../../../tests/harness/users.ts';
import { DEVICE_LIFETIME_MS, LOGIN_KEPT_MS, SESSION_IDLE_MS, SESSION_MAX_MS } from '../../../base/limits.ts';
import { removeExpiredRows } from '../../operator/retention/jobs.ts';

const MINUTE_MS = 60_000;
const PHRASE = `${'abandon '.repeat(23)}art`;
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0';

let app: TestApp;
let clock: TestClock;
beforeAll(async () => {
  clock = createTestClock();
  app = await startTestApp({ clock });
});
afterAll(() => app.close());

const newHash = () => randomBytes(32).toString('hex');

async function logIn(user: TestUser, keep_signed_in = false, password = user.loginHash): Promise<TestClient> {
  const client = app.client();
  await client.sign_in.login({ email: user.email, password, keep_signed_in });
  return client;
}

/** The same keys under another vault key, as a password change sends them. */
const rewrap = (user: TestUser, vaultKey: Uint8Array = randomBytes(32)) => lockVault(vaultKey, user.identity);

const alertsOf = async (client: TestClient) =>
  (await client.mail.query({ threading: false })).data
    .filter(mail => mail.alert)
    .map(mail => /^Subject: (.*)$/m.exec(mail.headers)?.[1]?.trim());

describe('the name', () => {
  test('changes everywhere and is limited to one line of text', async () => {
    const { client } = await registerTestUser(app);
    expect((await client.account.change_name({ name: '  Ann A.  ' })).data).toEqual({ name: 'Ann A.' });
    expect((await client.auth.check({})).data.name).toBe('Ann A.');
    for (const name of ['', ' ', 'a\r\nBcc: b', 'x'.repeat(101)])
      expect(await codeOf(client.account.change_name({ name })), name).toBe('400 malformed');
  });
});

describe('a changed password', () => {
  test('opens the same keys, ends all other sessions and devices, and keeps the current session', async () => {
    const user = await registerTestUser(app, { keepSignedIn: true });
    const other = await logIn(user);
    const kept = await logIn(user, true);
    const vaultKey = randomBytes(32);
    const password = newHash();
    const main_key = await rewrap(user, vaultKey);
    await user.client.account.change_password({
      old_password: user.loginHash,
      new_password: password,
      main_key,
    });

    expect(await codeOf(other.auth.check({}))).toBe('401 not_logged_in');
    expect(await codeOf(kept.auth.check({}))).toBe('401 not_logged_in');
    const again = { email: user.email, timestamp: clock.now().getTime() };
    expect(await codeOf(kept.auth.restore(again))).toBe('401 restore_refused');
    expect((await user.client.auth.check({})).data.main_key).toEqual(main_key);
    user.client.jar.remove('keyfold_session');
    await user.client.auth.restore(again);

    expect(await codeOf(logIn(user))).toBe('401 login_refused');
    const fresh = await logIn(user, false, password);
    const { data } = await fresh.auth.check({});
    expect(await unlockVault(vaultKey, data.main_key)).toEqual(user.identity);
    expect(await alertsOf(fresh)).toContain('Your password was changed');
  });

  test('requires the old password and unchanged keys; otherwise nothing changes', async () => {
    const user = await registerTestUser(app);
    const other = await logIn(user);
    const change = { old_password: user.loginHash, new_password: newHash(), main_key: await rewrap(user) };
    const { change_password } = user.client.account;
    expect(await codeOf(change_password({ ...change, old_password: newHash() }))).toBe('403 password_wrong');
    const { mainKey: foreign } = await createTestKeys();
    for (const main_key of [foreign, { ...change.main_key, key_id: foreign.key_id }])
      expect(await codeOf(change_password({ ...change, main_key }))).toBe('422 keys_refused');
    await other.auth.check({});
    expect((await (await logIn(user)).auth.check({})).data.main_key).toEqual(user.mainKey);
  });

  test('wins over a concurrent one, which fails', async () => {
    const user = await registerTestUser(app);
    const changes = await Promise.all(
      [1, 2].map(async () => ({
        old_password: user.loginHash,
        new_password: newHash(),
        main_key: await rewrap(user),
      })),
    );
    const results = await Promise.allSettled(changes.map(one => user.client.account.change_password(one)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const won = changes[results.findIndex(({ status }) => status === 'fulfilled')];
    const { data } = await (await logIn(user, false, won?.new_password)).auth.check({});
    expect(data.main_key).toEqual(won?.main_key);
  });

  test('is rate-limited against guessing', async () => {
    const user = await registerTestUser(app);
    const change = { old_password: newHash(), new_password: newHash(), main_key: user.mainKey };
    const codes: string[] = [];
    for (let tries = 0; tries < 11; tries++)
      codes.push(await codeOf(user.client.account.change_password(change)));
    expect(codes.at(-2)).toBe('403 password_wrong');
    expect(codes.at(-1)).toBe('429 rate_limited');
    // All endpoints that ask for the password share one counter.
    expect(await codeOf(user.client.account.delete_account({ password: newHash() }))).toBe(
      '429 rate_limited',
    );
  });
});

describe('the list of sessions', () => {
  test('shows device and place, the current session first, and ends single sessions', async () => {
    const user = await registerTestUser(app, { keepSignedIn: true });
    clock.advance(MINUTE_MS);
    const other = app.client();
    await other.fetch('/auth/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': FIREFOX },
      body: JSON.stringify({ email: user.email, password: user.loginHash }),
    });
    const { data: list } = await user.client.account.sessions({});
    expect(list.map(({ current, kept }) => [current, kept])).toEqual([
      [true, true],
      [false, false],
    ]);
    expect(list[1]).toMatchObject({
      device: { browser: 'Firefox', system: 'Linux' },
      address: '127.0.0.1',
      last_used_at: clock.now().toISOString(),
    });
    expect((await other.account.sessions({})).data.map(({ current }) => current)).toEqual([true, false]);

    const stranger = await registerTestUser(app);
    for (const id of [list[1]?.id ?? '', list[0]?.id ?? '', 'nothing'])
      expect(await codeOf(stranger.client.account.end_session({ id }))).toBe('404 not_found');
    await user.client.account.end_session({ id: list[1]?.id ?? '' });
    expect(await codeOf(other.auth.check({}))).toBe('401 not_logged_in');
    expect(await codeOf(user.client.account.end_session({ id: list[1]?.id ?? '' }))).toBe('404 not_found');
  });

  test('shows a device that stays signed in once, also without a session; ending it ends both', async () => {
    const user = await registerTestUser(app);
    const device = await logIn(user, true);
    const restore = { email: user.email, timestamp: clock.now().getTime() };
    await device.auth.restore(restore);
    clock.advance(SESSION_IDLE_MS - MINUTE_MS);
    await user.client.auth.check({});
    clock.advance(2 * MINUTE_MS);
    expect(await codeOf(device.auth.check({}))).toBe('401 not_logged_in');
    const others = (await user.client.account.sessions({})).data.filter(({ current }) => !current);
    expect(others).toHaveLength(1);
    await user.client.account.end_session({ id: others[0]?.id ?? '' });
    expect(await codeOf(device.auth.restore(restore))).toBe('401 restore_refused');
  });

  test('has only the current session after all others were ended', async () => {
    const user = await registerTestUser(app);
    const [one, two] = [await logIn(user), await logIn(user, true)];
    expect((await user.client.account.end_other_sessions({})).data).toEqual({ ended: 2 });
    for (const client of [one, two]) expect(await codeOf(client.auth.check({}))).toBe('401 not_logged_in');
    expect((await user.client.account.sessions({})).data).toHaveLength(1);
  });

  test('drops a session 90 days after the sign-in, however much it is used', async () => {
    const user = await registerTestUser(app, { keepSignedIn: true });
    const startedAt = clock.now().getTime();
    const restore = () => user.client.auth.restore({ email: user.email, timestamp: clock.now().getTime() });
    while (clock.now().getTime() - startedAt + DEVICE_LIFETIME_MS / 2 < SESSION_MAX_MS) {
      clock.advance(DEVICE_LIFETIME_MS / 2);
      await restore();
    }
    // The last restored session is in use until it ends.
    for (let left = SESSION_MAX_MS - (clock.now().getTime() - startedAt); left > SESSION_IDLE_MS; ) {
      clock.advance(SESSION_IDLE_MS / 2);
      left -= SESSION_IDLE_MS / 2;
      await user.client.auth.check({});
    }
    clock.advance(SESSION_IDLE_MS / 2);
    await user.client.auth.check({});
    clock.advance(SESSION_IDLE_MS / 2 + MINUTE_MS);
    expect(await codeOf(user.client.auth.check({}))).toBe('401 not_logged_in');
    expect(await codeOf(restore())).toBe('401 restore_refused');
  });
});

describe('the history of sign-ins', () => {
  test('includes refused attempts, newest first, for 90 days', async () => {
    const user = await registerTestUser(app);
    clock.advance(MINUTE_MS);
    expect(await codeOf(logIn(user, false, newHash()))).toBe('401 login_refused');
    const outcomes = async (client: TestClient) =>
      (await client.account.logins({})).data.map(({ outcome }) => outcome);
    await expect.poll(() => outcomes(user.client)).toEqual(['wrong_password', 'signed_in']);
    clock.advance(LOGIN_KEPT_MS);
    const later = await logIn(user);
    expect(await outcomes(later)).toEqual(['signed_in']);
    await removeExpiredRows(app.deps);
    const left = await app.db.selectFrom('logins').select('id').execute();
    expect(left.length).toBeLessThanOrEqual(1);
  });

  test('records nothing for unknown addresses', async () => {
    const count = async () => (await app.db.selectFrom('logins').select('id').execute()).length;
    const before = await count();
    expect(
      await codeOf(app.client().sign_in.login({ email: 'nobody@keyfold.test', password: newHash() })),
    ).toBe('401 login_refused');
    expect(await count()).toBe(before);
  });
});

describe('a notice', () => {
  test('reports a sign-in from a new browser, but not from a known one', async () => {
    const user = await registerTestUser(app);
    expect(await alertsOf(user.client)).toEqual([]);
    await user.client.sign_in.login({ email: user.email, password: user.loginHash });
    expect(await alertsOf(user.client)).toEqual([]);
    const other = await logIn(user);
    expect(await alertsOf(user.client)).toEqual(['New sign-in to your account']);
    await other.auth.logout({});
    await other.sign_in.login({ email: user.email, password: user.loginHash });
    expect(await alertsOf(user.client)).toHaveLength(1);
  });

  test('is stored unencrypted, contains no secret and counts as a message', async () => {
    const user = await registerTestUser(app);
    await logIn(user);
    const [alert] = (await user.client.mail.query({ threading: false, view: 'full' })).data;
    expect(alert).toMatchObject({ alert: true, read: false, ciphertext: null, summary: null });
    const text = Buffer.from(alert?.body ?? '', 'base64').toString();
    expect(text).toContain('Network: 127.0.0.1');
    expect(alert?.headers).toContain('X-Keyfold-Notice: new_login;');
    expect((await user.client.mail.unread_count({})).data.count).toBe(1);
  });
});

describe('the recovery kit', () => {
  const makeKit = async (user: TestUser) => {
    const { recoveryKey, proof } = await deriveRecovery(PHRASE, user.email);
    return { recoveryKey, kit: { proof, main_key: await lockVault(recoveryKey, user.identity) } };
  };

  test('returns the keys, sets a new password and ends every session', async () => {
    const user = await registerTestUser(app, { keepSignedIn: true });
    const { recoveryKey, kit } = await makeKit(user);
    const { data: saved } = await user.client.account.save_recovery({
      password: user.loginHash,
      recovery: kit,
    });
    expect((await user.client.auth.check({})).data.recovery_at).toBe(saved.recovery_at);

    const lost = app.client();
    const { email } = user;
    const { data: opened } = await lost.recovery.recover({
      email: ` ${email.toUpperCase()} `,
      proof: kit.proof,
    });
    expect(await unlockVault(recoveryKey, opened.main_key)).toEqual(user.identity);
    await user.client.auth.check({});
    const vaultKey = randomBytes(32);
    const password = newHash();
    const main_key = await rewrap(user, vaultKey);
    const { data } = await lost.recovery.recover({ email, proof: kit.proof, password, main_key });
    if (!('email' in data)) throw new Error('no user came back');
    expect(await unlockVault(vaultKey, data.main_key)).toEqual(user.identity);
    await lost.auth.check({});
    expect(await codeOf(user.client.auth.check({}))).toBe('401 not_logged_in');
    const again = { email, timestamp: clock.now().getTime() };
    expect(await codeOf(user.client.auth.restore(again))).toBe('401 restore_refused');
    expect(await codeOf(logIn(user))).toBe('401 login_refused');
    expect(await alertsOf(lost)).toEqual(['Your recovery kit was used']);
    const outcomes = (await lost.account.logins({})).data.map(({ outcome }) => outcome);
    expect(outcomes).toContain('recovered');
  });

  test('does not open an account that is suspended during the recovery', async () => {
    const user = await registerTestUser(app);
    const { kit } = await makeKit(user);
    await user.client.account.save_recovery({ password: user.loginHash, recovery: kit });
    const main_key = await rewrap(user, randomBytes(32));
    const lost = app.client();
    const suspending = app.db.transaction().execute(async trx => {
      const row = trx.updateTable('users').where('email', '=', user.email);
      await row.set({ status: 'suspended' }).execute();
      const { email } = user;
      const used = codeOf(lost.recovery.recover({ email, proof: kit.proof, password: newHash(), main_key }));
      const waiting = async () =>
        (
          await sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`.execute(app.db)
        ).rows[0]?.n;
      await expect.poll(waiting).toBe(1);
      return { used };
    });
    expect(await (await suspending).used).toBe('403 account_suspended');
    expect(await codeOf(lost.auth.check({}))).toBe('401 not_logged_in');
  });

  test('can be saved during sign-up', async () => {
    const { identity, mainKey } = await createTestKeys();
    const { proof, recoveryKey } = await deriveRecovery(PHRASE, 'with.kit@keyfold.test');
    const { data } = await app.client().sign_up.register({
      name: 'Kit',
      username: 'with.kit',
      domain: 'keyfold.test',
      password: newHash(),
      captcha: '',
      main_key: mainKey,
      recovery: { proof, main_key: await lockVault(recoveryKey, identity) },
    });
    expect(data.recovery_at).toBe(clock.now().toISOString());
  });

  test('opens nothing with a wrong proof, an older phrase, other keys, or after it was removed', async () => {
    const user = await registerTestUser(app);
    const { kit } = await makeKit(user);
    const refused = '403 recovery_refused';
    const ask = (proof: string, email = user.email) =>
      codeOf(app.client().recovery.recover({ email, proof }));
    expect(await ask(kit.proof)).toBe(refused);
    const { save_recovery, remove_recovery } = user.client.account;
    expect(await codeOf(save_recovery({ password: newHash(), recovery: kit }))).toBe('403 password_wrong');
    const { mainKey: foreign } = await createTestKeys();
    const swapped = { password: user.loginHash, recovery: { ...kit, main_key: foreign } };
    expect(await codeOf(save_recovery(swapped))).toBe('422 keys_refused');
    await save_recovery({ password: user.loginHash, recovery: kit });
    expect(await ask(newHash())).toBe(refused);
    expect(await ask(kit.proof, 'nobody@keyfold.test')).toBe(refused);
    const other = { email: user.email, proof: kit.proof, password: newHash() };
    expect(await codeOf(app.client().recovery.recover({ ...other, main_key: foreign }))).toBe(
      '422 keys_refused',
    );
    expect(await codeOf(app.client().recovery.recover(other))).toBe('400 malformed');
    await user.client.auth.check({});

    const renewed = { ...kit, proof: newHash() };
    await save_recovery({ password: user.loginHash, recovery: renewed });
    expect(await ask(kit.proof)).toBe(refused);
    expect(await codeOf(remove_recovery({ password: newHash() }))).toBe('403 password_wrong');
    await remove_recovery({ password: user.loginHash });
    expect(await ask(renewed.proof)).toBe(refused);
    expect((await user.client.auth.check({})).data.recovery_at).toBeNull();
  });

  test('is rate-limited against guessing', async () => {
    const { email } = await registerTestUser(app);
    const codes: string[] = [];
    for (let tries = 0; tries < 11; tries++)
      codes.push(await codeOf(app.client().recovery.recover({ email, proof: newHash() })));
    expect(codes.at(-1)).toBe('429 rate_limited');
  });
});
