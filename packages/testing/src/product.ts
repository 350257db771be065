// Starts the whole product as an operator would, in its own process with its own embedded
// PostgreSQL and data directory, for end-to-end tests. It can be stopped gracefully, killed, and
// restarted on the same data.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { findDescendants, killHard } from './process-tree.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const START_TIMEOUT_MS = 60_000;
const POLL_MS = 50;

export type Product = {
  readonly baseUrl: string;
  readonly httpPort: number;
  readonly smtpPort: number;
  readonly dataDir: string;
  /** Process id. Throws while it is not running. */
  readonly pid: () => number;
  /** Everything the process printed, including its log. */
  readonly output: () => string;
  readonly start: () => Promise<void>;
  /** Stops it with SIGTERM; resolves when it has exited. */
  readonly stop: () => Promise<void>;
  /** Kills it with -9. Resolves when it has exited. */
  readonly kill: () => Promise<void>;
  /** Kills it and everything it started with -9, including PostgreSQL, at the same moment. */
  readonly killAll: () => Promise<void>;
  /**
   * Kills PostgreSQL alone with -9; the product restarts it. Resolves when the product is ready
   * again.
   */
  readonly killDatabase: () => Promise<void>;
  /** Stops it and removes its data. */
  readonly remove: () => Promise<void>;
};

/**
 * Ports below the ephemeral range, where the system could assign one to a connection before its
 * server listens.
 */
const ports = { first: 12_000, count: 20_000 } as const;

const isFree = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const server = net.createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

/** Ports that this process has given out. */
const taken = new Set<number>();

/** Returns a port that was free a moment ago, and never the same port twice. */
export async function findFreePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const port = ports.first + Math.floor(Math.random() * ports.count);
    if (taken.has(port)) continue;
    taken.add(port);
    if (await isFree(port)) return port;
  }
  throw new Error('No port of a hundred was free');
}

const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));

async function isReady(baseUrl: string): Promise<boolean> {
  try {
    return (await fetch(`${baseUrl}/ready`, { signal: AbortSignal.timeout(2_000) })).ok;
  } catch {
    return false;
  }
}

/** Prepares a product on free ports; call `start`. `env` adds to its configuration. */
export async function createProduct(env: Readonly<Record<string, string>> = {}): Promise<Product> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'kf-e2e-'));
  const [httpPort, smtpPort] = [await findFreePort(), await findFreePort()];
  const baseUrl = `http://localhost:${httpPort}`;
  let child: ChildProcess | null = null;
  let output = '';

  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const running = child;
    child = null;
    if (running === null || running.exitCode !== null || running.signalCode !== null) return;
    const gone = new Promise(resolve => running.once('exit', resolve));
    running.kill(signal);
    await gone;
  };

  const start = async (): Promise<void> => {
    const started = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', 'apps/server/src/main.ts'],
      {
        cwd: root,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: {
          PATH: process.env.PATH,
          HOME: process.env.HOME,
          PORT: String(httpPort),
          SMTP_PORT: String(smtpPort),
          METRICS_PORT: '0',
          KEYFOLD_HOST: '127.0.0.1',
          KEYFOLD_DATA: dataDir,
          KEYFOLD_CAPTCHA_COST: '10',
          // Tests count the messages of new accounts.
          KEYFOLD_WELCOME: 'off',
          ...env,
        },
      },
    );
    child = started;
    const keep = (chunk: Buffer) => {
      output += chunk.toString();
    };
    started.stdout?.on('data', keep);
    started.stderr?.on('data', keep);
    await becomeReady(started);
  };

  const becomeReady = async (running: ChildProcess): Promise<void> => {
    const deadline = Date.now() + START_TIMEOUT_MS;
    while (!(await isReady(baseUrl))) {
      if (running.exitCode !== null || running.signalCode !== null)
        throw new Error(`The server ended:\n${output}`);
      if (Date.now() > deadline) throw new Error(`The server did not get ready:\n${output}`);
      await pause(POLL_MS);
    }
  };

  const getRunning = (): { readonly running: ChildProcess; readonly pid: number } => {
    if (child?.pid === undefined) throw new Error('The server is not running');
    return { running: child, pid: child.pid };
  };

  const killAll = async (): Promise<void> => {
    const { pid } = getRunning();
    // PostgreSQL first: it must not notice its parent's exit and shut down cleanly.
    killHard([...(await findDescendants(pid)), pid]);
    await end('SIGKILL');
  };

  const killDatabase = async (): Promise<void> => {
    const { running, pid } = getRunning();
    killHard(await findDescendants(pid));
    await becomeReady(running);
  };

  return {
    baseUrl,
    httpPort,
    smtpPort,
    dataDir,
    pid: () => getRunning().pid,
    output: () => output,
    start,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    killAll,
    killDatabase,
    remove: async () => {
      await end('SIGTERM');
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
