// Limit on concurrent sessions per account, and which sessions a sign-in or restore may end because
// of it ([Note: Room for sessions]).
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../../tests/harness/app.ts';
import type { TestClient } from '../../../../tests/harness/client.ts';
import { createTestClock, type TestClock } from '../../../../tests/harness/clock.ts';
import { codeOf } from '../../../../tests/harness/codes.ts';
import { codeAt, startSignIn, turnTotpOn } from '../../../../tests/harness/second-factor.ts';
import { registerTestUser, type TestUser, userIdOf } from '../../../../tests/harness/users.ts';
import { SESSIONS_PER_DEVICE_MAX, SIGNED_IN_MAX } from '../../../base/entry-limits.ts';

let app: TestApp;
let clock: TestClock;
let user: TestUser;
beforeAll(async () => {
  clock = createTestClock();
  app = await startTestApp({ clock });
});
afterAll(() => app.close());
beforeEach(async () => {
  user = await registerTestUser(app, { keepSignedIn: true });
  clock.advance(60_000);
});

const WRONG = '00'.repeat(32);
async function signIn(kept = false): Promise<TestClient> {
  const client = app.client();
  await client.sign_in.login({ email: user.email, password: user.loginHash, keep_signed_in: kept });
  return client;
}
async function countRows(): Promise<{ living: number; ended: number }> {
  const { rows } = await sql<{ living: number; ended: number }>`
    select count(*) filter (where ended is null) as living, count(*) filter (where ended is not null) as ended
    from sessions where user_id = ${await userIdOf(app.db, user)}::uuid`.execute(app.db);
  return rows[0] ?? { living: 0, ended: 0 };
}
/** Signs in `count` times from other devices, one second apart. */
async function fill(count: number): Promise<void> {
  const userId = await userIdOf(app.db, user);
  const now = clock.now();
  const until = new Date(now.getTime() + 60 * 60_000);
  await sql`insert into sessions (token_hash, user_id, client_key_sealed, created_at, last_used_at, expires_at, ends_at)
    select sha256((${userId}::text || number)::bytea), ${userId}::uuid, ''::bytea, ${now},
      ${now}::timestamptz + number * interval '1 second', ${until}, ${until}
    from generate_series(1, ${count}::integer) as number`.execute(app.db);
  clock.advance(count * 1000 + 1000);
}

test('a sign-in beyond the limit ends the least recently used session, with a reason', async () => {
  const [oldest, used] = [await signIn(), await signIn(true)];
  await fill(SIGNED_IN_MAX - 3);
  clock.advance(6 * 60_000);
  await user.client.auth.check({});
  await used.auth.check({});
  const newest = await signIn();
  const { data: list } = await newest.account.sessions({});
  expect(list).toHaveLength(SIGNED_IN_MAX);
  expect(list[0]?.current).toBe(true);
  await expect(oldest.auth.check({})).rejects.toMatchObject({
    code: 'not_logged_in',
    problems: [{ path: 'why', message: 'too_many' }],
  });
  await used.auth.check({});
  await user.client.auth.check({});
});

test('evicting a device that stays signed in also removes its device token', async () => {
  await fill(SIGNED_IN_MAX);
  await signIn();
  expect(await codeOf(user.client.auth.check({}))).toBe('401 not_logged_in');
  const restored = user.client.auth.restore({ email: user.email, timestamp: clock.now().getTime() });
  expect(await codeOf(restored)).toBe('401 restore_refused');
});

test('any number of sign-ins leaves a bounded number of session rows', async () => {
  await fill(300);
  for (let times = 0; times < 3; times++) await signIn();
  expect(await countRows()).toEqual({ living: SIGNED_IN_MAX, ended: SIGNED_IN_MAX });
});

test('a wrong password or second factor ends no session', async () => {
  const { secret } = await turnTotpOn(user, clock);
  const oldest = user.client;
  await fill(SIGNED_IN_MAX + 20);
  const before = await countRows();
  const { email } = user;
  for (let tries = 0; tries < 5; tries++)
    expect(await codeOf(app.client().sign_in.login({ email, password: WRONG }))).toBe('401 login_refused');
  const half = await startSignIn(app.client(), user);
  expect(await codeOf(half.mfa.code({ email, code: '0000 0000' }))).toBe('401 code_refused');
  expect(await countRows()).toEqual(before);
  await oldest.auth.check({});
  clock.advance(60_000);
  await half.mfa.code({ email, code: codeAt(secret, clock.now()) });
  expect((await half.account.sessions({})).data).toHaveLength(SIGNED_IN_MAX);
});

test('a device token restores any number of times and evicts only sessions of its own device', async () => {
  await fill(SIGNED_IN_MAX + 20);
  const { living } = await countRows();
  const thief = app.client();
  thief.jar.set('keyfold_device', user.client.jar.get('keyfold_device') ?? '', '/auth');
  for (let times = 0; times < SESSIONS_PER_DEVICE_MAX + 5; times++) {
    thief.jar.remove('keyfold_session');
    clock.advance(1000);
    await thief.auth.restore({ email: user.email, timestamp: clock.now().getTime() });
  }
  await thief.auth.check({});
  expect((await countRows()).living).toBe(living - 1 + SESSIONS_PER_DEVICE_MAX);
  expect(await codeOf(user.client.auth.check({}))).toBe('401 not_logged_in');
});
