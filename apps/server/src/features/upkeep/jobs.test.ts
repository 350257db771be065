import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestClock } from '../../../tests/harness/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../../tests/harness/database.ts';
import { IDEMPOTENCY_KEPT_MS, RECEIPT_KEPT_MS } from '../../limits.ts';
import { removeExpiredRows } from './jobs.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('rows go when their time is over and not before', async () => {
  const { db } = database;
  const clock = createTestClock(new Date('2026-06-01T00:00:00Z'));
  const now = clock.now();
  const at = (ms: number) => new Date(now.getTime() + ms);
  const userId = randomUUIDv7();
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
      .insertInto('inbound_receipts')
      .values({ user_id: userId, digest: randomBytes(32), created_at: at(offsetMs - RECEIPT_KEPT_MS) })
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
  }
  const one = { sessions: 1, devices: 1, captchas: 1, inbound_receipts: 1, send_receipts: 1 };
  expect(await removeExpiredRows({ db, clock })).toEqual(one);
  clock.advance(1);
  expect(await removeExpiredRows({ db, clock })).toEqual(one);
});
