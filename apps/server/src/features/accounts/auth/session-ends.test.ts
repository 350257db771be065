// A session that was ended from elsewhere reports the reason at its next use, and only to its own
// token (docs/interpretations.md#30).
import { randomBytes } from 'node:crypto';
import { CallError } from '@keyfold/contract/client';
import { deriveRecovery } from '@keyfold/crypto/recovery';
import { lockVault } from '@keyfold/crypto/vault';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../../tests/harness/app.ts';
import type { TestClient } from '../../../../tests/harness/client.ts';
import { createTestClock, type TestClock } from '../../../../tests/harness/clock.ts';
import { codeAt, turnTotpOn, wrongCodeAt } from '../../../../tests/harness/second-factor.ts';
import { registerTestUser, type TestUser, userIdOf } from '../../../../tests/harness/users.ts';
import { suspend } from '../../operator/admin/actions.ts';
import { removeExpiredRows } from '../../operator/retention/jobs.ts';

const PHRASE = `${'abandon '.repeat(23)}art`;

let app: TestApp;
let clock: TestClock;
beforeAll(async () => {
  clock = createTestClock();
  app = await startTestApp({ clock });
});
afterAll(() => app.close());

async function signIn({ email, loginHash }: TestUser): Promise<TestClient> {
  const client = app.client();
  await client.sign_in.login({ email, password: loginHash });
  return client;
}
async function saidTo(call: Promise<unknown>) {
  const error = await call.catch((cause: unknown) => cause);
  if (!(error instanceof CallError)) throw new Error('The call was not refused');
  return [error.code, ...error.problems.map(({ path, message }) => `${path}: ${message}`)];
}

async function suspendFor({ email }: TestUser, reason: string): Promise<void> {
  const admin = await registerTestUser(app);
  await app.db
    .updateTable('users')
    .set({ is_admin: true, admin_level: 'super' })
    .where('email', '=', admin.email)
    .execute();
  await suspend(app.deps, await userIdOf(app.db, admin), { user_email: email, reason });
}

test('a session that another one ended says so, for a day', async () => {
  const user = await registerTestUser(app);
  const other = await signIn(user);
  const { data: list } = await user.client.account.sessions({});
  const id = list.find(({ current }) => !current)?.id ?? '';
  await user.client.account.end_session({ id });
  expect(await saidTo(other.auth.check({}))).toEqual(['not_logged_in', 'why: signed_out']);
  expect((await user.client.account.sessions({})).data).toHaveLength(1);
  await removeExpiredRows(app.deps);
  expect(await saidTo(other.account.logins({}))).toEqual(['not_logged_in', 'why: signed_out']);
  expect(await saidTo(app.client().auth.check({}))).toEqual(['not_logged_in']);
  clock.advance(24 * 60 * 60_000);
  await removeExpiredRows(app.deps);
  expect(await saidTo(other.auth.check({}))).toEqual(['not_logged_in']);
});

test('a password change is distinguished from a remote sign-out; the user’s own sign-out gives no reason', async () => {
  const user = await registerTestUser(app);
  const [first, second, third] = [await signIn(user), await signIn(user), await signIn(user)];
  await third.auth.logout({});
  expect(await saidTo(third.auth.check({}))).toEqual(['not_logged_in']);
  await user.client.account.change_password({
    old_password: user.loginHash,
    new_password: randomBytes(32).toString('hex'),
    main_key: await lockVault(randomBytes(32), user.identity),
  });
  for (const client of [first, second])
    expect(await saidTo(client.auth.check({}))).toEqual(['not_logged_in', 'why: password_changed']);
  // The rows that are kept open nothing: they contain neither the key of the browser's stored data
  // nor a way to restore.
  const rows = await app.db
    .selectFrom('sessions')
    .select(['client_key_sealed', 'family_id'])
    .where('user_id', '=', await userIdOf(app.db, user))
    .where('ended', 'is not', null)
    .execute();
  expect(rows.map(row => [row.client_key_sealed.length, row.family_id])).toEqual([
    [0, null],
    [0, null],
  ]);
  await user.client.auth.check({});
});

test('a suspension’s reason is shown only to ended sessions and sign-ins with the right password', async () => {
  const user = await registerTestUser(app);
  const reason = 'It sent <b>spam</b>\n{twice}';
  await suspendFor(user, reason);
  expect(await saidTo(user.client.auth.check({}))).toEqual([
    'not_logged_in',
    'why: suspended',
    `reason: ${reason}`,
  ]);
  const login = (password: string) => saidTo(app.client().sign_in.login({ email: user.email, password }));
  expect(await login(user.loginHash)).toEqual(['account_suspended', `reason: ${reason}`]);
  expect(await login('a'.repeat(64))).toEqual(['login_refused']);
});

