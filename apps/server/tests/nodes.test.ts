// One service on six nodes: two for HTTP, two for SMTP and two workers, each a process with its own
// data directory, over one database and one bucket. There are no sticky sessions, and one node of
// each pair may be killed.
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLogger } from '../src/base/logger.ts';
import { createDb, createPool, type Db } from '../src/db/pool.ts';
import { createLedger } from './crash/ledger.ts';
import { createMailboxes } from './crash/mailboxes.ts';
import { type Outside, startOutside } from './crash/outside.ts';
import { createSeededRandom } from './crash/seeded-random.ts';
import { makeSends, runSends } from './crash/send-load.ts';
import { makeDeliveries, runDeliveries } from './crash/smtp-load.ts';
import { createTestClient, type TestClient } from './harness/client.ts';
import { codeOf } from './harness/codes.ts';
import { createEmptyDatabase, type EmptyDatabase } from './harness/database.ts';
import { readCounters } from './harness/mailbox.ts';
import { createNodes, type Nodes } from './harness/nodes.ts';
import { type S3Server, startS3Server } from './harness/s3.ts';
import { registerTestUser, type TestUser } from './harness/users.ts';

const PATIENCE = { timeout: 60_000, interval: 50 };
/** Interval at which a sender checks for new mail to send. */
const PAUSE_MS = 10;
const SEED = 20_261_124;

let database: EmptyDatabase;
let db: Db;
let s3: S3Server;
let outside: Outside;
let nodes: Nodes;

beforeAll(async () => {
  database = await createEmptyDatabase();
  s3 = await startS3Server();
  outside = await startOutside();
  nodes = createNodes({
    databaseUrl: database.url,
    s3: s3.options,
    env: { SMTP_RELAY: outside.relayUrl },
  });
  db = createDb(createPool({ connectionString: database.url }, createLogger('silent'), 2));
});
afterAll(async () => {
  await nodes.close();
  await db.destroy();
  await outside.close();
  await s3.close();
  await database.drop();
});

/** Collects the names of the events that a client receives. */
async function listen(client: TestClient): Promise<string[]> {
  const response = await client.fetch('/user/events');
  const heard: string[] = [];
  const read = async () => {
    for await (const chunk of response.body ?? [])
      heard.push(
        ...[
          ...Buffer.from(chunk)
            .toString()
            .matchAll(/^event: (\w+)/gm),
        ].map(([, name = '']) => name),
      );
  };
  // Killing the node ends the stream.
  read().catch(() => undefined);
  return heard;
}

test('any node can serve requests, events and limits are shared, and a killed node loses nothing', async () => {
  const first = await nodes.start('http');
  const [second, door, otherDoor, worker] = await Promise.all(
    ['http', 'smtp', 'smtp', 'worker', 'worker'].map(nodes.start),
  );
  if (second === undefined || door === undefined || otherDoor === undefined || worker === undefined)
    throw new Error('A node is missing');
  const users: TestUser[] = [];
  for (let index = 0; index < 3; index++) {
    const user = await registerTestUser({
      config: { domains: ['keyfold.test'] },
      client: () => createTestClient(first.httpUrl),
    });
    // The same browser, routed to another node by the load balancer.
    users.push({ ...user, client: createTestClient(second.httpUrl, { jar: user.client.jar }) });
  }
  const [ann] = users;
  if (ann === undefined) throw new Error('Nobody is there');

  const wrong = (url: string) =>
    codeOf(
      createTestClient(url).sign_in.login({
        email: 'nobody@keyfold.test',
        password: 'ab'.repeat(32),
        keep_signed_in: false,
      }),
    );
  for (let tries = 0; tries < 5; tries++)
    for (const url of [first.httpUrl, second.httpUrl]) expect(await wrong(url)).toBe('401 login_refused');
  expect([await wrong(first.httpUrl), await wrong(second.httpUrl)]).toEqual([
    '429 rate_limited',
    '429 rate_limited',
  ]);

  const heard = [
    await listen(ann.client),
    await listen(createTestClient(first.httpUrl, { jar: ann.client.jar })),
  ];
  const ledger = createLedger();
  const random = createSeededRandom(SEED);
  const mailboxes = createMailboxes(users, ledger);
  const deliveries = makeDeliveries(random, ledger, users, 16);
  const sends = await makeSends(random, ledger, users, 14);
  expect(sends.some(send => send.outside.length > 0)).toBe(true);
  let isKilled = false;
  const deliver = async (port: number): Promise<void> => {
    do {
      await runDeliveries(port, deliveries, ledger, () => false);
      await sleep(PAUSE_MS);
    } while (!isKilled);
  };
  const load = Promise.all([
    ...[door, otherDoor].map(({ smtpPort }) => deliver(smtpPort)),
    ...[1, 2].map(() => runSends(sends, ledger, () => false)),
  ]);
  // A failure is reported at the end.
  load.catch(() => undefined);
  try {
    await expect.poll(() => heard.every(events => events.includes('mail')), PATIENCE).toBe(true);
    const acknowledged = () => ledger.tally.get('deliveries acknowledged') ?? 0;
    const before = acknowledged();
    deliveries.push(...makeDeliveries(random, ledger, users, 12));
    await expect.poll(acknowledged, { timeout: PATIENCE.timeout, interval: 1 }).toBeGreaterThan(before);
    outside.onKill();
    await Promise.all([first.kill(), door.kill(), worker.kill()]);
    expect(deliveries.length).toBeGreaterThan(0);
  } finally {
    isKilled = true;
  }
  await load;
  // Senders retry unacknowledged mail of the killed node at the other one, as a domain's MX records
  // specify.
  while (deliveries.length > 0) await runDeliveries(otherDoor.smtpPort, deliveries, ledger, () => false);

  await expect
    .poll(async () => {
      // Claims of the killed worker, two minutes later.
      await sql`update outbound_recipients set leased_until = null where leased_until < now() + interval '110 seconds'`.execute(
        db,
      );
      const { rows } = await sql<{ left: number }>`
        select ((select count(*) from outbound_recipients) + (select count(*) from held_recipients)
          + (select count(*) from held_copies))::int as left`.execute(db);
      return rows[0]?.left;
    }, PATIENCE)
    .toBe(0);
  await mailboxes.check(true);
  expect(outside.findBroken(ledger, true)).toEqual([]);
  const { kept, recounted } = await readCounters(db);
  expect(kept).toEqual(recounted);
  expect(ledger.tally.get('deliveries acknowledged')).toBeGreaterThan(10);
}, 180_000);
