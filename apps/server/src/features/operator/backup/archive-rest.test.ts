import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLogger } from '../../../base/logger.ts';
import { loadMasterKey } from '../../../base/master-key.ts';
import { readConfig } from '../../../config/config.ts';
import { unpack } from '../../../db/archive-marks.ts';
import { openDatabase } from '../../../db/open.ts';
import { createDb, createPool } from '../../../db/pool.ts';
import { readIdentifier } from '../../../db/wal-archive.ts';
import { archiveRest } from './archive-rest.ts';

const logger = createLogger('silent');
const SEGMENT = /^[0-9A-F]{24}(\.gz)?$/;
let root: string;
let aside: string;
const inRoot = (name: string): string => path.join(root, name);
beforeAll(async () => {
  root = mkdtempSync(path.join(os.tmpdir(), 'kf-rest-'));
  aside = inRoot('data/postgres');
  const config = readConfig({ KEYFOLD_DATA: inRoot('data') });
  const opened = await openDatabase(config, logger, false, async () => {});
  const db = createDb(createPool(opened.connection, logger, 1));
  for (let n = 0; n < 2; n++) await sql`select pg_switch_wal() from (select txid_current()) t`.execute(db);
  await db.destroy();
  await opened.close();
}, 60_000);
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('the last segments of a database put aside are archived with marks, recycled ones are not', () => {
  const archive = inRoot('archive');
  const bring = () => archiveRest({ dataDir: inRoot('data') }, aside, archive);
  expect(bring).toThrow('There is no archive');
  const database = readIdentifier(aside);
  const folder = path.join(archive, database);
  mkdirSync(folder, { recursive: true });
  expect(bring).toThrow('is missing: restore your copy');
  const marks = { key: loadMasterKey(inRoot('data')), database, mayLack: false };
  const log = path.join(aside, 'pg_wal');
  const names = readdirSync(log).filter(name => SEGMENT.test(name));
  const [first = ''] = names;
  cpSync(path.join(log, first), path.join(log, `${first.slice(0, -2)}EE`));
  const brought = bring();
  expect(brought).toBeGreaterThan(0);
  const archived = readdirSync(folder).sort();
  expect(archived).toHaveLength(brought);
  for (const file of archived) {
    const name = path.basename(file, '.gz');
    expect(names).toContain(name);
    const content = unpack(marks, name, readFileSync(path.join(folder, file)));
    expect(content.equals(readFileSync(path.join(log, name)))).toBe(true);
  }
  expect(bring()).toBe(0);
  writeFileSync(path.join(aside, 'postmaster.pid'), '1\n');
  expect(bring).toThrow('in use');
  expect(() => archiveRest({ dataDir: root }, root, archive)).toThrow('contains no database');
});
