/**
 * Setup for tests of outgoing mail: the app, a DNS zone, a mail server that accepts everything, and
 * the queue worker with a clock that the test controls.
 */
import { createOpener } from '@keyfold/crypto/opener';
import { type SmtpSink, startSmtpSink } from '@keyfold/testing/smtp';
import { afterAll, beforeAll, expect } from 'vitest';
import { createDns } from '../../src/adapters/dns.ts';
import type { Config } from '../../src/config/config.ts';
import { createIngest, type Ingest } from '../../src/features/inbound/ingest/index.ts';
import { type DkimRecord, dkimRecords, signalDelivery } from '../../src/features/outbound/delivery/index.ts';
import { startDelivery } from '../../src/smtp/outbound/start.ts';
import { startTestApp, type TestApp } from './app.ts';
import { createTestClock, type TestClock } from './clock.ts';
import { startTestDns, type TestDns, type Zone } from './dns.ts';
import { sealTestMessage, type TestMessage } from './sending.ts';
import { registerTestUser, type TestUser, userIdOf } from './users.ts';

export type DeliveryTest = {
  readonly app: TestApp;
  readonly dns: TestDns;
  readonly sink: SmtpSink;
  readonly clock: TestClock;
  readonly ann: TestUser;
  readonly ben: TestUser;
  /** Returns the messages that the sink accepts from now on. Call once per test. */
  readonly newMessages: () => SmtpSink['messages'];
  readonly send: (message: TestMessage) => Promise<{ readonly id: string; readonly message_id: string }>;
  /** Starts the worker, or restarts it after `stop`. */
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
  /** Makes the worker check the queue now. */
  readonly wake: () => void;
  readonly queueLength: () => Promise<number>;
  /**
   * Resolves when the queue has this many recipients and none of them is due or being delivered.
   */
  readonly settled: (length: number) => Promise<void>;
  /** Returns the newest message in Ann's inbox, decrypted. */
  readonly newestNotice: () => Promise<string | null>;
};

/** A domain whose mail server is the sink. */
export const atSink = { MX: [[10, 'mx.outside.test']] as [number, string][] };

const ZONE: Zone = {
  'outside.test': atSink,
  'elsewhere.test': atSink,
  'mx.outside.test': { A: ['127.0.0.1'] },
};

/** Registers the setup for the tests of one file. */
export function useDeliveryTest(changed: (sink: SmtpSink) => Partial<Config> = () => ({})): DeliveryTest {
  const test = {} as { -readonly [K in keyof DeliveryTest]: DeliveryTest[K] };
  let worker: { readonly close: () => Promise<void> } | null = null;
  let ingest: Ingest | null = null;
  let seen = 0;
  const rowsLeft = async () =>
    test.app.db.selectFrom('outbound_recipients').select(['leased_until', 'next_attempt_at']).execute();
  const isAtRest = (row: { leased_until: Date | null; next_attempt_at: Date }) =>
    row.leased_until === null && row.next_attempt_at > test.clock.now();
  beforeAll(async () => {
    test.sink = await startSmtpSink();
    test.dns = await startTestDns({ ...ZONE });
    test.clock = createTestClock();
    test.app = await startTestApp({
      clock: test.clock,
      dns: createDns([test.dns.server]),
      config: { mxPort: test.sink.port, ...changed(test.sink) },
    });
    test.ann = await registerTestUser(test.app, { name: 'Ann Archer' });
    test.ben = await registerTestUser(test.app);
    await publish(test.dns.zone, await dkimRecords(test.app.deps));
    await test.start();
  });
  afterAll(async () => {
    await test.stop();
    await test.app.close();
    await test.sink.close();
    await test.dns.close();
  });
  return Object.assign(test, {
    newMessages: () => {
      const fresh = test.sink.messages.slice(seen);
      seen = test.sink.messages.length;
      return fresh;
    },
    send: async message => {
      test.clock.advance(1_000);
      const { data } = await test.ann.client.sending.send_private(await sealTestMessage(test.ann, message));
      return data;
    },
    start: async () => {
      ingest = createIngest(test.app.deps);
      worker = await startDelivery(test.app.deps, ingest, { pollMs: 60_000, closeMs: 500 });
    },
    stop: async () => {
      await worker?.close();
      await ingest?.close();
      worker = null;
    },
    wake: () => signalDelivery(test.app.deps),
    queueLength: async () => (await rowsLeft()).length,
    settled: async length => {
      await expect
        .poll(
          async () => {
            const rows = await rowsLeft();
            return [rows.length, rows.filter(row => !isAtRest(row)).length];
          },
          { timeout: 10_000, interval: 20 },
        )
        .toEqual([length, 0]);
    },
    // Reads the database, because every session has expired in a test that advances the clock by
    // days.
    newestNotice: async () => {
      const row = await test.app.db
        .selectFrom('mails as m')
        .innerJoin('mail_bodies as b', join =>
          join.onRef('b.user_id', '=', 'm.user_id').onRef('b.mail_id', '=', 'm.id'),
        )
        .select(['m.ciphertext', 'm.encrypted_key', 'm.dh_public', 'm.salt', 'b.body'])
        .where('m.user_id', '=', await userIdOf(test.app.db, test.ann))
        .where('m.ciphertext', 'is not', null)
        .orderBy('m.arrived_at', 'desc')
        .limit(1)
        .executeTakeFirst();
      if (row === undefined) return null;
      const opener = await createOpener(test.ann.identity);
      const { payload } = await opener.open({
        body: row.body,
        ciphertext: row.ciphertext?.toString('base64'),
        encrypted_key: row.encrypted_key?.toString('base64'),
        dh_public: row.dh_public?.toString('base64'),
        salt: row.salt?.toString('base64'),
      });
      return new TextDecoder().decode(payload);
    },
  } satisfies Partial<DeliveryTest>);
}

async function publish(zone: Zone, records: readonly DkimRecord[]): Promise<void> {
  for (const { name, value } of records) zone[name] = { TXT: [value] };
}
