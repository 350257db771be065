// Failing dependencies while mail continues: an object store that is gone, slow, full or drops
// connections, a clock that jumps, and unavailable DNS. Requests are refused with 503, 507, 451 or
// 452, nothing is half done, reads continue where possible, and recovery is automatic
// (docs/reliability.md#goals). faults-disk.test.ts tests full disks. KEYFOLD_FAULT_ROUNDS makes it
// long; `npm run test:faults` sets it.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createS3Blobs } from '../src/adapters/blob-s3.ts';
import type { Clock } from '../src/adapters/clock.ts';
import { createDns } from '../src/adapters/dns.ts';
import { createS3Fetch } from '../src/adapters/s3-fetch.ts';
import { ORPHAN_BLOB_KEPT_MS } from '../src/base/limits.ts';
import type { Logger } from '../src/base/logger.ts';
import { changeFlags, storeMails } from '../src/features/mailbox/messages/index.ts';
import { collectOrphanContainers } from '../src/features/mailbox/messages/jobs.ts';
import { createJumpGuardedClock } from '../src/jobs/jump-guarded-clock.ts';
import { JOBS } from '../src/jobs/schedule.ts';
import { createSeededRandom } from './crash/seeded-random.ts';
import { type Cluster, startCluster } from './faults/cluster.ts';
import { createFaultLoad, type FaultLoad } from './faults/load.ts';
import { bring, sealFile, upload } from './faults/offerings.ts';
import { askHttp } from './faults/probes.ts';
import { type FaultyService, startService } from './faults/service.ts';
import { startTestApp, type TestApp } from './harness/app.ts';
import { createTestClock } from './harness/clock.ts';
import { codeOf } from './harness/codes.ts';
import { useDeliveryTest } from './harness/delivery.ts';
import { startTestDns } from './harness/dns.ts';
import { addReader, readMails, startInboundTest } from './harness/inbound.ts';
import { makeNewMail } from './harness/mailbox.ts';
import { type S3Fault, type S3Server, startS3Server } from './harness/s3.ts';
import { codeAt, turnTotpOn } from './harness/second-factor.ts';
import { registerTestUser, type TestUser, userIdOf } from './harness/users.ts';

const ROUNDS = Number(process.env.KEYFOLD_FAULT_ROUNDS ?? 0);
const IS_LONG = ROUNDS > 0;
const SEED = Number(process.env.KEYFOLD_CRASH_SEED ?? Date.now() % 1_000_000_000);
const AMOUNT = IS_LONG ? 30 : 3;
const LIMIT_MS = IS_LONG ? 900_000 : 120_000;

const say = (text: string): boolean => process.stdout.write(`storage faults: ${text}\n`);

/** Timeouts for tests: tenths of a second where production uses seconds. */
const TIMES = { answerMs: 400, transferMs: 400, pausesMs: [20, 60], restMs: 300 };
const SILENCE_MS = 300;

