/**
 * The archive of the embedded PostgreSQL's log of changes (WAL), from which a base backup is brought to any moment after
 * it. A segment is there whole or not at all; one that was archived before a crash is compared and not written anew.
 * Segments are compressed, for one that is handed over early is mostly zeros, and marked by the server's key: see archive-marks.ts.
 *
 * Every database has a folder of its own in the archive, because a new one begins to count its segments anew: after a restore of
 * tables its first would meet those of the one before, differ from them, and be archived never.
 */
import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import type pg from 'pg';
import { type Connection, clientOf } from './connection.ts';
import type { Db } from './pool.ts';

/** A change is in the archive after so long, even when its segment is not full. */
const ARCHIVE_TIMEOUT_SECONDS = 60;
/** pg_backup_stop waits for the archive; one that takes nothing must not let it wait for ever. */
const STOP_TIMEOUT_MS = 10 * 60_000;

const IDENTIFIER_BYTES = 8;

/** The number that initdb gave a database, in its control file's first bytes. Throws when that is not there or too short. */
export function readIdentifier(dataDir: string): string {
  const bytes = Buffer.alloc(IDENTIFIER_BYTES);
  const file = openSync(path.join(dataDir, 'global/pg_control'), 'r');
  try {
    const read = readSync(file, bytes);
    if (read < IDENTIFIER_BYTES) throw new Error('The control file of the database is too short');
  } finally {
    closeSync(file);
  }
  // All processors that there is an embedded PostgreSQL for write the last byte first.
  return bytes.readBigUInt64LE().toString();
}

/** The folder within an archive that is the database's of a data directory, or of a base backup's. */
export const archiveFolderOf = (archive: string, dataDir: string): string =>
  path.join(archive, readIdentifier(dataDir));

/** Where the changes of a database lie: its folder of an archive, or the folder that was named itself when that has none. */
export function findArchiveFolder(archive: string, dataDir: string): string {
  const own = archiveFolderOf(archive, dataDir);
  return existsSync(own) ? own : archive;
}

const PROCESS = fileURLToPath(new URL('./archive-process.ts', import.meta.url));

/** A word of a command that PostgreSQL hands to a shell, and in which a percent sign means something to itself. */
const quoteWord = (word: string): string => `'${word.replaceAll("'", "'\\''").replaceAll('%', '%%')}'`;

/** Which files of an archive are given back: those with a right mark, also those without any, or all. */
export type CheckedMarks = 'all' | 'none' | 'wrong';

/** An archive's folder, the database whose it is, and the KEYFOLD_DATA whose key marks what lies there. */
export type ArchivePlace = { readonly folder: string; readonly database: string; readonly dataDir: string };

function commandOf(task: 'give' | 'keep', place: ArchivePlace, checked: CheckedMarks): string {
  const before = [process.execPath, '--disable-warning=ExperimentalWarning', PROCESS, task];
  const words = [...before, path.resolve(place.folder), place.database].map(quoteWord);
  return [...words, "'%f'", "'%p'", quoteWord(path.resolve(place.dataDir)), checked].join(' ');
}

/** Settings with which PostgreSQL keeps an archive. */
export const archiveSettings = (place: ArchivePlace): string[] => [
  'archive_mode=on',
  `archive_timeout=${ARCHIVE_TIMEOUT_SECONDS}`,
  `archive_command=${commandOf('keep', place, 'all')}`,
];

/**
 * Settings with which PostgreSQL reads an archive up to a moment, or to its end, and then goes on as a database; `timeline` is
 * the line of changes that it follows, see timelines.ts.
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

/** How many segments a server has archived since it was made, and whether the last try failed. */
export async function readArchiver(
  db: Db,
): Promise<{ readonly archived: number; readonly isFailing: boolean }> {
  const { rows } = await sql<{ archived: number; is_failing: boolean }>`
    select archived_count as archived,
      coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as is_failing
    from pg_stat_archiver`.execute(db);
  return { archived: rows[0]?.archived ?? 0, isFailing: rows[0]?.is_failing === true };
}

/** Names the files of a data directory that a base backup leaves out: what belongs to the running server alone. */
export const isLeftOut = (name: string): boolean =>
  /^(pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\//.test(name) ||
  /^(postmaster\.(pid|opts)|backup_label.*|tablespace_map.*|\.s\.PGSQL.*)$/.test(name) ||
  // What these say is done: who can write to a backup must not have commands run by it. See OWN_SETTINGS.
  /^(postgresql(\.auto)?\.conf|pg_hba\.conf|pg_ident\.conf|recovery\..*|standby\.signal)$/.test(name) ||
  /(^|\/)(pgsql_tmp.*|pg_internal\.init.*)$/.test(name);

/** The files of settings that a database is given instead of those left out. All else is said when it is started. */
export const OWN_SETTINGS: Readonly<Record<string, string>> = {
  'postgresql.conf': "listen_addresses = ''\n",
  'postgresql.auto.conf': '',
  // Whoever reaches the socket is its owner, see embedded.ts.
  'pg_hba.conf': 'local all all trust\nlocal replication all trust\n',
  'pg_ident.conf': '',
};

/** Folders that PostgreSQL wants to find, empty ones too. */
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

/** Whether a server keeps an archive. */
async function isArchiving(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ archive_mode: string }>('show archive_mode');
  return rows[0]?.archive_mode === 'on';
}

/**
 * Lets `work` copy a running server's files as they are; together with the archive they make a whole. Answers the content of
 * backup_label, which belongs to them; null when the server keeps no archive, and then nothing was done.
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
