// Wrong codes of the authenticator app: who hears of them, and who is kept out by them. Counted for the account, whatever
// address they come from; told once for each wait; and nobody without the password can make anybody wait (docs/adr/0023).
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
const TOLD = 'Wrong codes for your second factor';

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

/** Wrong codes after the right password; what was answered. */
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

test('are told once when a wait begins, not for each code, and again with the next wait', async () => {
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

test('that come at one moment are told once', async () => {
  const { user, secret } = await withApp();
  const client = await half(user);
  const code = wrongCodeAt(secret, clock.now());
  await Promise.all(Array.from({ length: 12 }, () => codeOf(client.mfa.code({ email: user.email, code }))));
  expect(await noticesOf(user)).toHaveLength(1);
});

test('are told too when they come within a session, or beside a recovery kit', async () => {
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

test('without the password nobody makes the owner wait: the account counts no code that had no half-done sign-in', async () => {
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

test('keep nobody out who has a key or a recovery code, who then sees what happened', async () => {
  const { user, secret, codes } = await withApp();
  const { key } = await addKey(user, { totp_code: codeAt(secret, clock.now()) });
  nextStep(clock);
  await guess(user, secret, 5);
  const byKey = await half(user);
  const { data: asked } = await byKey.mfa.challenge({ email: user.email });
  await byKey.mfa.passkey({ email: user.email, passkey: key.get(asked) });
  const byCode = await half(user);
  await byCode.mfa.code({ email: user.email, code: codes[1] ?? '' });
  // Neither clears the wait: who guesses the app's codes goes on waiting.
  expect(await guess(user, secret, 1)).toEqual(['429 rate_limited']);
  expect(await noticesOf({ ...user, client: byKey })).toHaveLength(1);
});

/** Waits until so many requests stand before a lock. */
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

test('what is told of a code takes the account first, as its end does, so that neither waits for the other', async () => {
  const { user, codes } = await withApp();
  const userId = await userIdOf(app.db, user);
  const turnOff = await app.db.transaction().execute(async trx => {
    // What the end of an account locks, in its order.
    await sql`select id from users where id = ${userId}::uuid for update`.execute(trx);
    await sql`select user_id from mailboxes where user_id = ${userId}::uuid for update`.execute(trx);
    const call = codeOf(user.client.otp.disable({ code: codes[0] ?? '' }));
    await untilBlocked(1);
    await sql`delete from recovery_codes where user_id = ${userId}::uuid`.execute(trx);
    return { call };
  });
  expect(await turnOff.call).toBe('403 code_wrong');
});
