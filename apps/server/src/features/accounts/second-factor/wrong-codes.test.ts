// Wrong authenticator codes: notices and waits. They are counted per account, whatever address they
// come from, and reported once per wait. An attacker without the password cannot cause a wait
// (docs/adr/0023).
import { randomBytes } from 'node:crypto';
import { lockVault } from '@keyfold/crypto/vault';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../../tests/harness/app.ts';
import type { TestClient } from '../../../../tests/harness/client.ts';
import { createTestClock, type TestClock } from '../../../../tests/harness/clock.ts';
import { codeOf } from '../../../../tests/harness/codes.ts';
import {
  addKey,
  codeAt,
  nextStep,
  startSignIn,
  turnTotpOn,
  wrongCodeAt,
} from '../../../../tests/harness/second-factor.ts';
import { registerTestUser, type TestUser, userIdOf } from '../../../../tests/harness/users.ts';

const MINUTE_MS = 60_000;
const TOLD = 'Several incorrect two-factor codes';

let app: TestApp;
let clock: TestClock;
beforeAll(async () => {
  clock = createTestClock();
  app = await startTestApp({ clock });
});
afterAll(() => app.close());

async function withApp() {
  const user = await registerTestUser(app);
  return { user, ...(await turnTotpOn(user, clock)) };
}

const half = (user: TestUser): Promise<TestClient> => startSignIn(app.client(), user);

/** Sends wrong codes after the right password; returns the responses. */
async function guess(user: TestUser, secret: string, times: number): Promise<string[]> {
  const client = await half(user);
  const answers: string[] = [];
  for (let tries = 0; tries < times; tries++) {
    const code = wrongCodeAt(secret, clock.now());
    answers.push(await codeOf(client.mfa.code({ email: user.email, code })));
  }
  return answers;
}

const noticesOf = async ({ client }: TestUser) =>
  (await client.mail.query({})).data.filter(({ alert, headers }) => alert && headers.includes(TOLD));

test('wrong codes are reported once at the start of each wait, not for each code', async () => {
  const { user, secret } = await withApp();
  await guess(user, secret, 4);
  expect(await noticesOf(user)).toEqual([]);
  expect(await guess(user, secret, 4)).toEqual([
    '429 rate_limited',
    '429 rate_limited',
    '429 rate_limited',
    '429 rate_limited',
  ]);
  expect(await noticesOf(user)).toHaveLength(1);
  expect((await noticesOf(user))[0]?.headers).toContain('X-Keyfold-Notice: wrong_codes;');
  clock.advance(MINUTE_MS);
  await guess(user, secret, 4);
  expect(await noticesOf(user)).toHaveLength(1);
  await guess(user, secret, 1);
  expect(await noticesOf(user)).toHaveLength(2);
});

test('concurrent wrong codes are reported once', async () => {
  const { user, secret } = await withApp();
  const client = await half(user);
  const code = wrongCodeAt(secret, clock.now());
  await Promise.all(Array.from({ length: 12 }, () => codeOf(client.mfa.code({ email: user.email, code }))));
  expect(await noticesOf(user)).toHaveLength(1);
});

test('wrong codes within a session or a recovery are reported too', async () => {
  const { user, secret, codes } = await withApp();
  const wrong = () => ({ totp_code: wrongCodeAt(secret, clock.now()) });
  for (let tries = 0; tries < 5; tries++) await codeOf(user.client.otp.disable({ code: wrong().totp_code }));
  expect(await noticesOf(user)).toHaveLength(1);
  const kit = { proof: randomBytes(32).toString('hex'), main_key: user.mainKey };
  await user.client.account.save_recovery({
    password: user.loginHash,
    totp_code: codes[0],
    recovery: kit,
  });
  clock.advance(MINUTE_MS);
  const way = {
    email: user.email,
    proof: kit.proof,
    password: randomBytes(32).toString('hex'),
    main_key: await lockVault(randomBytes(32), user.identity),
  };
  for (let tries = 0; tries < 5; tries++) await codeOf(app.client().recovery.recover({ ...way, ...wrong() }));
  expect(await noticesOf(user)).toHaveLength(2);
});

test('codes without an MFA-pending session are not counted, so strangers cannot lock the user out', async () => {
  const { user, secret } = await withApp();
  const stranger = app.client();
  const other = await half((await withApp()).user);
  const code = wrongCodeAt(secret, clock.now());
  for (let tries = 0; tries < 12; tries++) {
    expect(await codeOf(stranger.mfa.code({ email: user.email, code }))).toBe('401 mfa_expired');
    expect(await codeOf(other.mfa.code({ email: user.email, code }))).toBe('401 mfa_expired');
    const proof = randomBytes(32).toString('hex');
    const kit = { email: user.email, proof, password: proof, main_key: user.mainKey, totp_code: code };
    if (tries < 6) expect(await codeOf(stranger.recovery.recover(kit))).toBe('403 recovery_refused');
  }
  const row = await app.db
    .selectFrom('second_factors')
    .select(['wrong_codes', 'wait_until'])
    .where('user_id', '=', await userIdOf(app.db, user))
    .executeTakeFirstOrThrow();
  expect(row).toEqual({ wrong_codes: 0, wait_until: null });
  expect(await noticesOf(user)).toEqual([]);
  const client = await half(user);
  await client.mfa.code({ email: user.email, code: codeAt(secret, clock.now()) });
});

test('wrong codes do not lock out a user with a passkey or a recovery code, who then sees the notice', async () => {
  const { user, secret, codes } = await withApp();
  const { key } = await addKey(user, { totp_code: codeAt(secret, clock.now()) });
  nextStep(clock);
  await guess(user, secret, 5);
  const byKey = await half(user);
  const { data: asked } = await byKey.mfa.challenge({ email: user.email });
  await byKey.mfa.passkey({ email: user.email, passkey: key.get(asked) });
  const byCode = await half(user);
  await byCode.mfa.code({ email: user.email, code: codes[1] ?? '' });
  // Neither clears the wait for guesses of the app's codes.
  expect(await guess(user, secret, 1)).toEqual(['429 rate_limited']);
  expect(await noticesOf({ ...user, client: byKey })).toHaveLength(1);
});

/** Waits until this many requests are blocked on a lock. */
async function untilBlocked(count: number): Promise<void> {
  await expect
    .poll(async () => {
      const { rows } = await sql<{ n: number }>`
        select count(*)::int as n from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(app.db);
      return rows[0]?.n;
    })
    .toBe(count);
}

test('a refused code locks the account first, so that it cannot deadlock with account deletion', async () => {
  const { user, codes } = await withApp();
  const userId = await userIdOf(app.db, user);
  const turnOff = await app.db.transaction().execute(async trx => {
    // Takes the locks of an account deletion, in the same order.
    await sql`select id from users where id = ${userId}::uuid for update`.execute(trx);
    await sql`select user_id from mailboxes where user_id = ${userId}::uuid for update`.execute(trx);
    const call = codeOf(user.client.otp.disable({ code: codes[0] ?? '' }));
    await untilBlocked(1);
    await sql`delete from recovery_codes where user_id = ${userId}::uuid`.execute(trx);
    return { call };
  });
  expect(await turnOff.call).toBe('403 code_wrong');
});