test('with a second factor, a suspension’s reason is shown only after that factor', async () => {
  const user = await registerTestUser(app);
  const { secret } = await turnTotpOn(user, clock);
  await suspendFor(user, 'It sent spam');
  const { email } = user;
  const half = app.client();
  const { data } = await half.sign_in.login({ email, password: user.loginHash });
  expect(data).toMatchObject({ mfa_required: true });
  const code = codeAt(secret, clock.now());
  const wrong = wrongCodeAt(secret, clock.now());
  expect(await saidTo(half.mfa.code({ email, code: wrong }))).toEqual(['code_refused']);
  expect(await saidTo(half.mfa.code({ email, code }))).toEqual(['account_suspended', 'reason: It sent spam']);
  expect(await saidTo(half.auth.check({}))).toEqual(['not_logged_in']);
  // An MFA-pending session that was used cannot be used again.
  expect(await saidTo(half.mfa.code({ email, code }))).toEqual(['mfa_expired']);
});

describe('the reason for a suspension, with valid credentials', () => {
  const reason = 'It sent spam';
  const said = ['account_suspended', `reason: ${reason}`];
  /**
   * A suspension ends sessions, devices and biometrics in one transaction; checks what each reports
   * at that moment.
   */
  const suspendJustNow = async (user: TestUser): Promise<void> => {
    const userId = await userIdOf(app.db, user);
    const devices = await app.db.selectFrom('devices').selectAll().where('user_id', '=', userId).execute();
    await suspendFor(user, reason);
    await app.db.insertInto('devices').values(devices).execute();
  };

  test('is shown to a device that stays signed in', async () => {
    const user = await registerTestUser(app, { keepSignedIn: true });
    await suspendJustNow(user);
    const { email } = user;
    expect(await saidTo(user.client.auth.restore({ email, timestamp: clock.now().getTime() }))).toEqual(said);
  });

  test('is shown after a biometric sign-in', async () => {
    const user = await registerTestUser(app);
    const { data } = await user.client.biometrics.turn_on({ keep_signed_in: false });
    await suspendJustNow(user);
    const { email } = user;
    const input = { email, token: data.token, keep_signed_in: false };
    expect(await saidTo(app.client().biometrics.enter(input))).toEqual(said);
  });

  test('is shown to the recovery kit, after the second factor where one is on', async () => {
    const user = await registerTestUser(app);
    const { proof, recoveryKey } = await deriveRecovery(PHRASE, user.email);
    const kit = { proof, main_key: await lockVault(recoveryKey, user.identity) };
    await user.client.account.save_recovery({ password: user.loginHash, recovery: kit });
    const { email } = user;
    const newSecrets = {
      password: randomBytes(32).toString('hex'),
      main_key: await lockVault(randomBytes(32), user.identity),
    };
    const recover = (more = {}) => saidTo(app.client().recovery.recover({ email, proof, ...more }));
    const { secret } = await turnTotpOn(user, clock);
    await suspendFor(user, reason);
    const totp_code = codeAt(secret, clock.now());
    expect(await recover()).toEqual(['account_suspended']);
    expect(await recover({ ...newSecrets, totp_code: wrongCodeAt(secret, clock.now()) })).toEqual([
      'code_wrong',
    ]);
    expect(await recover({ ...newSecrets, totp_code })).toEqual(said);
    expect(await recover({ ...newSecrets, second_factor_lost: true })).toEqual(said);
    expect(await saidTo(app.client().recovery.recover({ email, proof: 'a'.repeat(64) }))).toEqual([
      'recovery_refused',
    ]);
    await app.db
      .deleteFrom('second_factors')
      .where('user_id', '=', await userIdOf(app.db, user))
      .execute();
    expect(await recover()).toEqual(said);
    expect(await recover(newSecrets)).toEqual(said);
  });
});

test('all sessions can be ended even when there are more than one statement’s parameters', async () => {
  const user = await registerTestUser(app);
  const userId = await userIdOf(app.db, user);
  const now = clock.now();
  const until = new Date(now.getTime() + 60 * 60_000);
  await sql`insert into sessions (token_hash, user_id, client_key_sealed, created_at, last_used_at, expires_at, ends_at)
    select sha256(number::text::bytea), ${userId}::uuid, ''::bytea, ${now}, ${now}, ${until}, ${until}
    from generate_series(1, 8000) as number`.execute(app.db);
  await user.client.account.change_password({
    old_password: user.loginHash,
    new_password: randomBytes(32).toString('hex'),
    main_key: await lockVault(randomBytes(32), user.identity),
  });
  expect((await user.client.account.sessions({})).data).toHaveLength(1);
});
