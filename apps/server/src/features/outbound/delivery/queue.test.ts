import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../../tests/harness/app.ts';
import { createTestClock } from '../../../../tests/harness/clock.ts';
import { registerTestUser } from '../../../../tests/harness/users.ts';
import { readMetrics } from '../../../base/metrics.ts';
import { createIngest } from '../../inbound/ingest/index.ts';
import { claimGroup } from './claim-store.ts';
import { enqueueOutbound } from './service.ts';
import { signalDelivery } from './signal.ts';
import { bringForward } from './store.ts';
import type { Outcome, Transmission, Transport } from './transport.ts';
import { type QueueWorker, startQueueWorker } from './worker.ts';

const LEASE_MS = 60_000;
const clock = createTestClock();
let app: TestApp;
let userId: string;
let sender: string;
let workers: QueueWorker[] = [];

beforeAll(async () => {
  app = await startTestApp({ clock });
  const { email } = await registerTestUser(app);
  sender = email;
  const row = await app.db.selectFrom('users').select('id').executeTakeFirstOrThrow();
  userId = row.id;
});
afterAll(() => app.close());
beforeEach(() => async () => {
  await Promise.all(workers.map(worker => worker.close()));
  workers = [];
  await app.db.deleteFrom('outbound_recipients').execute();
  await app.db.deleteFrom('outbound_messages').execute();
});

/** Creates a transport that records its jobs and completes each one as the test specifies. */
function createRecorder(end: (job: Transmission, signal: AbortSignal) => Promise<Outcome> | Outcome) {
  const jobs: Transmission[] = [];
  const transport: Transport = {
    transmit: async (job, signal) => {
      jobs.push({ ...job, message: Buffer.from(job.message) });
      const outcome = await end(job, signal);
      return job.recipients.map(() => outcome);
    },
  };
  return { jobs, transport };
}

const delivered: Outcome = { kind: 'delivered' };

async function start(transport: Transport, options = {}) {
  const worker = await startQueueWorker(
    app.deps,
    { transport, ingest: createIngest(app.deps) },
    {
      pollMs: 60_000,
      leaseMs: LEASE_MS,
      closeMs: 200,
      ...options,
    },
  );
  workers.push(worker);
  return worker;
}

async function enqueue(recipients: readonly string[], from = sender) {
  const message = Buffer.from(`Subject: ${randomBytes(4).toString('hex')}\r\n\r\nhello\r\n`);
  await app.db
    .transaction()
    .execute(trx => enqueueOutbound(app.deps, trx, { userId, sender: from, recipients, message }));
  signalDelivery(app.deps);
}

const rows = () => app.db.selectFrom('outbound_recipients').selectAll().execute();
const messagesLeft = async () => (await app.db.selectFrom('outbound_messages').select('id').execute()).length;
const noticesOf = async () =>
  (await app.db.selectFrom('mails').select('id').where('user_id', '=', userId).execute()).length;

const emptied = () =>
  expect
    .poll(async () => [(await rows()).length, await messagesLeft()], { timeout: 15_000, interval: 20 })
    .toEqual([0, 0]);

/** Returns a promise and its resolver. */
function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>(resolve => {
    open = resolve;
  });
  return { open, opened };
}

test('several workers at once deliver each message exactly once', async () => {
  const { jobs, transport } = createRecorder(async () => {
    await new Promise(resolve => setTimeout(resolve, 5));
    return delivered;
  });
  const names = Array.from({ length: 60 }, (_, index) => `r${index}@d${index % 7}.test`);
  for (const name of names) await enqueue([name]);
  await Promise.all([start(transport), start(transport), start(transport)]);
  await emptied();
  expect(jobs.flatMap(({ recipients }) => recipients).sort()).toEqual([...names].sort());
});

test('an attempt that fails because the database is away is retried soon, other internal failures wait', async () => {
  const waitOf = async (failure: Error) => {
    const { transport } = createRecorder(() => {
      throw failure;
    });
    const before = clock.now().getTime();
    const worker = await start(transport);
    await enqueue(['ann@away.test']);
    await expect.poll(async () => (await rows())[0]?.leased_until).toBeNull();
    await expect.poll(async () => (await rows())[0]?.next_attempt_at.getTime()).toBeGreaterThan(before);
    const [row] = await rows();
    await worker.close();
    await app.db.deleteFrom('outbound_recipients').execute();
    return (row?.next_attempt_at.getTime() ?? 0) - before;
  };
  expect(await waitOf(Object.assign(new Error('gone'), { code: '57P01' }))).toBeLessThanOrEqual(2_000);
  expect(await waitOf(new Error('a row that does not open'))).toBe(300_000);
});

