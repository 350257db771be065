// How many accounts the service makes within an hour, whoever asks for them and from wherever.
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
      name: 'Somebody',
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

test('beyond it newcomers are asked to come back, until the first of them is an hour old', async () => {
  await registerTestUser(app);
  clock.advance(20 * 60_000);
  await registerTestUser(app);
  // Tries that make no account take no place.
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
