// The whole product as a separate process with its own durable database, killed at random moments
// while other mail servers deliver to it and its users send. Everything it acknowledged is present
// exactly once, and nothing else is (SECURITY.md, P1, P2, P8). KEYFOLD_CRASH_ROUNDS and
// KEYFOLD_CRASH_SEED set the number of rounds and the seed. If rounds are requested, the mail is as
// varied as the goal demands: up to 25 MB, for one to twenty of 24 users. `npm run test:faults`
// runs 200 rounds.
import { createProduct, type Product } from '@keyfold/testing/product';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { count, createLedger } from './crash/ledger.ts';
import { createMailboxes, type Mailboxes } from './crash/mailboxes.ts';
import { type Outside, startOutside } from './crash/outside.ts';
import { createSeededRandom } from './crash/seeded-random.ts';
import { makeSends, post, runSends, type Send } from './crash/send-load.ts';
import { type Delivery, makeDeliveries, ORDINARY, runDeliveries, WIDE } from './crash/smtp-load.ts';
import {
  checkContainers,
  checkCounters,
  endOldClaims,
  hastenHeld,
  hastenQueue,
  raisePlans,
} from './crash/storage.ts';
import { createTestClient } from './harness/client.ts';
import { registerTestUser, type TestUser } from './harness/users.ts';

const IS_LONG = process.env.KEYFOLD_CRASH_ROUNDS !== undefined;
const ROUNDS = Number(process.env.KEYFOLD_CRASH_ROUNDS ?? 8);
const SEED = Number(process.env.KEYFOLD_CRASH_SEED ?? Date.now() % 1_000_000_000);
const ROUND_MAX_MS = 30_000;
const CHECK_EVERY_ROUNDS = 20;
const USERS = IS_LONG ? 24 : 6;
const BREADTH = IS_LONG ? WIDE : ORDINARY;
const CONNECTIONS = 4;
const TABS = 3;
const DELIVERIES_PER_ROUND = 16;
const SENDS_PER_ROUND = 12;
const KILL_WITHIN_MS = 600;
const FIRST_ANSWER_MS = 5_000;
const POLL_MS = 5;
const RESTART_MAX_MS = 10_000;
const SLOW_MS = 4_000;
const ASKED_AGAIN = 3;

let product: Product;
let outside: Outside;
let mailboxes: Mailboxes;
const users: TestUser[] = [];
const ledger = createLedger();
const random = createSeededRandom(SEED);
const deliveries: Delivery[] = [];
const sends: Send[] = [];
const restarts: { readonly kind: string; readonly ms: number }[] = [];

const say = (text: string): boolean => process.stdout.write(`crash test: ${text}\n`);
const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));

beforeAll(async () => {
  say(`seed ${SEED}, ${ROUNDS} rounds`);
  outside = await startOutside();
  product = await createProduct({
    KEYFOLD_CAPTCHA_COST: '0',
    KEYFOLD_WELCOME: 'off',
    // Every message goes to recipients who were never written to before.
    KEYFOLD_SEND_WATCH: 'false',
    KEYFOLD_LOG: 'warn',
    SMTP_RELAY: outside.relayUrl,
  });
  await product.start();
  const place = {
    config: { domains: ['keyfold.test'] },
    client: () => createTestClient(product.baseUrl),
  };
  for (let index = 0; index < USERS; index++) users.push(await registerTestUser(place));
  await raisePlans(product.dataDir);
  mailboxes = createMailboxes(users, ledger);
}, 120_000);
afterAll(async () => {
  await product.remove();
  await outside.close();
});

type Load = {
  readonly done: Promise<Send[]>;
  readonly end: () => void;
  /** Resolves when something was acknowledged, or when nothing was for long enough. */
  readonly firstAnswer: () => Promise<void>;
};

const countAnswers = (): number =>
  (ledger.tally.get('deliveries acknowledged') ?? 0) + (ledger.tally.get('sends acknowledged') ?? 0);

/** Starts all clients on the queues. */
function startLoad(): Load {
  let isOver = false;
  const before = countAnswers();
  const servers = Array.from({ length: CONNECTIONS }, () =>
    runDeliveries(product.smtpPort, deliveries, ledger, () => isOver),
  );
  const tabs = Array.from({ length: TABS }, () => runSends(sends, ledger, () => isOver));
  const done = Promise.all([...servers, ...tabs]).then(results => results.flatMap(result => result ?? []));
  // Awaited after the kill; until then a rejection must not count as unhandled.
  done.catch(() => undefined);
  return {
    done,
    end: () => {
      isOver = true;
    },
    firstAnswer: async () => {
      const giveUpAt = performance.now() + FIRST_ANSWER_MS;
      while (countAnswers() === before && performance.now() < giveUpAt) await pause(POLL_MS);
    },
  };
}