test('a message deferred by a clock that was ahead is retried as soon as the clock is right', async () => {
  const deferred = { kind: 'deferred', status: '4.4.1', text: 'nobody there' } as const;
  clock.advance(86_400_000);
  const ahead = await start(createRecorder(async () => deferred).transport);
  await enqueue(['ann@later.test']);
  await expect.poll(async () => (await rows())[0]?.attempts).toBe(1);
  await ahead.close();
  clock.advance(-86_400_000);
  const { jobs, transport } = createRecorder(async () => delivered);
  await start(transport);
  await emptied();
  expect(jobs.length).toBe(1);
});

test('a recipient deferred by a hold is not retried before the hold can end, and its message is not read', async () => {
  const heldUntil = new Date(clock.now().getTime() + 86_400_000);
  await app.db
    .insertInto('send_holds')
    .values({ user_id: userId, reason: 'content', held_until: heldUntil, strikes: 3, told_at: new Date() })
    .execute();
  const { jobs, transport } = createRecorder(async () => delivered);
  await enqueue(['ann@later.test']);
  // A message that cannot be opened: if it is postponed all the same, it was not read.
  await app.db
    .updateTable('outbound_messages')
    .set({ message_sealed: Buffer.alloc(64) })
    .execute();
  const first = await start(transport);
  await expect.poll(async () => (await rows())[0]?.last_status).toBe('4.7.1');
  await first.close();
  const [held] = await rows();
  expect(held?.next_attempt_at).toEqual(heldUntil);
  const { rows: before } = await sql<{ xmin: string }>`select xmin from outbound_recipients`.execute(app.db);
  // A worker checks for excessive waits when it starts.
  const second = await start(transport);
  await enqueue(['bob@later.test']);
  await expect.poll(async () => (await rows()).filter(row => row.last_status === '4.7.1').length).toBe(2);
  await second.close();
  const { rows: after } = await sql<{ xmin: string }>`
    select xmin from outbound_recipients where id = ${held?.id}`.execute(app.db);
  expect(after).toEqual(before);
  // No wait of ours exceeds the longest hold.
  await app.db.updateTable('outbound_recipients').set({ next_attempt_at: '2100-01-01' }).execute();
  await app.db.deleteFrom('send_holds').execute();
  const heldMessage = held?.message_id ?? '';
  await app.db.deleteFrom('outbound_recipients').where('message_id', '=', heldMessage).execute();
  await app.db.deleteFrom('outbound_messages').where('id', '=', heldMessage).execute();
  await start(transport);
  await emptied();
  expect(jobs.length).toBe(1);
});

test('an excessive wait after an attempt is shortened, a wait caused by a hold is not', async () => {
  const held = { last_status: '4.7.1', last_code: null };
  const waits = [
    { recipient: 'held@long.test', ...held, hours: 2, isCut: false },
    { recipient: 'beyond@long.test', ...held, hours: 4, isCut: true },
    { recipient: 'answered@long.test', ...held, last_code: 451, hours: 2, isCut: true },
    { recipient: 'untried@long.test', last_status: null, last_code: null, hours: 2, isCut: true },
    { recipient: 'soon@long.test', last_status: '4.4.1', last_code: null, hours: 1, isCut: false },
  ];
  const now = clock.now();
  const inHours = (hours: number): Date => new Date(now.getTime() + hours * 3_600_000);
  const expected = [];
  for (const { recipient, hours, isCut, ...why } of waits) {
    await enqueue([recipient]);
    await app.db
      .updateTable('outbound_recipients')
      .set({ ...why, next_attempt_at: inHours(hours), attempts: expected.length + 1 })
      .where('attempts', '=', 0)
      .execute();
    expected.push(isCut ? now : inHours(hours));
  }
  await bringForward(app.db, now, { latest: inHours(1), latestHeld: inHours(3) });
  const after = (await rows()).toSorted((one, other) => one.attempts - other.attempts);
  expect(after.map(({ next_attempt_at }) => next_attempt_at)).toEqual(expected);
});

