// The nodes of a cluster: server processes with their own data folders, which can be killed and
// started again.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { ALLOCATOR } from './allocator.ts';
import type { Place } from './balancer.ts';
import type { ClusterNetwork } from './network.ts';
import { endProcess, execArgv, hasEnded, root, type SharedProcess } from './processes.ts';

const mainScript = path.join(root, 'apps/server/src/main.ts');
const START_TIMEOUT_MS = 60_000;
const POLL_MS = 50;
/** Characters of the nodes' output in an error. */
const OUTPUT_SHOWN = 4000;

export type Nodes = {
  readonly dataDir: string;
  readonly baseUrl: string;
  /** Added to the configuration of each node. */
  readonly env: Readonly<Record<string, string>>;
  readonly network: ClusterNetwork;
  readonly places: readonly Place[];
  /** The process of each node; null before its first start. */
  readonly children: (ChildProcess | null)[];
  readonly kills: number[];
  readonly restartsMs: number[];
  output: string;
};

const sleep = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));

export const createNodes = (
  options: Pick<Nodes, 'baseUrl' | 'dataDir' | 'env' | 'network' | 'places'>,
): Nodes => ({
  ...options,
  children: options.places.map(() => null),
  kills: options.places.map(() => 0),
  restartsMs: [],
  output: '',
});

const homeOf = ({ dataDir }: Nodes, index: number): string => path.join(dataDir, `nodes/${index}`);

/** Folder of the service's keys, which nodes share besides database and bucket. */
const keysOf = ({ dataDir }: Nodes): string => path.join(dataDir, 'keys');

async function makeHome(nodes: Nodes, index: number): Promise<void> {
  const home = homeOf(nodes, index);
  await mkdir(home, { recursive: true, mode: 0o700 });
  const keys = keysOf(nodes);
  if (existsSync(keys)) await cp(keys, path.join(home, 'keys'), { recursive: true });
}

async function isReady({ host, httpPort }: Place): Promise<boolean> {
  try {
    return (await fetch(`http://${host}:${httpPort}/ready`, { signal: AbortSignal.timeout(2_000) })).ok;
  } catch {
    return false;
  }
}

function environmentOf(nodes: Nodes, index: number, place: Place, { bucket, dnsServer }: SharedProcess) {
  const { baseUrl, env, network } = nodes;
  return {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    PORT: String(place.httpPort),
    SMTP_PORT: String(place.smtpPort),
    METRICS_PORT: '0',
    KEYFOLD_HOST: place.host,
    KEYFOLD_URL: baseUrl,
    KEYFOLD_DATA: homeOf(nodes, index),
    KEYFOLD_CAPTCHA_COST: '10',
    KEYFOLD_WELCOME: 'off',
    KEYFOLD_TRUSTED_PROXIES: network.cidr,
    KEYFOLD_MAIL_GATEWAYS: `127.0.0.0/8,::1,${network.cidr}`,
    DATABASE_URL: `postgres://keyfold@${network.sharedAddress}:5432/postgres`,
    DNS_SERVERS: dnsServer,
    S3_ENDPOINT: bucket.endpoint,
    S3_BUCKET: bucket.bucket,
    S3_ACCESS_KEY: bucket.accessKey,
    S3_SECRET_KEY: bucket.secretKey,
    ...ALLOCATOR,
    ...env,
  };
}

/** Starts a node; resolves when it is ready. */
export async function startNode(nodes: Nodes, index: number, shared: SharedProcess | null): Promise<void> {
  const [place, node] = [nodes.places[index], nodes.network.nodes[index]];
  if (place === undefined || node === undefined || shared === null) throw new Error('There is no such node');
  await makeHome(nodes, index);
  const [command = '', ...args] = [...node.prefix, process.execPath, ...execArgv, mainScript];
  const child = spawn(command, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: environmentOf(nodes, index, place, shared),
  });
  nodes.children[index] = child;
  const keep = (chunk: Buffer) => {
    nodes.output += chunk.toString();
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!(await isReady(place))) {
    if (hasEnded(child)) throw new Error(`A node ended:\n${nodes.output.slice(-OUTPUT_SHOWN)}`);
    if (Date.now() > deadline)
      throw new Error(`A node did not get ready:\n${nodes.output.slice(-OUTPUT_SHOWN)}`);
    await sleep(POLL_MS);
  }
}

/** Starts all nodes. The first one creates keys and tables if there are none. */
export async function startNodes(nodes: Nodes, shared: SharedProcess | null): Promise<void> {
  await startNode(nodes, 0, shared);
  const keys = keysOf(nodes);
  if (!existsSync(keys)) await cp(path.join(homeOf(nodes, 0), 'keys'), keys, { recursive: true });
  await Promise.all(nodes.children.slice(1).map((_, index) => startNode(nodes, index + 1, shared)));
}

/** Kills a node and starts it again. */
export async function restartNode(nodes: Nodes, index: number, shared: SharedProcess | null): Promise<void> {
  await endProcess(nodes.children[index] ?? null, 'SIGKILL');
  nodes.kills[index] = (nodes.kills[index] ?? 0) + 1;
  const startedAt = performance.now();
  await startNode(nodes, index, shared);
  nodes.restartsMs.push(performance.now() - startedAt);
}

export async function endNodes({ children }: Nodes, signal: NodeJS.Signals): Promise<void> {
  await Promise.all(children.map(child => endProcess(child, signal)));
}

/** Resolves when every node is ready. */
export async function waitForNodes({ places }: Nodes): Promise<void> {
  for (const place of places) while (!(await isReady(place))) await sleep(POLL_MS);
}

export const pidsOf = ({ children }: Nodes): number[] =>
  children.flatMap(child => (child?.pid === undefined || hasEnded(child) ? [] : [child.pid]));

type Killer = { readonly start: (everyMs: number) => void; readonly stop: () => Promise<void> };

/** Restarts nodes in turn until it is stopped; `stop` rejects when a restart failed. */
export function createKiller(count: number, restart: (index: number) => Promise<void>): Killer {
  let killing: Promise<void> | null = null;
  let isKilling = false;
  const killInTurn = async (everyMs: number): Promise<void> => {
    for (let index = 0; ; index = (index + 1) % count) {
      const resumeAt = Date.now() + everyMs;
      while (Date.now() < resumeAt) {
        if (!isKilling) return;
        await sleep(POLL_MS);
      }
      await restart(index);
    }
  };
  return {
    start: everyMs => {
      isKilling = true;
      killing = killInTurn(everyMs);
      killing.catch(() => undefined);
    },
    stop: async () => {
      isKilling = false;
      const done = killing;
      killing = null;
      await done;
    },
  };
}