/** Records the duration of a recovery; for a long one, the product's output shows the cause. */
async function timed(kind: string, work: () => Promise<void>): Promise<void> {
  const startedAt = performance.now();
  const printedBefore = product.output().length;
  await work();
  const ms = performance.now() - startedAt;
  restarts.push({ kind, ms });
  if (ms > SLOW_MS)
    say(`${Math.round(ms)} ms after a kill of ${kind}: ${product.output().slice(printedBefore)}`);
}

/** Kills the server, all its processes or only its database once, and waits for the recovery. */
async function crash(load: Load): Promise<Send[]> {
  const kind = random.pick(['server', 'server', 'server', 'all', 'all', 'database']);
  // Half of the kills hit a server that is warming up, half one that is storing mail.
  const before = countAnswers();
  if (random.chance(0.5)) await load.firstAnswer();
  await pause(random.int(0, KILL_WITHIN_MS));
  count(ledger.tally, `kills of ${kind}`);
  count(ledger.tally, 'acknowledged shortly before a kill', countAnswers() - before);
  if (kind === 'database') {
    await timed(kind, product.killDatabase);
    return load.done;
  }
  const killingMs = Date.now();
  await (kind === 'all' ? product.killAll() : product.kill());
  outside.onKill(killingMs);
  const killedAtMs = Date.now();
  load.end();
  const answered = await load.done;
  await timed(kind, product.start);
  await endOldClaims(product.dataDir, killedAtMs);
  return answered;
}

async function check(isFinal: boolean): Promise<void> {
  // Held messages are not lost; they are checked once they are released.
  await expect.poll(() => hastenHeld(product.dataDir), { timeout: ROUND_MAX_MS, interval: 200 }).toBe(0);
  await mailboxes.check(isFinal);
  await checkCounters(product.dataDir);
  expect(outside.findBroken(ledger, isFinal)).toEqual([]);
}

/** Repeats all pending requests until they are answered and the queue is empty. */
async function settle(): Promise<void> {
  while (deliveries.length + sends.length > 0) await startLoad().done;
  await expect.poll(() => hastenQueue(product.dataDir), { timeout: ROUND_MAX_MS, interval: 500 }).toBe(0);
}

function report(): void {
  const sorted = restarts.toSorted((a, b) => a.ms - b.ms);
  const at = (share: number) => Math.round(sorted[Math.floor((sorted.length - 1) * share)]?.ms ?? 0);
  const fates = [...ledger.entries.values()].map(({ fate }) => fate);
  say(
    `${[...ledger.tally].map(([name, total]) => `${total} ${name}`).join(', ')}; of ${fates.length} messages ${fates.filter(fate => fate === 'acknowledged').length} acknowledged; restarts p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, max ${at(1)} ms`,
  );
}

test(
  'acknowledged data is stored exactly once after kill -9 at any moment',
  async () => {
    for (let round = 1; round <= ROUNDS; round++) {
      deliveries.push(
        ...makeDeliveries(
          random,
          ledger,
          users,
          Math.max(2, DELIVERIES_PER_ROUND - deliveries.length),
          BREADTH,
        ),
      );
      sends.push(...(await makeSends(random, ledger, users, Math.max(2, SENDS_PER_ROUND - sends.length))));
      const answered = await crash(startLoad());
      // Requests answered before the crash get the same answer after it.
      for (const send of random.sample(answered, ASKED_AGAIN)) expect(await post(send)).toEqual(send.answer);
      if (round % CHECK_EVERY_ROUNDS !== 0) continue;
      await check(false);
      say(`${round} rounds`);
      report();
    }
    await check(false);
    await settle();
    const { kept, collected } = await checkContainers(product.dataDir);
    await check(true);
    say(`${kept} containers in use, ${collected} left by crashes and collected`);
    report();
    // A goal of the long run. On a busy machine, a few rounds are not meaningful.
    if (IS_LONG) expect(restarts.filter(({ ms }) => ms >= RESTART_MAX_MS)).toEqual([]);
    expect(product.output()).not.toContain('"msg":"uncaught"');
  },
  ROUNDS * ROUND_MAX_MS + 120_000,
);
