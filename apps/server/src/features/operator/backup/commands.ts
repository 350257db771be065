/**
 * Backup commands of the operator's tool; each returns lines to print. Some of them work on a
 * database that is not running, so each opens what it needs.
 */
import path from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { openBlobs } from '../../../adapters/open-files.ts';
import type { Logger } from '../../../base/logger.ts';
import type { Config } from '../../../config/config.ts';
import { openService } from '../../../db/open.ts';
import { createDb, createPool } from '../../../db/pool.ts';
import { openServerKey } from '../server-key/index.ts';
import { archiveRest } from './archive-rest.ts';
import { BackupError } from './failure.ts';
import { noteBackup } from './last-backup.ts';
import { type Manifest, verifyBackup } from './manifest.ts';
import { findKeepsVersions, type MissingBlobs, restoreContainers } from './missing-blobs.ts';
import { moveDatabase } from './move-database.ts';
import { restoreTo, takeBaseBackup } from './point-in-time.ts';
import { restoreBackup } from './restore.ts';
import { removeOldBackups } from './retention.ts';
import { type BackupOptions, type Source, takeBackup } from './take.ts';

const WITH_KEY = '--with-master-key';
const WITHOUT_KEY = '--without-master-key';
const WITHOUT_MARK = '--without-mark';
const KEEP = /^--keep=([1-9]\d{0,3})$/;

export const BACKUP_USAGE = `  backup DIR [${WITH_KEY}] [--keep=N]
                                 back up database and containers into the new folder DIR while the service runs, and verify
                                 it; then keep only the N newest backups of this service in the parent folder
  verify-backup DIR              verify a backup against its hashes
  restore DIR [${WITHOUT_KEY}] [${WITHOUT_MARK}]
                                 restore a backup into an empty database, and the missing containers
  base-backup DIR [${WITH_KEY}]  copy the files of the embedded PostgreSQL, for restore-to
  restore-to TIME DIR ARCHIVE [${WITHOUT_MARK}]
                                 restore the embedded database to TIME (2026-11-23T12:00:00Z, or latest)
  restore-containers             after your own PostgreSQL was restored to an earlier time: restore the containers that
                                 were removed from the bucket since, from its versions
  archive-rest FOLDER ARCHIVE    archive the last changes of a data folder that was moved aside, for restore-to
  move-database [URL]            move the stopped embedded database to the one of a postgres:// URL. If the URL has a
                                 password, set KEYFOLD_MOVE_TO or use standard input instead`;

const isTime = (text: string): boolean =>
  text === 'latest' ||
  (/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/.test(text) &&
    !Number.isNaN(Date.parse(text)));

const isPostgresUrl = (text: string): boolean => /^postgres(ql)?:\/\//.test(text) && URL.canParse(text);

/**
 * Returns whether a URL may be a command-line argument, which every account of the machine can read
 * while the program runs.
 */
function isOpenUrl(text: string): boolean {
  const { password, searchParams } = new URL(text);
  return password === '' && !searchParams.has('password');
}

/**
 * Returns the target of a database move: the argument, otherwise KEYFOLD_MOVE_TO, otherwise a line
 * of standard input.
 */
async function readTarget(given: string, { moveTo }: Pick<Config, 'moveTo'>): Promise<string> {
  if (given !== '') {
    if (isOpenUrl(given)) return given;
    throw new BackupError(
      'Other accounts on this machine can read a password in the arguments of a command. Change that password, and pass the URL in KEYFOLD_MOVE_TO or on standard input',
    );
  }
  const url = moveTo ?? (await text(process.stdin)).trim();
  if (!isPostgresUrl(url))
    throw new BackupError('KEYFOLD_MOVE_TO or standard input must contain a postgres:// URL');
  return url;
}

const isBackupOptions = (options: readonly string[]): boolean =>
  options.every(option => option === WITH_KEY || KEEP.test(option)) &&
  options.filter(option => option === WITH_KEY).length <= 1 &&
  options.filter(option => KEEP.test(option)).length <= 1;

/** Returns how many backups to keep; null for all. */
function keptOf(options: readonly string[]): number | null {
  const given = options.map(option => KEEP.exec(option)?.[1]).find(count => count !== undefined);
  return given === undefined ? null : Number(given);
}

