// The previous release writes to the newest schema while machines are replaced: the recorded writes
// of the first release for one day of two users (released-writes.jsonl) are accepted, statement by
// statement. KEYFOLD_RECORD_WRITES=1 records them again. Use it only at the release whose successor
// is to be tested, never to hide a failure.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLogger } from '../src/base/logger.ts';
import { createPool } from '../src/db/pool.ts';
import { startTestApp } from './harness/app.ts';
import { createTestDatabase, type TestDatabase } from './harness/database.ts';
import { fromLine, liveADay, recordWrites, toLine } from './released-writes.ts';

const FILE = path.resolve(import.meta.dirname, 'released-writes.jsonl');
/** Tables that a day must write to; otherwise the recording is not representative. */
const WRITTEN = [
  'addresses',
  'contacts',
  'devices',
  'domains',
  'held_sends',
  'mail_bodies',
  'mail_counts',
  'mail_tags',
  'mailboxes',
  'mails',
  'organizations',
  'outbound_messages',
  'outbound_recipients',
  'records',
  'send_receipts',
  'sessions',
  'tags',
  'users',
];

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  if (process.env.KEYFOLD_RECORD_WRITES === undefined) return;
  const app = await startTestApp();
  const writes = await recordWrites(() => liveADay(app));
  await app.close();
  writeFileSync(FILE, writes.map(write => `${toLine(write)}\n`).join(''));
});
afterAll(() => database.drop());

test('the newest schema accepts the writes of the previous release', async () => {
  const writes = readFileSync(FILE, 'utf8').trimEnd().split('\n').map(fromLine);
  for (const table of WRITTEN)
    expect(
      writes.some(({ text }) => text.includes(`into "${table}"`) || text.includes(`into ${table}`)),
      table,
    ).toBe(true);
  const pool = createPool(database.connection, createLogger('silent'), 1);
  const refused: string[] = [];
  let rows = 0;
  for (const { text, values } of writes) {
    try {
      rows += (await pool.query(text, [...values])).rowCount ?? 0;
    } catch (error) {
      refused.push(`${(error as Error).message}: ${text.slice(0, 200)}`);
    }
  }
  await pool.end();
  process.stdout.write(
    `released writes: ${writes.length} statements, ${rows} rows, ${refused.length} refused\n`,
  );
  expect(refused).toEqual([]);
  expect(rows).toBeGreaterThan(100);
});
