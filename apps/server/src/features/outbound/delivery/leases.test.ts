// Which of several machines on one database owns a delivery: with clocks that differ, and with a
// machine that was stopped for longer than its lease.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { startTestApp, type TestApp } from '../../../../tests/harness/app.ts';
import { createTestClock } from '../../../../tests/harness/clock.ts';
import { startTestDns, type TestDns } from '../../../../tests/harness/dns.ts';
import { type MailPeer, startMailPeer } from '../../../../tests/harness/mail-peers.ts';
import { registerTestUser } from '../../../../tests/harness/users.ts';
import { createDns } from '../../../adapters/dns.ts';
import { createDeps, type Overrides } from '../../../app.ts';
import { markMoment } from '../../../base/elapsed.ts';
import { createDb, createPool } from '../../../db/pool.ts';
import { startDelivery } from '../../../smtp/outbound/start.ts';
import { createIngest } from '../../inbound/ingest/index.ts';
import { holdLease } from './lease.ts';
import { enqueueOutbound } from './service.ts';
import { deleteDelivered } from './store.ts';
import type { WorkerOptions } from './worker.ts';

const MINUTE_MS = 60_000;
const LEASE_MS = 2 * MINUTE_MS;

let app: TestApp;
let dns: TestDns;
let userId: string;
let sender: string;
let peer: MailPeer;
/** Releases the first connection to the peer. */
let goOn: () => void;
let closing: (() => Promise<unknown>)[];

beforeAll(async () => {
  dns = await startTestDns({
    'outside.test': { MX: [[10, 'mx.outside.test']] },
    'mx.outside.test': { A: ['127.0.0.1'] },
  });
  app = await startTestApp({ dns: createDns([dns.server]) });
  sender = (await registerTestUser(app)).email;
  userId = (await app.db.selectFrom('users').select('id').executeTakeFirstOrThrow()).id;
  return async () => {
    await app.close();
    await dns.close();
  };
});

beforeEach(async () => {
  const { promise: mayGoOn, resolve } = Promise.withResolvers<void>();
  goOn = resolve;
  let isFirst = true;
  peer = await startMailPeer(null, {
    onRcptTo: (_address, _session, callback) => {
      const waits = isFirst ? mayGoOn : Promise.resolve();
      isFirst = false;
      void waits.then(() => callback());
    },
  });
  closing = [];
});
afterEach(async () => {
  goOn();
  vi.useRealTimers();
  for (const close of closing) await close();
  await peer.close();
  await app.db.deleteFrom('outbound_recipients').execute();
  await app.db.deleteFrom('outbound_messages').execute();
});

/** Starts another machine with production dependencies, except those that the test replaces. */
async function startMachine(overrides: Overrides = {}, options: WorkerOptions = {}) {
  const config = { ...app.config, mxPort: peer.port };
  const { dns, logger } = app.deps;
  const deps = await createDeps(config, app.database.connection, { dns, logger, ...overrides });
  const ingest = createIngest(deps);
  const worker = await startDelivery(deps, ingest, { pollMs: 100, closeMs: 200, ...options });
  const close = async () => {
    await worker.close();
    await ingest.close();
    deps.clock.close?.();
    await deps.db.destroy();
  };
  closing.push(close);
  return { deps, close: () => close().finally(() => closing.splice(closing.indexOf(close), 1)) };
}

const enqueue = () =>
  app.db.transaction().execute(trx =>
    enqueueOutbound(app.deps, trx, {
      userId,
      sender,
      recipients: ['bob@outside.test'],
      message: Buffer.from(`From: ${sender}\r\nSubject: once\r\n\r\nhello\r\n`),
    }),
  );
const rows = () => app.db.selectFrom('outbound_recipients').selectAll().execute();
const emptied = () => expect.poll(rows, { interval: 20 }).toEqual([]);
const connected = (count: number) => expect.poll(() => peer.connections(), { interval: 20 }).toBe(count);

test('a worker whose clock is ten minutes ahead does not claim a message that another worker is delivering', async () => {
  await startMachine();
  await enqueue();
  await connected(1);
  const before = await rows();
  expect(before[0]?.leased_until).not.toBeNull();
  // From now on the clock is ahead: for the second machine from its start, for the first one during
  // its delivery.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10 * MINUTE_MS });
  const ahead = await startMachine();
  await sleep(500);
  await ahead.close();
  expect(peer.connections()).toBe(1);
  expect(await rows()).toEqual(before);
  goOn();
  await emptied();
  expect(peer.taken).toHaveLength(1);
});