/** Returns whether the arguments are a backup command. */
export function isBackupCommand([command, ...rest]: readonly string[]): boolean {
  const [first = '', second = '', third = ''] = rest;
  const isFolder = (text: string) => text !== '' && !text.startsWith('--');
  const hasOption = (option: string) => rest.length === 1 || (rest.length === 2 && second === option);
  const hasOnly = (options: readonly string[], ...allowed: string[]) =>
    new Set(options).size === options.length && options.every(option => allowed.includes(option));
  switch (command) {
    case 'backup':
      return isFolder(first) && isBackupOptions(rest.slice(1));
    case 'base-backup':
      return isFolder(first) && hasOption(WITH_KEY);
    case 'restore':
      return isFolder(first) && hasOnly(rest.slice(1), WITHOUT_KEY, WITHOUT_MARK);
    case 'verify-backup':
      return isFolder(first) && rest.length === 1;
    case 'archive-rest':
      return isFolder(first) && isFolder(second) && rest.length === 2;
    case 'restore-to':
      return isTime(first) && isFolder(second) && isFolder(third) && hasOnly(rest.slice(3), WITHOUT_MARK);
    case 'restore-containers':
      return rest.length === 0;
    case 'move-database':
      return rest.length === 0 || (isPostgresUrl(first) && rest.length === 1);
    default:
      return false;
  }
}

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;
const rowsOf = ({ tables }: Manifest): number => tables.reduce((sum, { rows }) => sum + rows, 0);

const whatIsIn = (manifest: Manifest): string =>
  manifest.kind === 'tables'
    ? `${plural(rowsOf(manifest), 'row')} of ${plural(manifest.tables.length, 'table')} and ${plural(manifest.containers.count, 'container')}`
    : `the files of PostgreSQL ${manifest.postgres_version} and ${plural(manifest.containers.count, 'container')}`;

/**
 * Returns whether a backup of tables contains no account, which means that it was taken of the
 * wrong service.
 */
const isOfNobody = ({ kind, tables }: Manifest): boolean =>
  kind === 'tables' && !tables.some(({ name, rows }) => name === 'users' && rows > 0);

const removedLines = (removed: readonly string[]): string[] =>
  removed.length === 0 ? [] : [`Removed ${plural(removed.length, 'older backup')}: ${removed.join(', ')}`];

const missingLines = (missing: number): string[] =>
  missing === 0 ? [] : [`${plural(missing, 'container')} that mail refers to could not be found.`];

const refusedLines = (isRefused: boolean): string[] =>
  isRefused
    ? [
        'The bucket denied access to its versions or did not respond. Grant s3:ListBucketVersions and s3:DeleteObjectVersion to the account of S3_ACCESS_KEY, then run restore-containers.',
      ]
    : [];

const versionLines = async (config: Config): Promise<string[]> =>
  (await findKeepsVersions(config)) === false
    ? [
        'The bucket keeps no versions, so a restore to a point in time lacks containers that were removed later. To keep versions, see docs/operations.md, Backups.',
      ]
    : [];

/** Returns lines about the containers that were missing. Throws BackupError when some are gone. */
async function lackingLines(
  config: Config,
  { named, broughtBack, gone, isRefused }: MissingBlobs,
): Promise<string[]> {
  const came = `Restored ${plural(broughtBack, 'container')} from the versions of the bucket`;
  const of = `of ${plural(named, 'container')} that mail refers to`;
  const further = await versionLines(config);
  if (gone === 0) return [`${came}; none ${of} is missing.`, ...further];
  throw new BackupError(
    [`${came}; ${gone} ${of} could not be found.`, ...refusedLines(isRefused), ...further].join('\n'),
  );
}

const markLines = (isMarked: boolean): string[] =>
  isMarked
    ? []
    : ['The backup has no MAC that this server could verify. Its integrity depends on where it was stored.'];
const ENDED =
  'All sessions have ended, so users must sign in again. Recovery codes that were used since then are valid again.';

