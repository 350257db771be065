// A PST file and kill -9: one node accepts the file, a second one is killed while reading it, a
// third one resumes, and no message is imported twice.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { writePst } from '@keyfold/testing/pst-file';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLogger } from '../src/base/logger.ts';
import { createDb, createPool, type Db } from '../src/db/pool.ts';
import { createTestClient } from './harness/client.ts';
import { createEmptyDatabase, type EmptyDatabase } from './harness/database.ts';
import { readCounters } from './harness/mailbox.ts';
import { createNodes, type Node, type Nodes } from './harness/nodes.ts';
import { type S3Server, startS3Server } from './harness/s3.ts';
import { registerTestUser } from './harness/users.ts';

const PATIENCE = { timeout: 60_000, interval: 20 };
const MAILS = 150;

let database: EmptyDatabase;
let db: Db;
let s3: S3Server;
let nodes: Nodes;
beforeAll(async () => {
  database = await createEmptyDatabase();
  s3 = await startS3Server();
  db = createDb(createPool({ connectionString: database.url }, createLogger('silent'), 2));
  nodes = createNodes({ databaseUrl: database.url, s3: s3.options });
});
afterAll(async () => {
  await nodes.close();
  await db.destroy();
  await s3.close();
  await database.drop();
});

const FILE = writePst({
  folders: [
    {
      name: 'Inbox',
      mails: Array.from({ length: MAILS }, (_, at) => ({
        properties: [
          { id: 0x001a, type: 'text', value: 'IPM.Note' },
          { id: 0x0037, type: 'text', value: `n${at}` },
          { id: 0x1000, type: 'text', value: `Text of n${at}` },
          { id: 0x1035, type: 'text', value: `<n${at}@outside.test>` },
        ],
      })),
    },
  ],
});

function importsOf({ dataDir }: Node): string[] {
  try {
    return readdirSync(path.join(dataDir, 'imports'));
  } catch {
    return [];
  }
}

test('a killed worker leaves nothing behind, and another one resumes where it stopped', async () => {
  const door = await nodes.start('http');
  const first = await nodes.start('worker');
  const { client } = await registerTestUser({
    config: { domains: ['keyfold.test'] },
    client: () => createTestClient(door.httpUrl),
  });
  const input = { import_options: '{}' };
  const { data } = await client.server_imports.start_pst(input, { file: new Blob([FILE]) });
  const status = async () => (await client.server_imports.status({ id: data.import_id })).data;
  await expect.poll(async () => (await status()).processed, PATIENCE).toBeGreaterThan(10);
  await first.kill();
  const between = await status();
  expect(between.status).toBe('running');
  expect(between.processed).toBeLessThan(MAILS);
  expect(importsOf(first)).toEqual([]);
  expect(s3.keys().filter(key => key.startsWith('imports/'))).toHaveLength(1);
  // Three minutes later.
  await sql`update server_imports set leased_until = now() where status = 'running'`.execute(db);
  const second = await nodes.start('worker');
  await expect.poll(async () => (await status()).status, PATIENCE).toBe('done');
  expect(await status()).toMatchObject({ processed: MAILS, imported: MAILS, skipped: 0, failed: 0 });
  const found = (await client.mail.query({ count: 200 })).data.filter(({ alert }) => !alert);
  expect(new Set(found.map(one => one.message_id)).size).toBe(MAILS);
  expect(found).toHaveLength(MAILS);
  expect(s3.keys().filter(key => key.startsWith('imports/'))).toEqual([]);
  expect([door, second].flatMap(importsOf)).toEqual([]);
  const { kept, recounted } = await readCounters(db);
  expect(kept).toEqual(recounted);
}, 180_000);
