/**
 * The database of the benchmark of job queues: an embedded PostgreSQL with Keyfold's tables and
 * pg-boss's, users with one device each, and counts of what either queue costs.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { createLogger } from '../../apps/server/src/base/logger.ts';
import { embeddedConnection, startEmbeddedPostgres } from '../../apps/server/src/db/embedded.ts';
import { migrate } from '../../apps/server/src/db/migrate.ts';
import { createDb, createPool } from '../../apps/server/src/db/pool.ts';
import { insertTestUser } from '../../apps/server/tests/harness/mailbox.ts';

const logger = createLogger('silent');

async function insertDevice(db, userId) {
  const now = new Date();
  const id = randomUUID();
  await db
    .insertInto('push_devices')
    .values({
      user_id: userId,
      id,
      kind: 'fcm',
      token_hash: randomBytes(32),
      token_sealed: Buffer.alloc(64),
      words_sealed: Buffer.alloc(64),
      session_id: randomUUID(),
      family_id: null,
      preferences: '{}',
      created_at: now,
      seen_at: now,
      burst_since: now,
    })
    .execute();
  return { userId, deviceId: id };
}

/** Starts the database with this many users. Writes are durable, as in the product. */
export async function startWorld(users) {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'kf-queue-'));
  const postgres = await startEmbeddedPostgres(dir, []);
  const admin = createPool(embeddedConnection(postgres.socketDir, 'postgres'), logger, 1);
  await admin.query('create database queue');
  await admin.end();
  const connection = embeddedConnection(postgres.socketDir, 'queue');
  const db = createDb(createPool(connection, logger, 8));
  await migrate(db);
  const devices = [];
  for (let index = 0; index < users; index++)
    devices.push(await insertDevice(db, await insertTestUser(db, `u${index}@bench.test`)));
  return {
    db,
    connection,
    logger,
    devices,
    /** Returns the bytes that PostgreSQL has written to its log. */
    walBytes: async () => {
      const { rows } = await sql`select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as bytes`.execute(db);
      return Number(/** @type {{ bytes: string }[]} */ (rows)[0].bytes);
    },
    close: async () => {
      await db.destroy();
      await postgres.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
