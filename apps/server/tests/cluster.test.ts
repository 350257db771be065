// Three nodes with all roles, each in its own network namespace, over one PostgreSQL and one S3
// service and behind a load balancer without sticky sessions. The nodes are killed with -9 in turn
// under load. Afterwards every acknowledged message exists once, and every message reported as sent
// has arrived once. KEYFOLD_NODES_ROUNDS and KEYFOLD_CRASH_SEED set the number of rounds and the
// seed; `npm run test:nodes` runs more rounds.
import { type Cluster, createCluster } from '@keyfold/testing/cluster/cluster';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLedger } from './crash/ledger.ts';
import { createMailboxes } from './crash/mailboxes.ts';
import { type Outside, startOutside } from './crash/outside.ts';
import { createSeededRandom } from './crash/seeded-random.ts';
import { makeSends, post, runSends, type Send } from './crash/send-load.ts';
import { type Delivery, makeDeliveries, runDeliveries } from './crash/smtp-load.ts';
import { checkCounters, hastenHeld, onDatabase, raisePlans } from './crash/storage.ts';
import { createTestClient } from './harness/client.ts';
import { registerTestUser, type TestUser } from './harness/users.ts';

const NODES = 3;
const ROUNDS = Number(process.env.KEYFOLD_NODES_ROUNDS ?? NODES);
const SEED = Number(process.env.KEYFOLD_CRASH_SEED ?? Date.now() % 1_000_000_000);
const ROUND_MAX_MS = 30_000;
const USERS = 4;
const CONNECTIONS = 3;
const TABS = 2;
const DELIVERIES_PER_ROUND = 14;
const SENDS_PER_ROUND = 8;
const KILL_WITHIN_MS = 400;
const ASKED_AGAIN = 3;
const RESTART_MAX_MS = 10_000;
const PATIENCE = { timeout: 60_000, interval: 200 };

let cluster: Cluster;
let outside: Outside;
const users: TestUser[] = [];
const ledger = createLedger();
const random = createSeededRandom(SEED);

const say = (text: string): boolean => process.stdout.write(`nodes test: ${text}\n`);
const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));

beforeAll(async () => {
  outside = await startOutside();
  cluster = await createCluster(
    { KEYFOLD_CAPTCHA_COST: '0', KEYFOLD_LOG: 'warn', SMTP_RELAY: outside.relayUrl },
    { nodes: NODES, killEveryMs: null },
  );
  await cluster.start();
  say(`seed ${SEED}, ${ROUNDS} kills, nodes in ${cluster.kind}`);
  const place = {
    config: { domains: ['keyfold.test'] },
    client: () => createTestClient(cluster.baseUrl),
  };
  for (let index = 0; index < USERS; index++) users.push(await registerTestUser(place));
  await raisePlans(cluster.dataDir);
}, 120_000);
afterAll(async () => {
  await cluster?.remove();
  await outside?.close();
}, 60_000);

/**
 * Counts the sends that are queued or held. Claims of a killed node are released, as happens after
 * two minutes.
 */
const countLeft = (): Promise<number | undefined> =>
  onDatabase(cluster.dataDir, async db => {
    await sql`update outbound_recipients set leased_until = null, next_attempt_at = now()
      where leased_until < now() + interval '110 seconds' or leased_until is null`.execute(db);
    const { rows } = await sql<{ left: number }>`
      select ((select count(*) from outbound_recipients) + (select count(*) from held_recipients)
        + (select count(*) from held_copies))::int as left`.execute(db);
    return rows[0]?.left;
  });

test(
  'nodes killed in turn lose and duplicate nothing, and other nodes finish their work',
  async () => {
    const mailboxes = createMailboxes(users, ledger);
    const deliveries: Delivery[] = [];
    const sends: Send[] = [];
    const load = () =>
      Promise.all([
        ...Array.from({ length: TABS }, () => runSends(sends, ledger, () => false)),
        ...Array.from({ length: CONNECTIONS }, async () => {
          // A connection ends with its node; the sender opens another one.
          while (deliveries.length > 0)
            await runDeliveries(cluster.smtpPort, deliveries, ledger, () => false);
          return [];
        }),
      ]).then(results => results.flat());
    for (let round = 0; round < ROUNDS; round++) {
      deliveries.push(...makeDeliveries(random, ledger, users, DELIVERIES_PER_ROUND));
      sends.push(...(await makeSends(random, ledger, users, SENDS_PER_ROUND)));
      const running = load();
      await pause(random.int(0, KILL_WITHIN_MS));
      outside.onKill();
      await Promise.all([cluster.restart(round % NODES), running]);
      // Requests answered before the kill get the same answer from any node.
      for (const send of random.sample(await running, ASKED_AGAIN))
        expect(await post(send)).toEqual(send.answer);
    }
    await expect.poll(() => hastenHeld(cluster.dataDir), PATIENCE).toBe(0);
    await expect.poll(countLeft, PATIENCE).toBe(0);
    await mailboxes.check(true);
    await checkCounters(cluster.dataDir);
    expect(outside.findBroken(ledger, true)).toEqual([]);
    expect(await cluster.recount()).toEqual([]);
    const slowestMs = Math.max(...cluster.restartsMs());
    say(
      `${[...ledger.tally].map(([name, total]) => `${total} ${name}`).join(', ')}; ${cluster.balancer.passedOn()} passed on, ${cluster.balancer.broken()} broken; requests ${cluster.balancer.taken().join(', ')}; slowest restart ${Math.round(slowestMs)} ms`,
    );
    // Only the long run has the machine to itself; in a normal run other tests share it.
    if (ROUNDS > NODES) expect(slowestMs).toBeLessThan(RESTART_MAX_MS);
    expect(Math.min(...cluster.balancer.taken())).toBeGreaterThan(0);
    expect(ledger.tally.get('deliveries acknowledged')).toBeGreaterThan(ROUNDS);
  },
  120_000 + ROUNDS * ROUND_MAX_MS,
);