async function takeWith(
  config: Config,
  logger: Logger,
  dir: string,
  options: BackupOptions,
  take: (source: Source, dir: string, options: BackupOptions) => Promise<Manifest>,
): Promise<string[]> {
  const database = await openService(config, logger);
  const db = createDb(createPool(database.connection, logger, 2));
  try {
    const { connection } = database;
    await openServerKey(db, { dataDir: config.dataDir, mayMake: false });
    const source = { connection, db, blobs: await openBlobs(config), dataDir: config.dataDir };
    const manifest = await take(source, dir, options);
    await verifyBackup(dir);
    await noteBackup(db, manifest);
    return [
      `${dir} contains ${whatIsIn(manifest)}, as of ${manifest.made_at}.`,
      ...missingLines(manifest.containers.missing.length),
      manifest.master_key.is_inside
        ? "It includes the server's key: protect it from other readers."
        : "It does not include the server's key (keys/master.key): keep a copy of the key elsewhere.",
    ];
  } finally {
    await db.destroy();
    await database.close();
  }
}

/** Runs a command that isBackupCommand recognizes. Rejects with BackupError when it fails. */
export async function runBackupCommand(
  config: Config,
  logger: Logger,
  [command, first = '', second = '', third = '', ...more]: readonly string[],
): Promise<string[]> {
  const dir = path.resolve(first);
  switch (command) {
    case 'backup': {
      const options = [second, third];
      const lines = await takeWith(
        config,
        logger,
        dir,
        { hasMasterKey: options.includes(WITH_KEY) },
        takeBackup,
      );
      const keep = keptOf(options);
      return [...lines, ...(keep === null ? [] : removedLines(await removeOldBackups(dir, keep)))];
    }
    case 'base-backup':
      return [
        ...(await takeWith(config, logger, dir, { hasMasterKey: second === WITH_KEY }, (...rest) =>
          takeBaseBackup(config, ...rest),
        )),
        ...(await versionLines(config)),
      ];
    case 'verify-backup': {
      const manifest = await verifyBackup(dir);
      return [
        `${dir} is complete${isOfNobody(manifest) ? ' and EMPTY (it has no accounts)' : ''}: ${whatIsIn(manifest)}, as of ${manifest.made_at}.`,
        ...missingLines(manifest.containers.missing.length),
      ];
    }
    case 'restore': {
      const { manifest, containers, isMarked } = await restoreBackup(config, logger, dir, {
        isKeyless: [second, third].includes(WITHOUT_KEY),
        isMarkless: [second, third].includes(WITHOUT_MARK),
      });
      return [
        `Restored ${whatIsIn(manifest)}, as of ${manifest.made_at}; copied ${plural(containers, 'missing container')}.`,
        ...missingLines(manifest.containers.missing.length),
        ...markLines(isMarked),
        ENDED,
      ];
    }
    case 'restore-containers':
      return lackingLines(config, await restoreContainers(config, logger));
    case 'archive-rest':
      return [`Archived ${plural(archiveRest(config, dir, path.resolve(second)), 'segment')}.`];
    case 'restore-to': {
      const until = first === 'latest' ? null : new Date(first);
      const [backup, archive] = [path.resolve(second), path.resolve(third)];
      const isMarkless = more.includes(WITHOUT_MARK);
      const restored = await restoreTo(config, logger, backup, archive, until, { isMarkless });
      return [
        `Restored the database to ${until === null ? 'the end of the archive' : until.toISOString()}; copied ${plural(restored.containers, 'missing container')}.`,
        ...missingLines(restored.missing),
        ...refusedLines(restored.isRefused),
        ...(await versionLines(config)),
        ...markLines(restored.isMarked),
        ...(restored.isArchiveMarked
          ? []
          : [
              'The archive of changes has no MACs that this server could verify. Its integrity depends on where it was stored.',
            ]),
        ENDED,
        'Take a new base backup once the service runs: the archive continues on a new timeline.',
      ];
    }
    default: {
      const moved = await moveDatabase(config, logger, await readTarget(first, config));
      return [
        `Moved ${plural(moved.rows, 'row')} of ${plural(moved.tables, 'table')} and compared each table on both sides.`,
        'Set DATABASE_URL to that address and start the service. The old database stays in place but is no longer used.',
      ];
    }
  }
}
