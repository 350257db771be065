// The product as one service of several machines: nodes with all roles, each in a network namespace of its own, over one
// PostgreSQL and one S3 service, behind a balancer that binds nobody to a node. To a story it looks like a product of one
// process. While it runs, nodes may be killed with -9 in turn and started again; at its end what is kept is recounted.
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { findDescendants, killHard } from '../process-tree.ts';
import { findFreePort, type Product } from '../product.ts';
import { ALLOCATOR } from './allocator.ts';
import { type Balancer, createBalancer } from './balancer.ts';
import { type ClusterNetwork, makeNetwork } from './network.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const mainScript = path.join(root, 'apps/server/src/main.ts');
const sharedScript = path.join(root, 'apps/server/tests/cluster/main.ts');
const relayScript = path.join(import.meta.dirname, 'relay.ts');
const execArgv = ['--disable-warning=ExperimentalWarning'];
const START_TIMEOUT_MS = 60_000;
const POLL_MS = 50;
const HTTP_PORT = 8000;

export type ClusterOptions = {
  readonly nodes: number;
  /** Pause between a node that is back and the next kill, ms; null kills nobody. */
  readonly killEveryMs: number | null;
  /** Settings of PostgreSQL; durable unless they say otherwise. */
  readonly database?: readonly string[];
};

export type Cluster = Product & {
  readonly kind: ClusterNetwork['kind'];
  readonly balancer: Balancer;
  /** Process ids of the nodes that run. */
  readonly pids: () => readonly number[];
  /** How often each node was killed. */
  readonly kills: () => readonly number[];
  /** How long each restart took until the node answered, ms. */
  readonly restartsMs: () => readonly number[];
  /** Lets the nodes reach another port of this machine's loopback address: a peer that no configuration names. */
  readonly reach: (port: number) => Promise<void>;
  /** Kills one node, by its number from 0, and starts it again. */
  readonly restart: (index: number) => Promise<void>;
  /** What is wrong with what the nodes have kept, in words. */
  readonly recount: () => Promise<readonly string[]>;
};

type Services = {
  readonly bucket: {
    readonly endpoint: string;
    readonly bucket: string;
    readonly accessKey: string;
    readonly secretKey: string;
  };
  readonly dnsServer: string;
};

const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

async function end(child: ChildProcess | null, signal: NodeJS.Signals): Promise<void> {
  if (child === null || hasEnded(child)) return;
  const gone = new Promise(resolve => child.once('exit', resolve));
  child.kill(signal);
  await gone;
}

/** The process with PostgreSQL and the S3 service, and a way to ask it. */
async function startShared(dataDir: string, network: ClusterNetwork, settings: readonly string[]) {
  const child = fork(sharedScript, [dataDir, network.sharedAddress, network.cidr, ...settings], {
    cwd: root,
    execArgv,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  type Message = { readonly asked: string; readonly answer?: unknown; readonly error?: string };
  const answerTo = (asked: string): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const onExit = () => reject(new Error('What the nodes share has ended'));
      const onMessage = (message: Message) => {
        if (message.asked !== asked && message.error === undefined) return;
        child.off('message', onMessage);
        child.off('exit', onExit);
        if (message.error === undefined) resolve(message.answer);
        else reject(new Error(message.error));
      };
      child.on('message', onMessage);
      child.once('exit', onExit);
    });
  const ask = (asked: string): Promise<unknown> => {
    const answer = answerTo(asked);
    child.send(asked);
    return answer;
  };
  return { child, ask, ...((await answerTo('start')) as Services) };
}

/** Ports of this machine's loopback address that a configuration names: peers of the test. */
const peerPortsOf = (env: Readonly<Record<string, string>>): string[] => [
  ...new Set(
    Object.values(env).flatMap(value =>
      [...value.matchAll(/(?:127\.0\.0\.1|localhost):(\d+)/g)].map(([, port = '']) => port),
    ),
  ),
];

