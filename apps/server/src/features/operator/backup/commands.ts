/**
 * What the operator's tool does with backups: lines to print for a command. Some of these commands work on a database that
 * does not run, so each opens what it needs.
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
                                 copy database and containers into the new folder DIR, while the service runs, and read it
                                 back; then remove all but the N newest backups of this service beside it
  verify-backup DIR              read all of a backup and compare it with its hashes
  restore DIR [${WITHOUT_KEY}] [${WITHOUT_MARK}]
                                 put a backup into an empty database, and the containers that are lacking
  base-backup DIR [${WITH_KEY}]  copy the embedded PostgreSQL as it lies, for restore-to
  restore-to TIME DIR ARCHIVE [${WITHOUT_MARK}]
                                 make the embedded database as it was at TIME (2026-11-23T12:00:00Z, or latest)
  restore-containers             bring back what the database names and the bucket removed since, from the bucket's versions,
                                 after a PostgreSQL of yours was taken back to a moment
  archive-rest FOLDER ARCHIVE    bring the last changes of a PostgreSQL that was put aside into its archive, for restore-to
  move-database [URL]            move the embedded database, which must not be running, to that of a postgres:// URL;
                                 with a password in it: KEYFOLD_MOVE_TO, or a line of standard input, instead of URL`;

const isTime = (text: string): boolean =>
  text === 'latest' ||
  (/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/.test(text) &&
    !Number.isNaN(Date.parse(text)));

const isPostgresUrl = (text: string): boolean => /^postgres(ql)?:\/\//.test(text) && URL.canParse(text);

/** Whether a URL may stand among a program's words, which every account of the machine can read while it runs. */
function isOpenUrl(text: string): boolean {
  const { password, searchParams } = new URL(text);
  return password === '' && !searchParams.has('password');
}

/** Where to move the database to: what was given openly, else KEYFOLD_MOVE_TO, else a line of standard input. */
async function readTarget(given: string, { moveTo }: Pick<Config, 'moveTo'>): Promise<string> {
  if (given !== '') {
    if (isOpenUrl(given)) return given;
    throw new BackupError(
      'A password among the words of a command can be read by others on this machine: put the URL into KEYFOLD_MOVE_TO, or on standard input, and change that password',
    );
  }
  const url = moveTo ?? (await text(process.stdin)).trim();
  if (!isPostgresUrl(url))
    throw new BackupError('What KEYFOLD_MOVE_TO or standard input holds is no postgres:// URL');
  return url;
}

const isBackupOptions = (options: readonly string[]): boolean =>
  options.every(option => option === WITH_KEY || KEEP.test(option)) &&
  options.filter(option => option === WITH_KEY).length <= 1 &&
  options.filter(option => KEEP.test(option)).length <= 1;

/** How many backups to keep; null for all. */
function keptOf(options: readonly string[]): number | null {
  const given = options.map(option => KEEP.exec(option)?.[1]).find(count => count !== undefined);
  return given === undefined ? null : Number(given);
}

/** Whether words are a command of these. */
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

/** Whether a backup of tables has no account in it: it was taken of another service than its maker meant. */
const isOfNobody = ({ kind, tables }: Manifest): boolean =>
  kind === 'tables' && !tables.some(({ name, rows }) => name === 'users' && rows > 0);

const removedLines = (removed: readonly string[]): string[] =>
  removed.length === 0 ? [] : [`Removed ${plural(removed.length, 'older backup')}: ${removed.join(', ')}`];

const missingLines = (missing: number): string[] =>
  missing === 0 ? [] : [`${plural(missing, 'container')} that mail refers to could not be found.`];

const refusedLines = (isRefused: boolean): string[] =>
  isRefused
    ? [
        'The bucket does not show what was removed, does not let it come back, or did not answer: the account of S3_ACCESS_KEY needs s3:ListBucketVersions and s3:DeleteObjectVersion. Then use restore-containers.',
      ]
    : [];

