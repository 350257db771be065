/**
 * The WAL archive of the embedded PostgreSQL, from which a base backup is restored to any later
 * point in time. A segment is present completely or not at all; a segment that was archived before
 * a crash is compared and not written again. Segments are compressed, because one that is closed
 * early is mostly zeros, and carry a MAC by the server's key: see archive-marks.ts.
 *
 * Every database has its own folder in the archive, because a new database numbers its segments
 * from the start: after a restore of tables, its first segment would collide with one of the
 * previous database, differ from it, and never be archived.
 */
import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import type pg from 'pg';
import { type Connection, clientOf } from './connection.ts';
import type { Db } from './pool.ts';

/** Maximum time until a change is archived, in seconds, even if its segment is not full. */
const ARCHIVE_TIMEOUT_SECONDS = 60;
/** pg_backup_stop waits for the archive; this bounds the wait if archiving fails. */
const STOP_TIMEOUT_MS = 10 * 60_000;

const IDENTIFIER_BYTES = 8;

/**
 * Returns the system identifier that initdb gave a database, from the first bytes of its control
 * file. Throws if the file is missing or too short.
 */
export function readIdentifier(dataDir: string): string {
  const bytes = Buffer.alloc(IDENTIFIER_BYTES);
  const file = openSync(path.join(dataDir, 'global/pg_control'), 'r');
  try {
    const read = readSync(file, bytes);
    if (read < IDENTIFIER_BYTES) throw new Error('The control file of the database is incomplete');
  } finally {
    closeSync(file);
  }
  // All processors for which an embedded PostgreSQL exists are little-endian.
  return bytes.readBigUInt64LE().toString();
}

/** Returns the archive's folder for the database of a data directory or base backup. */
export const archiveFolderOf = (archive: string, dataDir: string): string =>
  path.join(archive, readIdentifier(dataDir));

/**
 * Returns where a database's changes are: its folder in an archive, or the given folder itself if
 * it has no such subfolder.
 */
export function findArchiveFolder(archive: string, dataDir: string): string {
  const own = archiveFolderOf(archive, dataDir);
  return existsSync(own) ? own : archive;
}

const PROCESS = fileURLToPath(new URL('./archive-process.ts', import.meta.url));

/**
 * Quotes a word of a command that PostgreSQL passes to a shell and in which PostgreSQL itself
 * interprets percent signs.
 */
const quoteWord = (word: string): string => `'${word.replaceAll("'", "'\\''").replaceAll('%', '%%')}'`;

/**
 * Which archived files a restore accepts: only those with a valid MAC, also those without one, or
 * all.
 */
export type CheckedMarks = 'all' | 'none' | 'wrong';

/**
 * An archive's folder, the database it belongs to, and the KEYFOLD_DATA whose key authenticates the
 * files.
 */
export type ArchivePlace = { readonly folder: string; readonly database: string; readonly dataDir: string };

function commandOf(task: 'give' | 'keep', place: ArchivePlace, checked: CheckedMarks): string {
  const before = [process.execPath, '--disable-warning=ExperimentalWarning', PROCESS, task];
  const words = [...before, path.resolve(place.folder), place.database].map(quoteWord);
  return [...words, "'%f'", "'%p'", quoteWord(path.resolve(place.dataDir)), checked].join(' ');
}

/** Returns the settings with which PostgreSQL maintains an archive. */
export const archiveSettings = (place: ArchivePlace): string[] => [
  'archive_mode=on',
  `archive_timeout=${ARCHIVE_TIMEOUT_SECONDS}`,
  `archive_command=${commandOf('keep', place, 'all')}`,
];

/**
 * Returns the settings with which PostgreSQL replays an archive up to a point in time, or to its
 * end, and then starts as a database; for `timeline` see timelines.ts.
 */
export function recoverySettings(
  place: ArchivePlace,
  checked: CheckedMarks,
  until: Date | null,
  timeline: string,
): string[] {
  const target = until?.toISOString().replace('T', ' ').replace('Z', '+00');
  return [
    'archive_mode=off',
    `restore_command=${commandOf('give', place, checked)}`,
    `recovery_target_timeline=${timeline}`,
    ...(target === undefined ? [] : [`recovery_target_time=${target}`, 'recovery_target_action=promote']),
  ];
}

/**
 * Returns how many segments a server has archived since it was created, and whether the last
 * attempt failed.
 */
export async function readArchiver(
  db: Db,
): Promise<{ readonly archived: number; readonly isFailing: boolean }> {
  const { rows } = await sql<{ archived: number; is_failing: boolean }>`
    select archived_count as archived,
      coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as is_failing
    from pg_stat_archiver`.execute(db);
  return { archived: rows[0]?.archived ?? 0, isFailing: rows[0]?.is_failing === true };
}

/**
 * Returns whether a base backup excludes a file of a data directory because it belongs to the
 * running server alone.
 */
export const isLeftOut = (name: string): boolean =>
  /^(pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\//.test(name) ||
  /^(postmaster\.(pid|opts)|backup_label.*|tablespace_map.*|\.s\.PGSQL.*)$/.test(name) ||
  // PostgreSQL executes these settings: an attacker who can write to a backup must not be able to
  // run commands through them. See OWN_SETTINGS.
  /^(postgresql(\.auto)?\.conf|pg_hba\.conf|pg_ident\.conf|recovery\..*|standby\.signal)$/.test(name) ||
  /(^|\/)(pgsql_tmp.*|pg_internal\.init.*)$/.test(name);

/**
 * Settings files that replace the excluded ones in a restored database. All other settings are
 * passed at start.
 */
export const OWN_SETTINGS: Readonly<Record<string, string>> = {
  'postgresql.conf': "listen_addresses = ''\n",
  'postgresql.auto.conf': '',
  // Only the owner can reach the socket, see embedded.ts.
  'pg_hba.conf': 'local all all trust\nlocal replication all trust\n',
  'pg_ident.conf': '',
};

/** Folders that PostgreSQL requires, even if empty. */
export const DATA_FOLDERS = [
  'pg_commit_ts',
  'pg_dynshmem',
  'pg_logical/mappings',
  'pg_logical/snapshots',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat',
  'pg_stat_tmp',
  'pg_subtrans',
  'pg_tblspc',
  'pg_twophase',
  'pg_wal/archive_status',
  'pg_wal/summaries',
] as const;

/** Returns whether a server maintains an archive. */
async function isArchiving(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ archive_mode: string }>('show archive_mode');
  return rows[0]?.archive_mode === 'on';
}

/**
 * Runs `work`, which copies the files of a running server as they are; only together with the
 * archive are they consistent. Returns the content of backup_label, which belongs to the copy.
 * Returns null, without running `work`, if the server has no archive.
 */
export async function withBaseBackup(
  connection: Connection,
  work: () => Promise<void>,
): Promise<string | null> {
  const Client = clientOf(connection);
  const client = new Client({ ...connection, application_name: 'keyfold-copy' });
  client.on('error', () => {});
  await client.connect();
  try {
    if (!(await isArchiving(client))) return null;
    await client.query("select pg_backup_start('keyfold', true)");
    await work();
    await client.query(`set statement_timeout = ${STOP_TIMEOUT_MS}`);
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(true)');
    return rows[0]?.labelfile ?? '';
  } finally {
    await client.end().catch(() => undefined);
  }
}
