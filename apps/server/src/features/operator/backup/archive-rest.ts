/**
 * Archives the remaining WAL of a database that was set aside: the changes of its last minute,
 * which it had no time to archive itself. They get a MAC like all others.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { loadMasterKey, masterKeyFile } from '../../../base/master-key.ts';
import type { Config } from '../../../config/config.ts';
import { keepInArchive } from '../../../db/archive-files.ts';
import { findArchiveFolder, readIdentifier } from '../../../db/wal-archive.ts';
import { BackupError } from './failure.ts';

const SEGMENT = /^[0-9A-F]{8}([0-9A-F]{8})([0-9A-F]{8})$/;
/**
 * Offset in the header of a segment's first page of the WAL position at which the segment begins
 * (PostgreSQL, xlog_internal.h).
 */
const PAGE_ADDRESS_AT = 8;

/**
 * Returns whether a segment contains what its name says: PostgreSQL renames recycled segments
 * before it writes to them.
 */
function isBegun(name: string, content: Buffer): boolean {
  const [, high = '', low = ''] = SEGMENT.exec(name) ?? [];
  if (content.length < PAGE_ADDRESS_AT + 8) return false;
  const begin = (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`) * BigInt(content.length);
  return content.readBigUInt64LE(PAGE_ADDRESS_AT) === begin;
}

/**
 * Archives the segments of a data directory that the archive lacks. Returns how many. Throws
 * BackupError when there is no database, no archive of it, or no key for the MACs.
 */
export function archiveRest(config: Pick<Config, 'dataDir'>, dir: string, archive: string): number {
  const log = path.join(dir, 'pg_wal');
  if (!existsSync(log)) throw new BackupError(`${dir} contains no database`);
  if (existsSync(path.join(dir, 'postmaster.pid')))
    throw new BackupError(
      `${dir} is in use, or its database was killed. If no process uses it, remove its postmaster.pid`,
    );
  const folder = findArchiveFolder(archive, dir);
  if (!existsSync(folder)) throw new BackupError(`There is no archive in ${folder}`);
  const file = masterKeyFile(config.dataDir);
  if (!existsSync(file))
    throw new BackupError(`The server's key ${file} is missing: restore your copy of it`);
  const marks = { key: loadMasterKey(config.dataDir), database: readIdentifier(dir), mayLack: false };
  let archived = 0;
  for (const name of readdirSync(log)
    .filter(one => SEGMENT.test(one))
    .sort()) {
    if (existsSync(path.join(folder, `${name}.gz`)) || !isBegun(name, readFileSync(path.join(log, name))))
      continue;
    keepInArchive(marks, folder, name, path.join(log, name));
    archived += 1;
  }
  return archived;
}
