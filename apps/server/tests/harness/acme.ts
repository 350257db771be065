/**
 * A certificate authority with ACME: Caddy's, as Debian packages it. It verifies names at port 80
 * of the addresses in a hosts file of its own, so the tests' names need no DNS. Needs root, for
 * port 80 and for that file.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { findFreePort } from '@keyfold/testing/product';

const START_TIMEOUT_MS = 30_000;
const POLL_MS = 100;

const TRIAL = 'mount --bind /etc/hosts /etc/hosts && exec caddy version';

/** Why there is no such authority here; null when there is one. */
export const noAuthority: string | null =
  process.platform !== 'linux' || process.getuid?.() !== 0
    ? 'needs root on Linux'
    : spawnSync('unshare', ['--mount', 'sh', '-c', TRIAL]).status === 0
      ? null
      : 'needs Caddy and mount namespaces';

export type AcmeAuthority = {
  readonly directoryUrl: string;
  /** Certificate of the authority, as PEM. */
  readonly root: string;
  /** Everything it logged. */
  readonly log: () => string;
  readonly close: () => Promise<void>;
};

const configOf = (dir: string, port: number, plainPort: number) => ({
  admin: { disabled: true },
  storage: { module: 'file_system', root: path.join(dir, 'data') },
  apps: {
    pki: { certificate_authorities: { local: { install_trust: false } } },
    tls: {
      certificates: { automate: ['localhost'] },
      automation: { policies: [{ subjects: ['localhost'], issuers: [{ module: 'internal' }] }] },
    },
    http: {
      http_port: plainPort,
      https_port: port,
      servers: {
        acme: {
          listen: [`127.0.0.1:${port}`],
          automatic_https: { disable_redirects: true },
          routes: [{ match: [{ host: ['localhost'] }], handle: [{ handler: 'acme_server', ca: 'local' }] }],
        },
      },
    },
  },
});

async function whenReady(caddy: ChildProcess, log: () => string): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!log().includes('serving initial configuration')) {
    if (caddy.exitCode !== null || Date.now() > deadline) throw new Error(`Caddy did not start:\n${log()}`);
    await new Promise(resolve => setTimeout(resolve, POLL_MS));
  }
}

/** Starts an authority that finds names at these addresses. */
export async function startAuthority(addresses: Readonly<Record<string, string>>): Promise<AcmeAuthority> {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'kf-acme-'));
  const [port, plainPort] = [await findFreePort(), await findFreePort()];
  const [hosts, config] = [path.join(dir, 'hosts'), path.join(dir, 'caddy.json')];
  const lines = Object.entries({ localhost: '127.0.0.1', ...addresses }).map(entry =>
    entry.reverse().join(' '),
  );
  writeFileSync(hosts, `${lines.join('\n')}\n`);
  writeFileSync(config, JSON.stringify(configOf(dir, port, plainPort)));
  const script = 'mount --bind "$1" /etc/hosts && exec caddy run --config "$2"';
  const caddy = spawn('unshare', ['--mount', 'sh', '-c', script, 'sh', hosts, config], {
    env: { PATH: process.env.PATH, HOME: dir, XDG_DATA_HOME: dir, XDG_CONFIG_HOME: dir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [caddy.stdout, caddy.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
  const close = async (): Promise<void> => {
    if (caddy.exitCode === null) {
      const gone = new Promise(resolve => caddy.once('exit', resolve));
      caddy.kill('SIGKILL');
      await gone;
    }
    rmSync(dir, { recursive: true, force: true });
  };
  try {
    await whenReady(caddy, () => text);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    directoryUrl: `https://localhost:${port}/acme/local/directory`,
    root: readFileSync(path.join(dir, 'data/pki/authorities/local/root.crt'), 'utf8'),
    log: () => text,
    close,
  };
}
