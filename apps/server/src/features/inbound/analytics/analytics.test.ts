import { connectSmtp, deliver, type SmtpClient } from '@keyfold/testing/smtp';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../../tests/harness/app.ts';
import { codeOf } from '../../../../tests/harness/codes.ts';
import type { TestDns } from '../../../../tests/harness/dns.ts';
import { greetSmtp, startSendersDns } from '../../../../tests/harness/senders.ts';
import { registerTestUser, type TestUser, userIdOf } from '../../../../tests/harness/users.ts';
import { createDns } from '../../../adapters/dns.ts';
import { countArrivals } from './service.ts';

let app: TestApp;
let dns: TestDns;
let smtp: SmtpClient;
let ann: TestUser;

beforeAll(async () => {
  dns = await startSendersDns();
  app = await startTestApp({ roles: ['http', 'smtp'], dns: createDns([dns.server]) });
  smtp = await greetSmtp(app.app.smtpPort);
});
beforeEach(async () => {
  ann = await registerTestUser(app);
});
afterAll(async () => {
  smtp.destroy();
  await app.close();
  await dns.close();
});

const setPlan = (user: TestUser, plan: 'free' | 'plus' | 'pro') =>
  app.db.updateTable('users').set({ plan }).where('kdf_email', '=', user.email).execute();

let sent = 0;
async function send(from: string, subject = 'Hello', to = [ann], id = `stats-${++sent}`) {
  const raw = Buffer.from(
    `From: ${from}\r\nTo: ${ann.email}\r\nSubject: ${subject}\r\nMessage-ID: <${id}@out.example>\r\n\r\nText\r\n`,
  );
  expect(await deliver(smtp, { from, to: to.map(user => user.email), raw })).toMatch(/^250/);
}
const statsOf = async (user: TestUser, days = 7) => (await user.client.security.stats({ days })).data;

test('a free plan has no analytics, and says so in the words of the specification', async () => {
  await expect(ann.client.security.stats({})).rejects.toMatchObject({
    status: 403,
    code: 'plus_required',
    message: 'Plus plan required for security analytics',
  });
  for (const plan of ['plus', 'pro'] as const) {
    await setPlan(ann, plan);
    expect((await statsOf(ann)).totals.received).toBe(0);
  }
});

test('every external message is counted once, by reason of its flag and by sender authentication', async () => {
  await setPlan(ann, 'plus');
  await ann.client.security.save_settings({
    spam_filters: { enabled: true, sensitivity: 'medium', custom_rules: ['casino'] },
    whitelist: [],
    blacklist: ['bad@good.example'],
  });
  await ann.client.rules.save({
    rules: [
      {
        name: 'x',
        enabled: true,
        match: 'all',
        conditions: [{ field: 'subject', test: 'is', value: 'ruled' }],
        actions: { tags: [], read: false, star: false, archive: false, flag: true, delete: false },
        stop: false,
      },
    ],
  });
  await send('zoe@good.example');
  await send('bad@good.example');
  await send('zoe@good.example', 'Casino');
  await send('zoe@good.example', 'ruled');
  await send('boss@strict.example');
  await send('who@nowhere.example');
  // A repeated delivery counts as one message.
  await send('zoe@good.example', 'Again', [ann], 'again');
  await send('zoe@good.example', 'Again', [ann], 'again');
  const { days, totals, counted_since } = await statsOf(ann);
  expect(totals).toEqual({
    received: 7,
    flagged: 4,
    flagged_by_sender: 1,
    flagged_by_rule: 2,
    flagged_by_score: 1,
    proved: 5,
    unproved: 1,
    disproved: 1,
  });
  const today = new Date().toISOString().slice(0, 10);
  expect(days).toHaveLength(7);
  expect(days.map(({ date }) => date).toSorted()).toEqual(days.map(({ date }) => date));
  expect(days.at(-1)).toEqual({ date: today, ...totals });
  expect(days[0]?.received).toBe(0);
  expect(counted_since).toBe(today);
});

test('recipients on a free plan are not counted, and users see only their own numbers', async () => {
  const bob = await registerTestUser(app);
  await setPlan(ann, 'pro');
  await send('zoe@good.example', 'To both', [ann, bob]);
  await setPlan(bob, 'plus');
  expect((await statsOf(ann)).totals.received).toBe(1);
  expect(await statsOf(bob)).toMatchObject({ totals: { received: 0 }, counted_since: null });
});

test('days are in UTC, and each period covers the requested number of days', async () => {
  await setPlan(ann, 'plus');
  const userId = await userIdOf(app.db, ann);
  const now = Date.now();
  const before = (days: number) => new Date(now - days * 86_400_000);
  await app.db.transaction().execute(trx =>
    countArrivals(
      trx,
      [0, 6, 6, 7, 29, 30, 89].map(days => ({
        userId,
        receivedAt: before(days),
        flaggedBy: null,
        dmarc: 'temperror',
      })),
    ),
  );
  expect((await statsOf(ann, 7)).totals).toMatchObject({ received: 3, unproved: 3 });
  expect((await statsOf(ann, 30)).totals.received).toBe(5);
  expect((await statsOf(ann, 90)).totals.received).toBe(7);
  expect((await statsOf(ann, 90)).counted_since).toBe(before(89).toISOString().slice(0, 10));
  for (const days of [0, 6, 91]) expect(await codeOf(statsOf(ann, days))).toBe('400 malformed');
});

test('concurrent messages to one recipient add up', async () => {
  await setPlan(ann, 'plus');
  const clients = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const client = await connectSmtp(app.app.smtpPort ?? 0);
      await client.reply();
      await client.command('EHLO out.example');
      return client;
    }),
  );
  await Promise.all(
    clients.map(async (client, place) => {
      for (let index = 0; index < 5; index++)
        await deliver(client, {
          from: 'zoe@good.example',
          to: [ann.email],
          raw: Buffer.from(
            `From: zoe@good.example\r\nMessage-ID: <many-${place}-${index}@x.example>\r\n\r\nx\r\n`,
          ),
        });
      client.destroy();
    }),
  );
  expect((await statsOf(ann)).totals.received).toBe(20);
});
