/**
 * Nodes of one service for a test: processes with separate data directories over one database and
 * one bucket. Besides those they share only the server key.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { findFreePort } from '@keyfold/testing/product';
import { expect } from 'vitest';
import type { S3Options } from '../../src/adapters/s3-bucket.ts';

const MAIN = path.resolve(import.meta.dirname, '../../src/main.ts');
const PATIENCE = { timeout: 60_000, interval: 50 };

export type Node = {
  readonly httpUrl: string;
  readonly smtpPort: number;
  readonly dataDir: string;
  /** Kills the node with -9. Resolves when the process is gone. */
  readonly kill: () => Promise<void>;
};

export type Nodes = {
  /** Starts another node with these roles. */
  readonly start: (roles: string) => Promise<Node>;
  /** Kills all nodes and removes their data. */
  readonly close: () => Promise<void>;
};

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise(resolve => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}

/** Prepares the nodes. `env` adds to the configuration of each. */
export function createNodes(shared: {
  readonly databaseUrl: string;
  readonly s3: S3Options;
  readonly env?: Readonly<Record<string, string>>;
}): Nodes {
  const root = mkdtempSync(path.join(os.tmpdir(), 'kf-nodes-'));
  const children: ChildProcess[] = [];

  const start = async (roles: string): Promise<Node> => {
    const dataDir = mkdtempSync(path.join(root, 'node-'));
    // All nodes use the same key, which the first one created.
    if (children.length > 0) cpSync(path.join(root, 'keys'), path.join(dataDir, 'keys'), { recursive: true });
    const [port, smtpPort] = [await findFreePort(), await findFreePort()];
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN], {
      env: {
        PATH: process.env.PATH,
        HOME: os.tmpdir(),
        DATABASE_URL: shared.databaseUrl,
        S3_ENDPOINT: shared.s3.endpoint,
        S3_BUCKET: shared.s3.bucket,
        S3_ACCESS_KEY: shared.s3.accessKey,
        S3_SECRET_KEY: shared.s3.secretKey,
        KEYFOLD_ROLES: roles,
        KEYFOLD_DATA: dataDir,
        KEYFOLD_HOST: '127.0.0.1',
        KEYFOLD_LOG: 'error',
        KEYFOLD_CAPTCHA_COST: '0',
        KEYFOLD_WELCOME: 'off',
        KEYFOLD_SEND_WATCH: 'false',
        PORT: String(port),
        SMTP_PORT: String(smtpPort),
        METRICS_PORT: '0',
        ...shared.env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.push(child);
    let output = '';
    child.stdout.on('data', chunk => (output += chunk));
    child.stderr.on('data', chunk => (output += chunk));
    const ended = () => `ended with ${child.exitCode ?? child.signalCode}: ${output}`;
    await expect
      .poll(() => (child.exitCode === null && child.signalCode === null ? output : ended()), PATIENCE)
      .toContain('Keyfold is running.');
    if (children.length === 1)
      cpSync(path.join(dataDir, 'keys'), path.join(root, 'keys'), { recursive: true });
    return { httpUrl: `http://localhost:${port}`, smtpPort, dataDir, kill: () => kill(child) };
  };

  return {
    start,
    close: async () => {
      for (const child of children) await kill(child);
      rmSync(root, { recursive: true, force: true });
    },
  };
}