/** Lets nodes in namespaces reach those ports as if they were on this machine. */
function startRelays(network: ClusterNetwork, ports: readonly string[]): Promise<ChildProcess[]> {
  if (network.kind === 'loopback' || ports.length === 0) return Promise.resolve([]);
  const start = async (prefix: readonly string[], from: string, to: string): Promise<ChildProcess> => {
    const [command = '', ...args] = [
      ...prefix,
      process.execPath,
      ...execArgv,
      relayScript,
      from,
      to,
      ...ports,
    ];
    const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    await new Promise((resolve, reject) => {
      child.once('message', resolve);
      child.once('exit', () => reject(new Error('A relay did not start')));
    });
    return child;
  };
  return Promise.all([
    start([], network.sharedAddress, '127.0.0.1'),
    ...network.nodes.map(({ prefix }) => start(prefix, '127.0.0.1', network.sharedAddress)),
  ]);
}

/** Prepares a cluster; call `start`. `env` adds to the configuration of its nodes. */
export async function createCluster(
  env: Readonly<Record<string, string>>,
  { nodes: count, killEveryMs, database = [] }: ClusterOptions,
): Promise<Cluster> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'kf-cluster-'));
  const network = await makeNetwork(count);
  const isApart = network.kind === 'namespaces';
  const balancerPorts = { httpPort: await findFreePort(), smtpPort: await findFreePort() };
  const baseUrl = `http://localhost:${balancerPorts.httpPort}`;
  const places: { host: string; httpPort: number; smtpPort: number }[] = [];
  for (const { address } of network.nodes)
    places.push({ host: address, httpPort: HTTP_PORT, smtpPort: isApart ? 2525 : await findFreePort() });
  const balancer = createBalancer(places, balancerPorts);
  const kills = places.map(() => 0);
  const restartsMs: number[] = [];
  const children: (ChildProcess | null)[] = places.map(() => null);
  let shared: Awaited<ReturnType<typeof startShared>> | null = null;
  let relays: ChildProcess[] = [];
  let output = '';
  let killing: Promise<void> | null = null;
  let isKilling = false;

  const homeOf = (index: number): string => path.join(dataDir, `nodes/${index}`);

  /** A folder of a node's own, with the service's keys: all that nodes share beside database and bucket. */
  const makeHome = async (index: number): Promise<void> => {
    const home = homeOf(index);
    await mkdir(home, { recursive: true, mode: 0o700 });
    const keys = path.join(dataDir, 'keys');
    if (existsSync(keys)) await cp(keys, path.join(home, 'keys'), { recursive: true });
  };

  const isReady = async ({ host, httpPort: port }: (typeof places)[number]): Promise<boolean> => {
    try {
      return (await fetch(`http://${host}:${port}/ready`, { signal: AbortSignal.timeout(2_000) })).ok;
    } catch {
      return false;
    }
  };

  const startNode = async (index: number): Promise<void> => {
    const [place, node] = [places[index], network.nodes[index]];
    if (place === undefined || node === undefined || shared === null)
      throw new Error('There is no such node');
    await makeHome(index);
    const [command = '', ...args] = [...node.prefix, process.execPath, ...execArgv, mainScript];
    const child = spawn(command, args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        PORT: String(place.httpPort),
        SMTP_PORT: String(place.smtpPort),
        METRICS_PORT: '0',
        KEYFOLD_HOST: place.host,
        KEYFOLD_URL: baseUrl,
        KEYFOLD_DATA: homeOf(index),
        KEYFOLD_CAPTCHA_COST: '10',
        KEYFOLD_WELCOME: 'off',
        KEYFOLD_TRUSTED_PROXIES: network.cidr,
        KEYFOLD_MAIL_GATEWAYS: `127.0.0.0/8,::1,${network.cidr}`,
        DATABASE_URL: `postgres://keyfold@${network.sharedAddress}:5432/postgres`,
        DNS_SERVERS: shared.dnsServer,
        S3_ENDPOINT: shared.bucket.endpoint,
        S3_BUCKET: shared.bucket.bucket,
        S3_ACCESS_KEY: shared.bucket.accessKey,
        S3_SECRET_KEY: shared.bucket.secretKey,
        ...ALLOCATOR,
        ...env,
      },
    });
    children[index] = child;
    const keep = (chunk: Buffer) => {
      output += chunk.toString();
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const deadline = Date.now() + START_TIMEOUT_MS;
    while (!(await isReady(place))) {
      if (hasEnded(child)) throw new Error(`A node ended:\n${output.slice(-4000)}`);
      if (Date.now() > deadline) throw new Error(`A node did not get ready:\n${output.slice(-4000)}`);
      await pause(POLL_MS);
    }
  };

  const restart = async (index: number): Promise<void> => {
    await end(children[index] ?? null, 'SIGKILL');
    kills[index] = (kills[index] ?? 0) + 1;
    const startedAt = performance.now();
    await startNode(index);
    restartsMs.push(performance.now() - startedAt);
  };

  const killInTurn = async (everyMs: number): Promise<void> => {
    for (let index = 0; ; index = (index + 1) % count) {
      const resumeAt = Date.now() + everyMs;
      while (Date.now() < resumeAt) {
        if (!isKilling) return;
        await pause(POLL_MS);
      }
      await restart(index);
    }
  };

  const stopKilling = async (): Promise<void> => {
    isKilling = false;
    const done = killing;
    killing = null;
    await done;
  };

  const start = async (): Promise<void> => {
    shared ??= await startShared(dataDir, network, database);
    await shared.ask('start database');
    if (relays.length === 0) relays = await startRelays(network, peerPortsOf(env));
    // The first one makes the keys and the tables where there are none.
    await startNode(0);
    if (!existsSync(path.join(dataDir, 'keys')))
      await cp(path.join(homeOf(0), 'keys'), path.join(dataDir, 'keys'), { recursive: true });
    await Promise.all(children.slice(1).map((_, index) => startNode(index + 1)));
    await balancer.open();
    if (killEveryMs === null) return;
    isKilling = true;
    killing = killInTurn(killEveryMs);
    // Told when it is awaited.
    killing.catch(() => undefined);
  };

  const endNodes = async (signal: NodeJS.Signals): Promise<void> => {
    await stopKilling();
    await balancer.close();
    await Promise.all(children.map(child => end(child, signal)));
  };

  const stop = async (): Promise<void> => {
    await endNodes('SIGTERM');
    if (shared !== null) await shared.ask('stop database');
  };

  const recount = async (): Promise<readonly string[]> =>
    shared === null ? [] : ((await shared.ask('recount')) as readonly string[]);

  const removeAll = async (): Promise<void> => {
    await endNodes('SIGTERM').finally(async () => {
      await Promise.all(relays.map(relay => end(relay, 'SIGTERM')));
      if (shared !== null) {
        const gone = new Promise(resolve => shared?.child.once('exit', resolve));
        shared.child.disconnect();
        await gone;
      }
      await network.remove();
      await rm(dataDir, { recursive: true, force: true });
    });
  };

  const pids = (): number[] =>
    children.flatMap(child => (child?.pid === undefined || hasEnded(child) ? [] : [child.pid]));

  const killDatabase = async (): Promise<void> => {
    const pid = shared?.child.pid;
    if (pid === undefined) throw new Error('The database is not running');
    killHard(await findDescendants(pid));
    for (const place of places) while (!(await isReady(place))) await pause(POLL_MS);
  };

  return {
    ...balancerPorts,
    kind: network.kind,
    baseUrl,
    dataDir,
    balancer,
    output: () => output,
    pid: () => {
      const [first] = pids();
      if (first === undefined) throw new Error('No node is running');
      return first;
    },
    pids,
    kills: () => [...kills],
    restartsMs: () => [...restartsMs],
    reach: async port => {
      relays.push(...(await startRelays(network, [String(port)])));
    },
    restart,
    recount,
    start,
    stop,
    kill: () => endNodes('SIGKILL'),
    killAll: async () => {
      const pid = shared?.child.pid;
      if (pid !== undefined) killHard(await findDescendants(pid));
      await endNodes('SIGKILL');
    },
    killDatabase,
    remove: async () => {
      await stopKilling();
      const broken = await recount().catch(error => [String(error)]);
      await removeAll();
      if (broken.length > 0) throw new Error(`After ${kills.join(', ')} kills:\n${broken.join('\n')}`);
    },
  };
}
