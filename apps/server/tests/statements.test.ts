// Number of PostgreSQL statements for everyday actions. docs/scaling.md bases its figures on these
// counts, so none may grow unnoticed.
import { connectSmtp, deliver } from '@keyfold/testing/smtp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from './harness/app.ts';
import { sealTestMessage } from './harness/sending.ts';
import { registerTestUser, type TestUser } from './harness/users.ts';
import { recordStatements } from './recorded-statements.ts';

let app: TestApp;
let ann: TestUser;
let bob: TestUser;
beforeAll(async () => {
  app = await startTestApp({ roles: ['http', 'smtp'] });
  [ann, bob] = [await registerTestUser(app), await registerTestUser(app)];
});
afterAll(() => app.close());

async function arrive(): Promise<void> {
  const client = await connectSmtp(app.app.smtpPort ?? 0);
  await client.reply();
  await client.command('EHLO mx.outside.test');
  const raw = ['From: w@outside.test', `To: ${ann.email}`, 'Subject: Hello', '', 'Good morning', ''].join(
    '\r\n',
  );
  const answer = await deliver(client, { from: 'w@outside.test', to: [ann.email], raw });
  expect(answer).toMatch(/^250/);
  client.destroy();
}
const list = () => ann.client.mail.query({ count: 50, view: 'summary', deleted: false });
const newestId = async (): Promise<string> => (await list()).data[0]?.id ?? '';

test.each([
  { what: 'a mail from the outside', most: 8, prepare: async () => null, act: arrive },
  { what: 'a page of a list', most: 3, prepare: async () => null, act: list },
  { what: 'an opened mail', most: 2, prepare: newestId, act: (id: string) => ann.client.mail.one({ id }) },
  { what: 'a look for news', most: 2, prepare: async () => null, act: () => ann.client.mail.check_new({}) },
  {
    what: 'a letter to one reader here',
    most: 18,
    prepare: () => sealTestMessage(ann, { to: [bob] }),
    act: (message: Awaited<ReturnType<typeof sealTestMessage>>) => ann.client.sending.send_private(message),
  },
] as {
  what: string;
  most: number;
  prepare: () => Promise<unknown>;
  act: (prepared: unknown) => Promise<unknown>;
}[])('$what takes at most $most statements, including those around its transaction', async one => {
  // The first run fills the in-memory caches.
  await one.act(await one.prepare());
  // The process may do other work during a run, so the run with the fewest of three counts.
  // Notifications of changes are sent in batches shortly afterwards and are not counted.
  let made: string[] | null = null;
  for (let run = 0; run < 3; run++) {
    const prepared = await one.prepare();
    const statements = await recordStatements(() => one.act(prepared));
    const recorded = statements.map(({ text }) => text).filter(text => !text.includes('pg_notify'));
    if (made === null || recorded.length < made.length) made = recorded;
  }
  expect(made?.length, made?.join('\n')).toBeLessThanOrEqual(one.most);
  expect(made?.length).toBeGreaterThan(0);
});
