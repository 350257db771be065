/** A separate database for each test file, copied from the migrated template. */
import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { createLogger } from '../../src/base/logger.ts';
import { embeddedConnection } from '../../src/db/embedded.ts';
import { type Connection, createDb, createPool, type Db } from '../../src/db/pool.ts';

export type TestDatabase = {
  readonly db: Db;
  readonly connection: Connection;
  readonly drop: () => Promise<void>;
};

/** Creates a database. Call `drop` when the file's tests are done. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const socketDir = inject('postgresSocketDir');
  const name = `t_${randomBytes(6).toString('hex')}`;
  const logger = createLogger('silent');
  const admin = createPool(embeddedConnection(socketDir, 'postgres'), logger, 1);
  try {
    // Concurrent copies of the template would conflict; this lock serializes them.
    await admin.query('select pg_advisory_lock(4242)');
    await admin.query(`create database ${name} template keyfold_template`);
  } finally {
    await admin.end();
  }
  const connection = embeddedConnection(socketDir, name);
  const db = createDb(createPool(connection, logger, 8));
  return {
    db,
    connection,
    drop: async () => {
      await db.destroy();
      const cleaner = createPool(embeddedConnection(socketDir, 'postgres'), logger, 1);
      await cleaner.query(`drop database if exists ${name} with (force)`);
      await cleaner.end();
    },
  };
}

export type EmptyDatabase = {
  /** URL for DATABASE_URL. */
  readonly url: string;
  readonly drop: () => Promise<void>;
};

/** Creates a database without tables, as an operator does for Keyfold. */
export async function createEmptyDatabase(): Promise<EmptyDatabase> {
  const socketDir = inject('postgresSocketDir');
  const name = `e_${randomBytes(6).toString('hex')}`;
  const onServer = async (statement: string): Promise<void> => {
    const admin = createPool(embeddedConnection(socketDir, 'postgres'), createLogger('silent'), 1);
    await admin.query(statement).finally(() => admin.end());
  };
  await onServer(`create database ${name} template template0`);
  return {
    url: `postgres://keyfold@localhost/${name}?host=${encodeURIComponent(socketDir)}`,
    drop: () => onServer(`drop database if exists ${name} with (force)`),
  };
}
