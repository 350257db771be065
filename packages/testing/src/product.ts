// Starts the whole product as an operator would, as a process of its own with its own embedded PostgreSQL and data
// directory, for stories that need all of it. It can be stopped gently, killed, and started again on the same data.
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
  /** Id of the process. Throws while it does not run. */
  readonly pid: () => number;
  /** Everything the process printed, its log included. */
  readonly output: () => string;
  readonly start: () => Promise<void>;
  /** Ends it as SIGTERM does; resolves when it is gone. */
  readonly stop: () => Promise<void>;
  /** kill -9. Resolves when it is gone. */
  readonly kill: () => Promise<void>;
  /** kill -9 of it and of everything it started, PostgreSQL included, at one moment. */
  readonly killAll: () => Promise<void>;
  /** kill -9 of PostgreSQL alone, which it starts again. Resolves when it is ready again. */
  readonly killDatabase: () => Promise<void>;
  /** Stops it and removes its data. */
  readonly remove: () => Promise<void>;
};

/** Ports below those that systems give to connections, which could take one before its server listens. */
const ports = { first: 12_000, count: 20_000 } as const;

const isFree = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const server = net.createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

/** A port that was free a moment ago. */
export async function findFreePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const port = ports.first + Math.floor(Math.random() * ports.count);
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
          // Stories count the messages of new accounts.
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
    // PostgreSQL first: it must not hear of its parent's end and shut down in order.
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