/**
 * Starts a delivering machine whose delivery is blocked until `wake` sets how much time has passed
 * on each of its clocks.
 */
async function startSleeper(overrides: Overrides = {}) {
  const slept = { monotonicMs: 0, wallMs: 0 };
  const timers = {
    monotonicMs: () => performance.now() + slept.monotonicMs,
    wallMs: () => Date.now() + slept.wallMs,
  };
  // It polls the queue once and does nothing on a timer.
  await startMachine(overrides, { timers, pollMs: 10 * MINUTE_MS, leaseMs: LEASE_MS });
  await connected(1);
  return (how: Partial<typeof slept>) => {
    Object.assign(slept, how);
    goOn();
  };
}

test.each([
  ['that was stopped', { monotonicMs: LEASE_MS, wallMs: LEASE_MS }],
  ['whose machine was suspended, with its monotonic clock', { monotonicMs: 0, wallMs: LEASE_MS }],
])(
  'a worker %s for longer than its lease does not deliver a message that another worker delivered',
  async (_how, slept) => {
    await enqueue();
    const clock = createTestClock();
    const wake = await startSleeper({ clock });
    clock.advance(LEASE_MS + 1);
    await startMachine({ clock }, { leaseMs: LEASE_MS });
    await emptied();
    expect([peer.connections(), peer.taken.length]).toEqual([2, 1]);
    wake(slept);
    await expect.poll(() => peer.open(), { interval: 20 }).toBe(0);
    expect(peer.taken).toHaveLength(1);
  },
);

test('a worker that was paused delivers once the database confirms that it still holds the lease', async () => {
  await enqueue();
  const wake = await startSleeper();
  const lock = await app.db.startTransaction().execute();
  closing.unshift(async () => lock.isCommitted || lock.isRolledBack || (await lock.rollback().execute()));
  await lock.selectFrom('outbound_recipients').selectAll().forUpdate().execute();
  wake({ monotonicMs: LEASE_MS, wallMs: LEASE_MS });
  await sleep(300);
  expect([peer.open(), peer.taken.length]).toEqual([1, 0]);
  await lock.rollback().execute();
  await emptied();
  expect([peer.connections(), peer.taken.length]).toEqual([1, 1]);
});

test('a lease that cannot be renewed counts as lost halfway through its term', async () => {
  const away = createDb(
    createPool({ connectionString: 'postgres://keyfold@127.0.0.1:1/away' }, app.deps.logger),
  );
  closing.push(() => away.destroy());
  let passedMs = 0;
  const timers = { monotonicMs: () => passedMs, wallMs: () => passedMs };
  const claim = { messageId: randomUUID(), ids: [randomUUID()], lease: new Date() };
  let losses = 0;
  const held = holdLease(
    { ...app.deps, db: away },
    claim,
    { lengthMs: LEASE_MS, begunAt: markMoment(timers), timers },
    () => losses++,
  );
  passedMs = LEASE_MS / 2 - 1;
  expect(await held.isStillOurs()).toBe(true);
  passedMs += 1;
  expect([await held.isStillOurs(), losses]).toEqual([false, 1]);
  passedMs = 0;
  expect([await held.isStillOurs(), losses]).toEqual([false, 1]);
  await held.stop();
});

test('a renewal that was written but not acknowledged keeps the claim', async () => {
  await enqueue();
  const lease = new Date(Date.now() + LEASE_MS);
  await app.db.updateTable('outbound_recipients').set({ leased_until: lease }).execute();
  const [row] = await rows();
  const claim = { messageId: row?.message_id ?? '', ids: [row?.id ?? ''], lease };
  let lost = 0;
  const db = app.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (lost++ > 0) return result;
      throw new Error('The connection broke off');
    },
  });
  const losses: string[] = [];
  const timers = { monotonicMs: () => performance.now(), wallMs: () => Date.now() };
  const lengthMs = 600;
  const held = holdLease({ ...app.deps, db }, claim, { lengthMs, begunAt: markMoment(timers), timers }, () =>
    losses.push('lost'),
  );
  await expect.poll(() => lost, { interval: 5 }).toBe(1);
  expect((await rows())[0]?.leased_until).not.toEqual(lease);
  const final = await held.stop();
  expect((await rows())[0]?.leased_until).toEqual(final.lease);
  expect([await held.isStillOurs(), losses]).toEqual([false, []]);
  await deleteDelivered(app.db, final, final.ids);
  expect(await rows()).toEqual([]);
});
