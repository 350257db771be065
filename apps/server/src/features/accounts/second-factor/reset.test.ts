// The operator's way to take a second factor off an account whose owner has lost it (docs/operations.md).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../../tests/harness/app.ts';
import { createTestClock, type TestClock } from '../../../../tests/harness/clock.ts';
import { codeOf } from '../../../../tests/harness/codes.ts';
import { addKey, codeAt, startSignIn, turnTotpOn } from '../../../../tests/harness/second-factor.ts';
import { registerTestUser, userIdOf } from '../../../../tests/harness/users.ts';
import { resetSecondFactor } from './reset.ts';

let app: TestApp;
let clock: TestClock;
beforeAll(async () => {
  clock = createTestClock();
  app = await startTestApp({ clock });
});
afterAll(() => app.close());

test('takes app, keys and codes off, so that the password alone opens the account, and tells the owner', async () => {
  const user = await registerTestUser(app);
  const other = await registerTestUser(app);
  const { secret } = await turnTotpOn(user, clock);
  const { codes } = await turnTotpOn(other, clock);
  await addKey(user, { totp_code: codeAt(secret, clock.now()) });
  expect(await resetSecondFactor(app.deps, ` ${user.email.toUpperCase()}`)).toBe(true);

  expect((await user.client.second_factor.status({})).data).toMatchObject({
    totp_active: false,
    passkeys: [],
    recovery_codes_left: 0,
  });
  const { data } = await app.client().sign_in.login({ email: user.email, password: user.loginHash });
  expect('email' in data).toBe(true);
  const told = (await user.client.mail.query({})).data.filter(({ headers }) =>
    headers.includes('X-Keyfold-Notice: second_factor_reset'),
  );
  expect(told).toHaveLength(1);
  expect(told[0]).toMatchObject({ alert: true, read: false });
  expect(told[0]?.headers).toContain('Subject: The operator turned two-factor sign-in off');
  // Nobody's browser had to do with it, and the one of the operator is not the owner's to read of.
  const text = Buffer.from(told[0]?.body ?? '', 'base64').toString();
  expect(text).not.toMatch(/Device|Network/);
  // Nobody else's went.
  await (await startSignIn(app.client(), other)).mfa.code({ email: other.email, code: codes[0] ?? '' });
});

test('works by any address of the account, and by the one that signs in', async () => {
  const user = await registerTestUser(app);
  await turnTotpOn(user, clock);
  const alias = `alias.of.${user.email}`;
  await user.client.addresses.create({ address: alias });
  expect(await resetSecondFactor(app.deps, alias)).toBe(true);
  await turnTotpOn(user, clock);
  const userId = await userIdOf(app.db, user);
  const signsIn = `before.${user.email}`;
  await app.db.updateTable('users').set({ kdf_email: signsIn }).where('id', '=', userId).execute();
  expect(await resetSecondFactor(app.deps, signsIn)).toBe(true);
});

test('says so where none is on, and throws where nobody is', async () => {
  const user = await registerTestUser(app);
  // A secret that waits for its first code is none yet.
  await user.client.otp.generate({});
  expect(await resetSecondFactor(app.deps, user.email)).toBe(false);
  await expect(resetSecondFactor(app.deps, `nobody.${user.email}`)).rejects.toMatchObject({
    code: 'not_found',
  });
  expect((await user.client.mail.query({})).data).toEqual([]);
});

test('ends what a half-done sign-in is worth: the password is asked for again', async () => {
  const user = await registerTestUser(app);
  const { codes } = await turnTotpOn(user, clock);
  const client = await startSignIn(app.client(), user);
  await resetSecondFactor(app.deps, user.email);
  expect(await codeOf(client.mfa.code({ email: user.email, code: codes[0] ?? '' }))).toBe('401 mfa_expired');
});
