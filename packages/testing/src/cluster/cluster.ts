// The product as one service on several machines: nodes with all roles, each in its own network
// namespace, with one PostgreSQL and one S3 service, behind a round-robin balancer. Stories use it
// like a product of one process. Nodes can be killed with SIGKILL in turn and restarted meanwhile;
// at the end, the stored data is checked.
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { findDescendants, killHard } from '../process-tree.ts';
import { findFreePort, type Product } from '../product.ts';
import { type Balancer, createBalancer, type Place } from './balancer.ts';
import { type ClusterNetwork, makeNetwork } from './network.ts';
import {
  createKiller,
  createNodes,
  endNodes,
  type Nodes,
  pidsOf,
  restartNode,
  startNodes,
  waitForNodes,
} from './nodes.ts';
import {
  endProcess,
  peerPortsOf,
  releaseShared,
  type SharedProcess,
  startRelays,
  startShared,
} from './processes.ts';

const HTTP_PORT = 8000;
const SMTP_PORT = 2525;

export type ClusterOptions = {
  readonly nodes: number;
  /** Time from the restart of a node to the next kill, ms; null: no kills. */
  readonly killEveryMs: number | null;
  /** Settings of PostgreSQL; durable by default. */
  readonly database?: readonly string[];
};

export type Cluster = Product & {
  readonly kind: ClusterNetwork['kind'];
  readonly balancer: Balancer;
  /** Process ids of the running nodes. */
  readonly pids: () => readonly number[];
  /** Number of kills of each node. */
  readonly kills: () => readonly number[];
  /** Duration of each restart until the node was ready, ms. */
  readonly restartsMs: () => readonly number[];
  /**
   * Makes another port of this machine's loopback address reachable, for a peer that is not in the
   * configuration.
   */
  readonly reach: (port: number) => Promise<void>;
  /** Kills one node, by its index from 0, and restarts it. */
  readonly restart: (index: number) => Promise<void>;
  /** Describes inconsistencies in the stored data. */
  readonly recount: () => Promise<readonly string[]>;
};

type ClusterState = {
  readonly options: ClusterOptions;
  readonly nodes: Nodes;
  readonly balancer: Balancer;
  shared: SharedProcess | null;
  relays: ChildProcess[];
  readonly killer: ReturnType<typeof createKiller>;
};

const restart = ({ nodes, shared }: ClusterState, index: number): Promise<void> =>
  restartNode(nodes, index, shared);

async function start(cluster: ClusterState): Promise<void> {
  const { nodes, options } = cluster;
  cluster.shared ??= await startShared(nodes.dataDir, nodes.network, options.database ?? []);
  await cluster.shared.ask('start database');
  if (cluster.relays.length === 0) cluster.relays = await startRelays(nodes.network, peerPortsOf(nodes.env));
  await startNodes(nodes, cluster.shared);
  await cluster.balancer.open();
  if (options.killEveryMs !== null) cluster.killer.start(options.killEveryMs);
}

async function end(cluster: ClusterState, signal: NodeJS.Signals): Promise<void> {
  await cluster.killer.stop();
  await cluster.balancer.close();
  await endNodes(cluster.nodes, signal);
}

const recount = async ({ shared }: ClusterState): Promise<readonly string[]> =>
  shared === null ? [] : ((await shared.ask('recount')) as readonly string[]);

async function removeAll(cluster: ClusterState): Promise<void> {
  const { nodes } = cluster;
  await end(cluster, 'SIGTERM').finally(async () => {
    await Promise.all(cluster.relays.map(relay => endProcess(relay, 'SIGTERM')));
    if (cluster.shared !== null) await releaseShared(cluster.shared);
    await nodes.network.remove();
    await rm(nodes.dataDir, { recursive: true, force: true });
  });
}

/** Recounts the stored data, then removes everything. Throws when the data is inconsistent. */
async function remove(cluster: ClusterState): Promise<void> {
  await cluster.killer.stop();
  const broken = await recount(cluster).catch(error => [String(error)]);
  await removeAll(cluster);
  if (broken.length > 0)
    throw new Error(`After ${cluster.nodes.kills.join(', ')} kills:\n${broken.join('\n')}`);
}

async function killDatabase({ nodes, shared }: ClusterState): Promise<void> {
  const pid = shared?.child.pid;
  if (pid === undefined) throw new Error('The database is not running');
  killHard(await findDescendants(pid));
  await waitForNodes(nodes);
}

async function killAll(cluster: ClusterState): Promise<void> {
  const pid = cluster.shared?.child.pid;
  if (pid !== undefined) killHard(await findDescendants(pid));
  await end(cluster, 'SIGKILL');
}

function firstPid(nodes: Nodes): number {
  const [first] = pidsOf(nodes);
  if (first === undefined) throw new Error('No node is running');
  return first;
}

async function findPlaces({ kind, nodes }: ClusterNetwork): Promise<Place[]> {
  const places: Place[] = [];
  for (const { address } of nodes) {
    const smtpPort = kind === 'namespaces' ? SMTP_PORT : await findFreePort();
    places.push({ host: address, httpPort: HTTP_PORT, smtpPort });
  }
  return places;
}

/** Prepares a cluster; call `start`. `env` adds to the configuration of its nodes. */
export async function createCluster(
  env: Readonly<Record<string, string>>,
  options: ClusterOptions,
): Promise<Cluster> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'kf-cluster-'));
  const network = await makeNetwork(options.nodes);
  const balancerPorts = { httpPort: await findFreePort(), smtpPort: await findFreePort() };
  const baseUrl = `http://localhost:${balancerPorts.httpPort}`;
  const places = await findPlaces(network);
  const balancer = createBalancer(places, balancerPorts);
  const nodes = createNodes({ dataDir, baseUrl, env, network, places });
  const cluster: ClusterState = {
    options,
    nodes,
    balancer,
    shared: null,
    relays: [],
    killer: createKiller(options.nodes, index => restart(cluster, index)),
  };
  return {
    ...balancerPorts,
    kind: network.kind,
    baseUrl,
    dataDir,
    balancer,
    output: () => nodes.output,
    pid: () => firstPid(nodes),
    pids: () => pidsOf(nodes),
    kills: () => [...nodes.kills],
    restartsMs: () => [...nodes.restartsMs],
    reach: async port => {
      cluster.relays.push(...(await startRelays(network, [String(port)])));
    },
    restart: index => restart(cluster, index),
    recount: () => recount(cluster),
    start: () => start(cluster),
    stop: async () => {
      await end(cluster, 'SIGTERM');
      if (cluster.shared !== null) await cluster.shared.ask('stop database');
    },
    kill: () => end(cluster, 'SIGKILL'),
    killAll: () => killAll(cluster),
    killDatabase: () => killDatabase(cluster),
    remove: () => remove(cluster),
  };
}
