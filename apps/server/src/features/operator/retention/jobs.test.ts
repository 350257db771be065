import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestClock } from '../../../../tests/harness/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../../../tests/harness/database.ts';
import { createMemoryBlobs } from '../../../adapters/blob-memory.ts';
import {
  ARRIVAL_COUNTS_KEPT_MS,
  BILLING_EVENT_KEPT_MS,
  IDEMPOTENCY_KEPT_MS,
  INVITE_LIFETIME_MS,
  KNOWN_BROWSER_KEPT_MS,
  LOGIN_KEPT_MS,
  RECEIPT_KEPT_MS,
} from '../../../base/limits.ts';
import { createLogger } from '../../../base/logger.ts';
import {
  FINISHED_MESSAGE_KEPT_MS,
  MESSAGES_TO_ONE_WATCHED_MS,
  OUTSIDE_RECIPIENT_KEPT_MS,
  SEND_WATCHED_MS,
} from '../../../base/sending-limits.ts';
import { removeExpiredRows } from './jobs.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('rows are removed when they expire and not before', async () => {
  const { db } = database;
  const clock = createTestClock(new Date('2026-06-01T00:00:00Z'));
  const now = clock.now();
  const at = (ms: number) => new Date(now.getTime() + ms);
  const userId = randomUUIDv7();
  for (const offsetDays of [-1, 0]) {
    await db
      .insertInto('arrival_counts')
      .values({
        user_id: userId,
        day: at(offsetDays * 86_400_000 - ARRIVAL_COUNTS_KEPT_MS)
          .toISOString()
          .slice(0, 10),
        flagged_by_sender: 0,
        flagged_by_rule: 0,
        flagged_by_score: 0,
        proved: 1,
        unproved: 0,
        disproved: 0,
      })
      .execute();
  }
  for (const offsetMs of [0, 1]) {
    await db
      .insertInto('sessions')
      .values({
        token_hash: randomBytes(32),
        user_id: userId,
        client_key_sealed: randomBytes(60),
        expires_at: at(offsetMs),
      })
      .execute();
    await db
      .insertInto('devices')
      .values({
        token_hash: randomBytes(32),
        family_id: randomUUIDv7(),
        user_id: userId,
        client_key_sealed: randomBytes(60),
        expires_at: at(offsetMs),
      })
      .execute();
    await db
      .insertInto('captchas_used')
      .values({ nonce: randomUUIDv7(), expires_at: at(offsetMs) })
      .execute();
    await db
      .insertInto('logins')
      .values({
        user_id: userId,
        id: randomUUIDv7(),
        outcome: 'signed_in',
        browser: null,
        system: null,
        address: '192.0.2.1',
        created_at: at(offsetMs - LOGIN_KEPT_MS),
      })
      .execute();
    await db
      .insertInto('known_browsers')
      .values({
        user_id: userId,
        token_hash: randomBytes(32),
        seen_at: at(offsetMs - KNOWN_BROWSER_KEPT_MS),
      })
      .execute();
    await db
      .insertInto('share_codes')
      .values({ user_id: userId, code_hash: randomBytes(32), expires_at: at(offsetMs) })
      .execute();
    await db
      .insertInto('inbound_receipts')
      .values({ user_id: userId, digest: randomBytes(32), created_at: at(offsetMs - RECEIPT_KEPT_MS) })
      .execute();
    await db
      .insertInto('outside_recipients')
      .values({
        user_id: userId,
        digest: randomBytes(32),
        first_at: at(offsetMs - OUTSIDE_RECIPIENT_KEPT_MS),
      })
      .execute();
    await db
      .insertInto('outside_counts')
      .values({ user_id: userId, hour: at(offsetMs - 2 * SEND_WATCHED_MS) })
      .execute();
    await db
      .insertInto('outside_letters')
      .values({
        user_id: userId,
        digest: randomBytes(32),
        hour: at(offsetMs - 2 * MESSAGES_TO_ONE_WATCHED_MS),
        letters: 1,
      })
      .execute();
    await db
      .insertInto('send_receipts')
      .values({
        user_id: userId,
        idempotency_key: randomUUIDv7(),
        request_digest: randomBytes(32),
        mail_id: randomUUIDv7(),
        message_id: '<a@x>',
        created_at: at(offsetMs - IDEMPOTENCY_KEPT_MS),
      })
      .execute();
    await db
      .insertInto('billing_events')
      .values({ event_id: randomUUIDv7(), received_at: at(offsetMs - BILLING_EVENT_KEPT_MS) })
      .execute();
    const half = { token_hash: randomBytes(32), user_id: userId, expires_at: at(offsetMs) };
    await db
      .insertInto('half_sessions')
      .values({ ...half, purpose: 'login' })
      .execute();
    await db
      .insertInto('passkey_challenges')
      .values({ ...half, purpose: 'add', challenge: 'AAAA' })
      .execute();
    const organization_id = randomUUIDv7();
    await db
      .insertInto('organization_invites')
      .values({
        id: randomUUIDv7(),
        organization_id,
        token_hash: randomBytes(32),
        address: `${organization_id}@keyfold.test`,
        name: 'X',
        role: 'member',
        created_at: now,
        expires_at: at(offsetMs - INVITE_LIFETIME_MS),
      })
      .execute();
    await db
      .insertInto('organization_resets')
      .values({
        user_id: randomUUIDv7(),
        organization_id,
        token_hash: randomBytes(32),
        expires_at: at(offsetMs),
        begun_by: null,
        quiet_until: null,
      })
      .execute();
    for (const waits of ['nobody', 'queued', 'held'] as const) {
      const message_id = randomUUIDv7();
      const row = {
        message_id,
        id: randomUUIDv7(),
        domain_digest: randomBytes(32),
        envelope_sealed: randomBytes(60),
      };
      await db
        .insertInto('outbound_messages')
        .values({
          id: message_id,
          user_id: userId,
          message_sealed: randomBytes(60),
          created_at: at(offsetMs - FINISHED_MESSAGE_KEPT_MS),
        })
        .execute();
      if (waits === 'held') await db.insertInto('held_recipients').values(row).execute();
      if (waits === 'queued')
        await db
          .insertInto('outbound_recipients')
          .values({ ...row, next_attempt_at: now })
          .execute();
    }
  }
  const deps = { db, clock, blobs: createMemoryBlobs(), logger: createLogger('silent') };
  const one = {
    import_containers: 0,
    push_devices: 0,
    push_jobs: 0,
    received_reports: 0,
    outside_recipients: 1,
    outside_counts: 1,
    sessions: 1,
    devices: 1,
    captchas: 1,
    share_codes: 1,
    logins: 1,
    known_browsers: 1,
    event_answers: 0,
    outbound_messages: 1,
    half_sessions: 1,
    passkey_challenges: 1,
    organization_invites: 1,
    organization_resets: 1,
    inbound_receipts: 1,
    send_receipts: 1,
    outside_letters: 1,
    billing_events: 1,
  };
  expect(await removeExpiredRows(deps)).toEqual({ ...one, arrival_counts: 1 });
  clock.advance(1);
  expect(await removeExpiredRows(deps)).toEqual({ ...one, arrival_counts: 0 });
});