describe('an object store', () => {
  let cluster: Cluster;
  let s3: S3Server;
  let service: FaultyService;
  let load: FaultLoad;
  beforeAll(async () => {
    sealedFile = await sealFile(100_000);
    cluster = await startCluster();
    s3 = await startS3Server();
    const blobs = createS3Blobs(s3.options, createS3Fetch(TIMES), SILENCE_MS);
    service = await startService({ DATABASE_URL: cluster.url }, cluster.dataDir, { blobs });
    load = createFaultLoad({
      dataDir: () => cluster.dataDir,
      smtpPort: service.smtpPort,
      // The first user is reserved for requests outside the load.
      users: service.users.slice(1),
      outside: service.outside,
      random: createSeededRandom(SEED),
    });
  }, 60_000);
  afterAll(async () => {
    await service.close();
    await s3.close();
    await cluster.destroy();
  });

  let sealedFile: Uint8Array;

  test.each(['gone', 'failing', 'busy', 'mute', 'half'] satisfies S3Fault[])(
    'that is %s causes temporary refusals only for requests that need it',
    async fault => {
      const [user] = service.users;
      const kept = await upload(user, sealedFile);
      expect(kept.status).toBe(200);
      for (let round = 0; round < Math.max(1, ROUNDS); round++) {
        await load.during(AMOUNT, async () => {
          s3.spoil(fault);
          const startedAt = performance.now();
          const refused = await upload(user, sealedFile);
          const brought = await bring(service.smtpPort, user.email, 50_000);
          const ms = Math.round(performance.now() - startedAt);
          // Mail that needs only the database is still accepted.
          expect(await bring(service.smtpPort, user.email, 0)).toBe(250);
          await user.client.mail.query({ count: 10, view: 'summary' });
          const read = await readAttachment(user, kept.id);
          await sleep(IS_LONG ? 5_000 : 200);
          expect(read).toBe('broken');
          expect(Number(refused.retryAfter)).toBeGreaterThan(0);
          expect([refused.status, brought]).toEqual([503, 451]);
          // The bucket check is answered without a body, so half of the answer is already complete.
          if (fault !== 'half') expect((await service.client().fetch('/ready')).status).toBe(503);
          s3.spoil(null);
          const mendedAt = performance.now();
          await expect.poll(() => readAttachment(user, kept.id), { interval: 20 }).toBe('whole');
          say(
            `${fault}: ${refused.status} and ${brought} in ${ms} ms, back after ${Math.round(performance.now() - mendedAt)} ms`,
          );
        });
      }
    },
    LIMIT_MS,
  );

  /** Reads an attachment: whole, or with an error that the reader notices. */
  const readAttachment = async ({ client }: TestUser, id: string): Promise<'whole' | 'broken'> => {
    try {
      const reply = await client.fetch(`/user/attachment/${id}`);
      if (!reply.ok) {
        expect(reply.status).toBe(503);
        return 'broken';
      }
      const bytes = Buffer.from(await reply.arrayBuffer());
      expect(bytes.equals(sealedFile)).toBe(true);
      return 'whole';
    } catch (error) {
      if (error instanceof TypeError) return 'broken';
      throw error;
    }
  };

  test('that fails once causes no visible error', async () => {
    const [user] = service.users;
    for (const fault of ['gone', 'failing', 'busy'] as const) {
      s3.spoil(fault, 1);
      expect((await upload(user, sealedFile)).status).toBe(200);
      s3.spoil(fault, 1);
      expect(await bring(service.smtpPort, user.email, 50_000)).toBe(250);
    }
    s3.spoil(null);
  });

  test('that is full returns out-of-storage errors, and reads still work', async () => {
    const [user] = service.users;
    const kept = await upload(user, sealedFile);
    s3.spoil('full');
    expect((await upload(user, sealedFile)).status).toBe(507);
    expect(await bring(service.smtpPort, user.email, 50_000)).toBe(452);
    expect(await readAttachment(user, kept.id)).toBe('whole');
    s3.spoil(null);
    expect((await upload(user, sealedFile)).status).toBe(200);
    expect(await bring(service.smtpPort, user.email, 50_000)).toBe(250);
  });

  test('keeps only containers in use after the daily collection', async () => {
    const { db, blobs, logger } = service.app.deps;
    const clock = createTestClock(new Date(Date.now() + ORPHAN_BLOB_KEPT_MS + 60_000));
    const collected = await collectOrphanContainers({ db, blobs, clock, logger });
    const rows = await db.selectFrom('blobs').select('id').execute();
    const used = await db.selectFrom('mail_attachments').select('blob_id as id').distinct().execute();
    const sorted = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id).sort();
    expect(sorted(rows)).toEqual(sorted(used));
    expect(
      s3
        .keys()
        .map(key => key.split('/').at(-1))
        .sort(),
    ).toEqual(sorted(rows));
    expect(s3.openUploads()).toBe(0);
    say(`${rows.length} containers in use, ${collected} left by failures and collected`);
  });
});

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe('a clock', () => {
  const clock = createTestClock();
  let app: TestApp;
  let user: TestUser;
  let userId: string;
  beforeAll(async () => {
    app = await startTestApp({ clock });
    user = await registerTestUser(app);
    userId = await userIdOf(app.db, user);
  });
  afterAll(() => app.close());

  /** Creates a deleted message whose thirty days end after `endsInMs`. */
  const deleteMail = (endsInMs: number): Promise<string> =>
    app.db.transaction().execute(async trx => {
      const [stored] = await storeMails(trx, [makeNewMail(userId)]);
      const id = stored?.id ?? '';
      const deletedAt = new Date(clock.now().getTime() + endsInMs);
      await changeFlags(trx, userId, [id], { flags: { deleted: true }, deletedAt });
      return id;
    });
  const isThere = async (id: string): Promise<boolean> =>
    (await app.db.selectFrom('mails').select('id').where('id', '=', id).execute()).length > 0;
  const sessions = async (): Promise<number> =>
    (await app.db.selectFrom('sessions').select('id').where('user_id', '=', userId).execute()).length;
  /** Runs the permanent deletion as the schedule does. */
  const removeAll = async (patient: Clock): Promise<void> => {
    const final = Object.values(JOBS).filter(({ isFinal }) => isFinal === true);
    expect(final.length).toBe(5);
    for (const { run } of final) await run({ ...app.deps, clock: patient });
  };

  test.each([
    ['an hour ahead', HOUR_MS],
    ['an hour back', -HOUR_MS],
    ['a day ahead', DAY_MS],
    ['a day back', -DAY_MS],
  ])('that is %s for a while deletes nothing early and keeps accounts usable', async (_name, jumpMs) => {
    let elapsedMs = 0;
    const pass = (ms: number): void => {
      elapsedMs += ms;
      clock.advance(ms);
    };
    const patient = createJumpGuardedClock(clock, app.deps.logger, () => elapsedMs);
    const [soon, later] = [await deleteMail(30 * 60_000), await deleteMail(12 * HOUR_MS)];
    const { secret } = await turnTotpOn(user, clock);
    const kept = await sessions();
    expect((await askHttp(user.client)).code).toBe(200);

    clock.advance(jumpMs);
    // Sessions expire by the server's clock: a day ahead, this one has been unused for a day.
    const during = await user.client.fetch('/auth/check');
    expect(during.status).toBe(jumpMs >= DAY_MS ? 401 : 200);
    await removeAll(patient);
    pass(20 * 60_000);
    await removeAll(patient);
    expect([await isThere(soon), await isThere(later), await sessions()]).toEqual([true, true, kept]);

    clock.advance(-jumpMs);
    expect((await askHttp(user.client)).code).toBe(200);
    pass(10 * 60_000);
    await removeAll(patient);
    expect([await isThere(soon), await isThere(later)]).toEqual([false, true]);
    pass(12 * HOUR_MS);
    expect((await askHttp(user.client)).code).toBe(200);
    await removeAll(patient);
    expect(await isThere(later)).toBe(false);
    // A code for the actual time is valid, one for the shifted time is not.
    const wrong = codeAt(secret, new Date(clock.now().getTime() + jumpMs));
    expect(await codeOf(user.client.otp.disable({ code: wrong }))).toMatch(/^4/);
    await user.client.otp.disable({ code: codeAt(secret, clock.now()) });
  });

  test('that stays ahead for more than a day is trusted', async () => {
    let elapsedMs = 0;
    const lines: string[] = [];
    const logger = { warn: (_line: unknown, text: string) => lines.push(text) } as unknown as Logger;
    const patient = createJumpGuardedClock(clock, logger, () => elapsedMs);
    const began = clock.now().getTime();
    clock.advance(3 * DAY_MS);
    expect(patient.now().getTime()).toBe(began);
    for (const ms of [24 * HOUR_MS, HOUR_MS - 1]) {
      elapsedMs += ms;
      clock.advance(ms);
      expect(patient.now().getTime()).toBe(began + elapsedMs);
    }
    elapsedMs += 1;
    clock.advance(1);
    expect(patient.now()).toEqual(clock.now());
    expect(lines).toEqual(['clock jumped, delaying removals until the earlier time agrees']);
    clock.advance(-5 * DAY_MS);
    expect(patient.now()).toEqual(clock.now());
  });

  test('that switches to or from daylight saving time changes nothing', async () => {
    const { TZ } = process.env;
    process.env.TZ = 'Europe/Berlin';
    try {
      for (const change of ['2027-03-28T01:00:00Z', '2027-10-31T01:00:00Z']) {
        const around = createTestClock(new Date(new Date(change).getTime() - HOUR_MS));
        const patient = createJumpGuardedClock(around, app.deps.logger, () => around.now().getTime());
        clock.advance(around.now().getTime() - clock.now().getTime());
        const id = await deleteMail(2 * HOUR_MS);
        around.advance(2 * HOUR_MS - 1);
        await removeAll(patient);
        expect(await isThere(id)).toBe(true);
        around.advance(1);
        await removeAll(patient);
        expect(await isThere(id)).toBe(false);
      }
    } finally {
      if (TZ === undefined) delete process.env.TZ;
      else process.env.TZ = TZ;
    }
  });
});

