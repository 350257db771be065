// Service-wide limit on sign-ups per hour, across all clients and addresses.
import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../../tests/harness/app.ts';
import { createTestClock } from '../../../../tests/harness/clock.ts';
import { createTestKeys, registerTestUser } from '../../../../tests/harness/users.ts';

const clock = createTestClock();
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ clock, config: { signupsPerHour: 3 } });
});
afterAll(() => app.close());

const register = async (changed = {}) =>
  app
    .client()
    .sign_up.register({
      name: 'Someone',
      username: `u${randomUUIDv7().slice(-12)}`,
      domain: 'keyfold.test',
      password: 'ab'.repeat(32),
      captcha: '',
      main_key: (await createTestKeys()).mainKey,
      ...changed,
    })
    .then(
      () => null,
      (reason: unknown) => reason,
    );

test('sign-ups beyond the hourly limit are refused until the oldest one is an hour old', async () => {
  await registerTestUser(app);
  clock.advance(20 * 60_000);
  await registerTestUser(app);
  // Failed attempts don't count toward the limit.
  for (let tries = 0; tries < 5; tries++)
    expect(await register({ domain: 'elsewhere.test' })).toMatchObject({ code: 'domain_refused' });
  await registerTestUser(app);
  expect(await register()).toMatchObject({ status: 429, code: 'rate_limited', retryAfterSeconds: 40 * 60 });
  clock.advance(40 * 60_000 - 1);
  expect(await register()).toMatchObject({ code: 'rate_limited' });
  clock.advance(1);
  expect(await register()).toBeNull();
  expect(await register()).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 20 * 60 });
});
