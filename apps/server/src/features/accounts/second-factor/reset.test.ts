// Operator command that removes the second factor of an account whose owner has lost it
// (docs/operations.md).
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

test('the reset removes app, passkeys and codes, so the password alone suffices, and notifies the user', async () => {
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
  expect(told[0]?.headers).toContain('Subject: An administrator turned off two-factor authentication');
  // No user's browser was involved, and the notice must not reveal the operator's browser to the
  // owner.
  const text = Buffer.from(told[0]?.body ?? '', 'base64').toString();
  expect(text).not.toMatch(/Device|Network/);
  // Factors of other accounts are unaffected.
  await (await startSignIn(app.client(), other)).mfa.code({ email: other.email, code: codes[0] ?? '' });
});

test('the reset works with any address of the account, including the sign-in address', async () => {
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

test('the reset reports when no second factor is on, and fails for an unknown account', async () => {
  const user = await registerTestUser(app);
  // A pending secret does not count as a second factor yet.
  await user.client.otp.generate({});
  expect(await resetSecondFactor(app.deps, user.email)).toBe(false);
  await expect(resetSecondFactor(app.deps, `nobody.${user.email}`)).rejects.toMatchObject({
    code: 'not_found',
  });
  expect((await user.client.mail.query({})).data).toEqual([]);
});

test('the reset invalidates MFA-pending sessions: the password is required again', async () => {
  const user = await registerTestUser(app);
  const { codes } = await turnTotpOn(user, clock);
  const client = await startSignIn(app.client(), user);
  await resetSecondFactor(app.deps, user.email);
  expect(await codeOf(client.mfa.code({ email: user.email, code: codes[0] ?? '' }))).toBe('401 mfa_expired');
});