describe('the DNS', () => {
  test.each(['silent', 'failing'] as const)(
    'that is %s delays incoming mail only briefly and gives a temporary error as the verdict',
    async fault => {
      const dns = await startTestDns({});
      dns[fault].has = () => true;
      const inbound = await startInboundTest({ deps: { dns: createDns([dns.server], 150) } });
      try {
        const reader = await addReader(inbound.deps.db, ['reader@keyfold.test']);
        const startedAt = performance.now();
        expect(await bring(inbound.smtp.port, reader.address, 0)).toBe(250);
        const ms = Math.round(performance.now() - startedAt);
        const [mail] = await readMails(inbound, reader);
        say(`${fault} DNS: mail taken in ${ms} ms`);
        expect(mail?.headers).toMatch(/spf=temperror[\s\S]*dmarc=temperror/);
        expect(ms).toBeLessThan(10_000);
      } finally {
        await inbound.close();
        await dns.close();
      }
    },
  );

  describe('that is unavailable', () => {
    const outside = useDeliveryTest();
    test('makes outgoing mail wait without a notice until the DNS is back', async () => {
      const { failing } = outside.dns;
      const has = failing.has;
      failing.has = () => true;
      const arrived = outside.newMessages();
      await outside.send({ to: ['friend@outside.test'], subject: 'Waits', text: 'Waits' });
      for (let tries = 0; tries < 3; tries++) {
        await outside.settled(1);
        outside.clock.advance(5 * HOUR_MS);
        outside.wake();
      }
      await outside.settled(1);
      const [row] = await outside.app.db.selectFrom('outbound_recipients').selectAll().execute();
      expect(row).toMatchObject({ last_status: '4.4.3', last_code: null });
      failing.has = has;
      outside.clock.advance(5 * HOUR_MS);
      outside.wake();
      await outside.settled(0);
      expect(arrived.concat(outside.newMessages()).length).toBe(1);
    });
  });
});