const versionLines = async (config: Config): Promise<string[]> =>
  (await findKeepsVersions(config)) === false
    ? [
        'The bucket keeps no versions: a restore to a point in time lacks what is removed from it after that moment. docs/operations.md, Backups, says how to keep them.',
      ]
    : [];

/** What became of the containers that were lacking. Throws BackupError when some are gone. */
async function lackingLines(
  config: Config,
  { named, broughtBack, gone, isRefused }: MissingBlobs,
): Promise<string[]> {
  const came = `${plural(broughtBack, 'container')} came back from the bucket's versions`;
  const of = `of ${plural(named, 'container')} that mail refers to`;
  const further = await versionLines(config);
  if (gone === 0) return [`${came}; none ${of} is lacking.`, ...further];
  throw new BackupError(
    [`${came}; ${gone} ${of} could not be found.`, ...refusedLines(isRefused), ...further].join('\n'),
  );
}

const markLines = (isMarked: boolean): string[] =>
  isMarked
    ? []
    : ["No key of this server's vouches for the backup: that nobody changed it is for its place to say."];
const ENDED =
  'Everybody signs in anew: sessions of that time were ended. Recovery codes that were used since are good again.';

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
      `${dir} holds ${whatIsIn(manifest)}, as of ${manifest.made_at}.`,
      ...missingLines(manifest.containers.missing.length),
      manifest.master_key.is_inside
        ? "The server's key is in it: keep it where nobody reads it."
        : "The server's key (keys/master.key) is not in it: keep a copy of that elsewhere.",
    ];
  } finally {
    await db.destroy();
    await database.close();
  }
}

/** Does a command that isBackupCommand knows. Rejects with BackupError when it cannot be done. */
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
        `${dir} is whole${isOfNobody(manifest) ? ', and EMPTY: it holds no account' : ''}: ${whatIsIn(manifest)}, as of ${manifest.made_at}.`,
        ...missingLines(manifest.containers.missing.length),
      ];
    }
    case 'restore': {
      const { manifest, containers, isMarked } = await restoreBackup(config, logger, dir, {
        isKeyless: [second, third].includes(WITHOUT_KEY),
        isMarkless: [second, third].includes(WITHOUT_MARK),
      });
      return [
        `Restored ${whatIsIn(manifest)}, as of ${manifest.made_at}; ${plural(containers, 'container')} had to be put back.`,
        ...missingLines(manifest.containers.missing.length),
        ...markLines(isMarked),
        ENDED,
      ];
    }
    case 'restore-containers':
      return lackingLines(config, await restoreContainers(config, logger));
    case 'archive-rest':
      return [
        `${plural(archiveRest(config, dir, path.resolve(second)), 'segment')} brought into the archive.`,
      ];
    case 'restore-to': {
      const until = first === 'latest' ? null : new Date(first);
      const [backup, archive] = [path.resolve(second), path.resolve(third)];
      const isMarkless = more.includes(WITHOUT_MARK);
      const restored = await restoreTo(config, logger, backup, archive, until, { isMarkless });
      return [
        `The database is as it was ${until === null ? 'at the end of the archive' : `at ${until.toISOString()}`}; ${plural(restored.containers, 'container')} had to be put back.`,
        ...missingLines(restored.missing),
        ...refusedLines(restored.isRefused),
        ...(await versionLines(config)),
        ...markLines(restored.isMarked),
        ...(restored.isArchiveMarked
          ? []
          : [
              "No key of this server's vouches for the archive of changes: that nobody changed it is for its place to say.",
            ]),
        ENDED,
        'Take a new base backup once the service runs: the archive goes on from here on a line of its own.',
      ];
    }
    default: {
      const moved = await moveDatabase(config, logger, await readTarget(first, config));
      return [
        `${plural(moved.rows, 'row')} of ${plural(moved.tables, 'table')} moved, each table compared on both sides.`,
        'Set DATABASE_URL to that address and start the service. The old database stays where it is, and is not used again.',
      ];
    }
  }
}
