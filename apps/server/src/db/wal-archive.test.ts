// One archive for successive databases, as when a backup's tables are restored into a new database.
import { mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLogger } from '../base/logger.ts';
import { loadMasterKey } from '../base/master-key.ts';
import { readConfig } from '../config/config.ts';
import { openDatabase } from './open.ts';
import { createDb, createPool, type Db } from './pool.ts';

const logger = createLogger('silent');
let root: string;
beforeAll(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'kf-wal-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Runs the embedded database of `data` with the archive for the duration of `work`. */
async function withDatabase<T>(work: (db: Db) => Promise<T>): Promise<T> {
  const config = readConfig({
    KEYFOLD_DATA: path.join(root, 'data'),
    KEYFOLD_WAL_ARCHIVE: path.join(root, 'archive'),
  });
  loadMasterKey(config.dataDir);
  const opened = await openDatabase(config, logger, false, async () => {});
  const db = createDb(createPool(opened.connection, logger, 1));
  try {
    return await work(db);
  } finally {
    await db.destroy();
    await opened.close();
  }
}

/** Forces a segment to be archived, and waits until that succeeds or fails. */
async function archiveSegment(db: Db): Promise<{ archived: number; failed: number }> {
  await sql`select pg_switch_wal() from (select txid_current()) t`.execute(db);
  const counts = async () => {
    const { rows } = await sql<{ archived: number; failed: number }>`
      select archived_count as archived, failed_count as failed from pg_stat_archiver`.execute(db);
    return rows[0] ?? { archived: 0, failed: 0 };
  };
  await expect.poll(async () => Object.values(await counts()).some(count => count > 0)).toBe(true);
  return counts();
}

async function identify(db: Db): Promise<string> {
  const { rows } = await sql<{
    id: string;
  }>`select system_identifier::text as id from pg_control_system()`.execute(db);
  return rows[0]?.id ?? '';
}

test('a new database archives beside the one before it, whose segments have the same names', async () => {
  const first = await withDatabase(async db => {
    expect(await archiveSegment(db)).toMatchObject({ failed: 0 });
    return identify(db);
  });
  renameSync(path.join(root, 'data/postgres'), path.join(root, 'data/postgres.old'));
  const second = await withDatabase(async db => {
    expect(await archiveSegment(db)).toMatchObject({ failed: 0 });
    return identify(db);
  });
  expect(readdirSync(path.join(root, 'archive')).sort()).toEqual([first, second].sort());
  const [before, after] = [first, second].map(id => readdirSync(path.join(root, 'archive', id)));
  expect(before?.filter(name => after?.includes(name))).not.toEqual([]);
});
