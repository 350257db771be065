// The welcome message for new accounts, and the operator setting that turns it off.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../../tests/harness/app.ts';
import { registerTestUser } from '../../../../tests/harness/users.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ config: { isWelcomeSent: true } });
});
afterAll(() => app.close());

test('a new account gets one welcome message and the flag for the checklist', async () => {
  const user = await registerTestUser(app);
  const { data: mails } = await user.client.mail.query({ threading: false });
  expect(mails).toHaveLength(1);
  expect(mails[0]).toMatchObject({ alert: true, read: false });
  expect(mails[0]?.headers).toContain('Subject: Welcome to Keyfold');
  expect(mails[0]?.headers).toContain('X-Keyfold-Notice: welcome');
  expect(user.user.first_steps).toBe(true);
  expect((await user.client.auth.check({})).data.first_steps).toBeUndefined();
});

test('there is no welcome message when the operator turned it off', async () => {
  const quiet = await startTestApp();
  try {
    const user = await registerTestUser(quiet);
    expect((await user.client.mail.query({})).data).toEqual([]);
    expect(user.user.first_steps).toBeUndefined();
  } finally {
    await quiet.close();
  }
});
