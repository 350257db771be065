import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestClock } from '../../../../tests/harness/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../../../tests/harness/database.ts';
import { createLogger } from '../../../base/logger.ts';
import { createMasterKey } from '../../../base/master-key.ts';
import { createSharedWindows } from './service.ts';

const HOUR_MS = 3_600_000;
const clock = createTestClock();
const logger = createLogger('silent');
const masterKey = createMasterKey(randomBytes(32));
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Creates the counts of one machine. */
const machine = (name: string, points = 100, db = database.db) =>
  createSharedWindows({ clock, db, logger, masterKey }, { name, points, windowMs: HOUR_MS, keysMax: 10 });
const takeMany = ({ take }: ReturnType<typeof machine>, count: number, key = 'a'): number =>
  Array.from({ length: count }, () => take(key)).filter(Boolean).length;
/** Returns the published counts of a name; machines of other tests may publish theirs meanwhile. */
const rows = async (name: string) =>
  (
    await sql<{ key: string; points: number }>`
      select key, points from rate_limits where key like ${`${name}:%`} order by key`.execute(database.db)
  ).rows;

test('machines share the count of a window, and the next window starts a new count', async () => {
  const [one, other] = [machine('shared'), machine('shared')];
  expect(takeMany(one, 70)).toBe(70);
  await one.tell();
  // Machines learn each other's counts of a key only when they publish their own count of it.
  expect(takeMany(other, 2)).toBe(2);
  await other.tell();
  expect(takeMany(other, 50)).toBe(28);
  await other.tell();
  await one.tell();
  expect(takeMany(one, 1)).toBe(1);
  await one.tell();
  expect(takeMany(one, 1)).toBe(0);
  // Other keys and other limiters are counted separately.
  expect(takeMany(one, 3, 'b')).toBe(3);
  expect(takeMany(machine('unlike'), 3)).toBe(3);
  clock.advance(HOUR_MS);
  expect(takeMany(other, 40)).toBe(40);
});

test('occasional use creates no rows, a flood creates one, and no row identifies a client', async () => {
  const one = machine('smtp messages', 1_000);
  for (const key of ['192.0.2.1', '192.0.2.2']) expect(takeMany(one, 19, key)).toBe(19);
  await one.tell();
  expect(await rows('smtp messages')).toEqual([]);
  expect(takeMany(one, 5_000, '192.0.2.1')).toBe(981);
  await one.tell();
  expect(takeMany(one, 5_000, '192.0.2.1')).toBe(0);
  await one.tell();
  const [row, ...others] = await rows('smtp messages');
  expect(others).toEqual([]);
  expect(row?.points).toBe(1_000);
  expect(row?.key).toMatch(/^smtp messages:[\w-]{43}$/);
});

test('each machine counts for itself while the database is away and publishes its count afterwards', async () => {
  const away = await createTestDatabase();
  await away.drop();
  let db = away.db;
  const lost = createSharedWindows(
    {
      clock,
      logger,
      masterKey,
      get db() {
        return db;
      },
    },
    { name: 'away', points: 10, windowMs: HOUR_MS, keysMax: 10 },
  );
  expect(takeMany(lost, 8)).toBe(8);
  await lost.tell();
  db = database.db;
  await lost.tell();
  const other = machine('away', 10);
  expect(takeMany(other, 1)).toBe(1);
  await other.tell();
  expect(takeMany(other, 10)).toBe(1);
  expect(takeMany(lost, 20)).toBe(2);
});

test('keys evicted by a flood of others are not published', async () => {
  const one = machine('flood', 10);
  for (let at = 0; at < 1_000; at++) one.take(`network ${at}`);
  await one.tell();
  expect(await rows('flood')).toHaveLength(10);
});