test('a claim is released when the database returns, not when its lease ends', async () => {
  let isAway = false;
  const db = new Proxy(app.db, {
    get: (target, name) => {
      // Statements in plain SQL ask for the executor.
      if (isAway && (name === 'updateTable' || name === 'getExecutor'))
        return () => {
          throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
        };
      const value = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const { transport } = createRecorder(() => {
    isAway = true;
    throw Object.assign(new Error('terminated'), { code: '57P01' });
  });
  await enqueue(['ann@back.test']);
  const worker = await startQueueWorker(
    { ...app.deps, db },
    { transport, ingest: createIngest(app.deps) },
    {
      pollMs: 60_000,
      leaseMs: LEASE_MS,
    },
  );
  workers.push(worker);
  await expect.poll(() => isAway).toBe(true);
  await new Promise(resolve => setTimeout(resolve, 200));
  expect((await rows())[0]?.leased_until).not.toBeNull();
  isAway = false;
  await expect.poll(async () => (await rows())[0]?.leased_until, { timeout: 5_000 }).toBeNull();
});

test('recipients of a message are grouped by domain, at most 100 per transaction', async () => {
  const { jobs, transport } = createRecorder(() => delivered);
  const many = Array.from({ length: 130 }, (_, index) => `r${index}@many.test`);
  await enqueue([...many, 'x@other.test', 'y@other.test']);
  await start(transport);
  await emptied();
  expect(jobs.map(({ domain, recipients }) => [domain, recipients.length]).sort()).toEqual([
    ['many.test', 100],
    ['many.test', 30],
    ['other.test', 2],
  ]);
});

test('a slow destination uses a few connections and does not delay other domains', async () => {
  const { open, opened } = gate();
  let slowRunning = 0;
  let slowMost = 0;
  const { jobs, transport } = createRecorder(async ({ domain }) => {
    if (domain !== 'slow.test') return delivered;
    slowMost = Math.max(slowMost, ++slowRunning);
    await opened;
    slowRunning--;
    return delivered;
  });
  for (let index = 0; index < 10; index++) await enqueue([`r${index}@slow.test`]);
  await enqueue(['quick@fast.test']);
  await start(transport, { maxPerDomain: 3 });
  await expect.poll(() => jobs.some(({ domain }) => domain === 'fast.test')).toBe(true);
  await expect.poll(() => slowMost).toBe(3);
  open();
  await emptied();
  expect(slowMost).toBe(3);
});

test('the connection limit per domain applies to all workers together', async () => {
  const { open, opened } = gate();
  let running = 0;
  let most = 0;
  const { jobs, transport } = createRecorder(async ({ domain }) => {
    if (domain !== 'shared.test') return delivered;
    most = Math.max(most, ++running);
    await opened;
    running--;
    return delivered;
  });
  const slow = Array.from({ length: 12 }, (_, index) => `r${index}@shared.test`);
  for (const name of slow) await enqueue([name]);
  await enqueue(['quick@other.test']);
  // All of them poll the queue at the same moment.
  const options = { maxPerDomain: 3, pollMs: 50 };
  await Promise.all([start(transport, options), start(transport, options), start(transport, options)]);
  await expect.poll(() => jobs.some(({ domain }) => domain === 'other.test')).toBe(true);
  await expect.poll(() => most).toBe(3);
  await new Promise(resolve => setTimeout(resolve, 200));
  expect(most).toBe(3);
  open();
  await emptied();
  expect(most).toBe(3);
  expect(
    jobs
      .flatMap(({ recipients }) => recipients)
      .filter(name => name.endsWith('@shared.test'))
      .sort(),
  ).toEqual(slow.toSorted());
});

describe('a claim', () => {
  const claimAll = (now: Date) =>
    claimGroup(app.db, {
      now,
      leasedUntil: new Date(now.getTime() + LEASE_MS),
      maxRecipients: 100,
      busyDomains: [],
      maxPerDomain: 4,
      aliveUntil: new Date(now.getTime() + LEASE_MS / 2),
      running: [],
    });

  test('that its worker abandoned is taken over when the lease has ended, not before', async () => {
    await enqueue(['r@crash.test']);
    expect(await claimAll(clock.now())).toHaveLength(1);
    const { jobs, transport } = createRecorder(() => delivered);
    await start(transport);
    signalDelivery(app.deps);
    await new Promise(resolve => setTimeout(resolve, 100));
    expect(jobs).toHaveLength(0);
    clock.advance(LEASE_MS + 1);
    signalDelivery(app.deps);
    await emptied();
    expect(jobs).toHaveLength(1);
  });

  test('that is no longer renewed frees its slot at the domain before it can be taken over', async () => {
    for (let index = 0; index < 5; index++) await enqueue([`r${index}@dead.test`]);
    const now = clock.now();
    for (let index = 0; index < 4; index++) expect(await claimAll(now)).toHaveLength(1);
    expect(await claimAll(now)).toEqual([]);
    expect(await claimAll(new Date(now.getTime() + LEASE_MS / 2 - 1))).toEqual([]);
    expect(await claimAll(new Date(now.getTime() + LEASE_MS / 2))).toHaveLength(1);
  });

  test('that another worker took over is not settled by its first worker', async () => {
    const { open, opened } = gate();
    const { jobs, transport } = createRecorder(async () => {
      await opened;
      return { kind: 'failed', status: '5.0.0', text: 'no' };
    });
    const before = await noticesOf();
    await enqueue(['r@taken.test']);
    await start(transport);
    await expect.poll(() => jobs.length).toBe(1);
    const taken = new Date(clock.now().getTime() + 2 * LEASE_MS);
    await app.db.updateTable('outbound_recipients').set({ leased_until: taken }).execute();
    open();
    await new Promise(resolve => setTimeout(resolve, 150));
    expect(await rows()).toMatchObject([{ leased_until: taken, attempts: 0 }]);
    expect(await noticesOf()).toBe(before);
  });

  test('is not made twice by a worker whose clock jumps ahead', async () => {
    const { open, opened } = gate();
    const { jobs, transport } = createRecorder(async () => {
      await opened;
      return delivered;
    });
    await enqueue(['r@jump.test']);
    await start(transport);
    await expect.poll(() => jobs.length).toBe(1);
    clock.advance(3_600_000);
    signalDelivery(app.deps);
    await new Promise(resolve => setTimeout(resolve, 100));
    expect(jobs).toHaveLength(1);
    open();
    await emptied();
  });
});

test('closing waits for deliveries that are nearly done and releases the others', async () => {
  const quick = gate();
  const { jobs, transport } = createRecorder(async ({ domain }, signal) => {
    if (domain === 'quick.test') await quick.opened;
    else
      await new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
      );
    return delivered;
  });
  await enqueue(['r@quick.test']);
  await enqueue(['r@stuck.test']);
  const worker = await start(transport);
  await expect.poll(() => jobs.length).toBe(2);
  const closing = worker.close();
  quick.open();
  await closing;
  expect(await rows()).toMatchObject([{ leased_until: null, attempts: 0 }]);
});

test('a result is written although the database connections break at that moment', async () => {
  const { jobs, transport } = createRecorder(async () => {
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(app.db);
    return delivered;
  });
  await enqueue(['r@broken.test']);
  await start(transport);
  await emptied();
  expect(jobs).toHaveLength(1);
});

test('a worker that knows it is alone takes over the claims of a dead worker at once', async () => {
  const { transport } = createRecorder(
    (_job, signal) => new Promise((_, reject) => signal.addEventListener('abort', reject)),
  );
  await enqueue(['r@killed.test']);
  await start(transport);
  await expect.poll(async () => (await rows())[0]?.leased_until).not.toBeNull();
  const { jobs, transport: next } = createRecorder(() => delivered);
  await start(next, { isAlone: true });
  await emptied();
  expect(jobs).toHaveLength(1);
});

test('recipients with different outcomes are settled separately, and the message stays for the deferred one', async () => {
  const outcomes: Outcome[] = [delivered, { kind: 'deferred', status: '4.0.0', text: 'later' }, delivered];
  const transport: Transport = {
    transmit: async job => job.recipients.map((_, index) => outcomes[index] ?? delivered),
  };
  await enqueue(['a@mixed.test', 'b@mixed.test', 'c@mixed.test']);
  await start(transport);
  await expect.poll(rows).toMatchObject([{ attempts: 1, leased_until: null }]);
  expect(await messagesLeft()).toBe(1);
});

test('a message without a sender never causes a bounce notice', async () => {
  const { transport } = createRecorder(() => ({ kind: 'failed', status: '5.1.1', text: 'no' }));
  const before = await noticesOf();
  await enqueue(['r@null.test'], '');
  await start(transport);
  await emptied();
  expect(await noticesOf()).toBe(before);
});

test('a row that does not open is deferred and does not delay others', async () => {
  const { jobs, transport } = createRecorder(() => delivered);
  await enqueue(['r@damaged.test']);
  await app.db
    .updateTable('outbound_messages')
    .set({ message_sealed: randomBytes(100) })
    .execute();
  await enqueue(['r@sound.test']);
  await start(transport);
  await expect.poll(() => jobs.length).toBe(1);
  await expect.poll(rows).toMatchObject([{ leased_until: null, attempts: 0 }]);
  const [row] = await rows();
  expect(new Date(row?.next_attempt_at ?? 0).getTime()).toBeGreaterThan(clock.now().getTime());
});

test('metrics report the length and age of the queue', async () => {
  const { transport } = createRecorder(() => ({ kind: 'deferred', status: '4.0.0', text: 'later' }));
  await start(transport);
  await enqueue(['a@measured.test', 'b@measured.test']);
  await expect.poll(async () => (await rows()).map(({ attempts }) => attempts)).toEqual([1, 1]);
  clock.advance(30_000);
  const { text } = await readMetrics();
  expect(text).toMatch(/^keyfold_outbound_queue_recipients 2$/m);
  expect(text).toMatch(/^keyfold_outbound_queue_oldest_seconds 30$/m);
  expect(text).toMatch(/^keyfold_outbound_attempts_total\{outcome="deferred"\} \d+$/m);
});
