// A small network of this machine for several nodes: each in a network namespace of its own, on a bridge whose address
// stands for the machines that all share. Where namespaces may not be made, nodes get addresses of the loopback network
// instead. Needs Linux and `ip`, and root for namespaces; what a killed test left is taken away by the next one.
import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

export type ClusterNode = {
  readonly address: string;
  /** The words in front of a command that let it run there. */
  readonly prefix: readonly string[];
};

export type ClusterNetwork = {
  readonly kind: 'loopback' | 'namespaces';
  /** Where the nodes meet what they share. */
  readonly sharedAddress: string;
  /** The network that the nodes are in. */
  readonly cidr: string;
  readonly nodes: readonly ClusterNode[];
  /** Takes everything away again. */
  readonly remove: () => Promise<void>;
};

const FIRST_NODE = 11;
const OWNER = 'keyfold-test-';
const TRIES = 20;

const bridgeOf = (net: number): string => `kfb${net}`;
const spaceOf = (net: number, index: number): string => `kfn${net}-${index}`;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function removeNet(net: number, spaces: readonly string[]): Promise<void> {
  for (const space of spaces) await run('ip', ['netns', 'del', space]).catch(() => undefined);
  await run('ip', ['link', 'del', bridgeOf(net)]).catch(() => undefined);
}

type Link = { readonly ifname: string; readonly ifalias?: string };

/** Removes networks whose test has ended without doing so. */
async function sweep(): Promise<void> {
  const { stdout } = await run('ip', ['-j', 'link', 'show', 'type', 'bridge']);
  for (const { ifname, ifalias = '' } of JSON.parse(stdout || '[]') as Link[]) {
    const net = Number(/^kfb(\d+)$/.exec(ifname)?.[1]);
    if (!ifalias.startsWith(OWNER) || isAlive(Number(ifalias.slice(OWNER.length)))) continue;
    const { stdout: spaces } = await run('ip', ['netns', 'list']);
    const ours = spaces.split(/\s+/).filter(name => name.startsWith(`kfn${net}-`));
    await removeNet(net, ours);
  }
}

async function makeNamespaces(net: number, count: number): Promise<ClusterNetwork> {
  const shared = `10.77.${net}.1`;
  const spaces = Array.from({ length: count }, (_, index) => spaceOf(net, index + 1));
  const bridge = bridgeOf(net);
  // Fails where another test has taken the number: nothing of it may be touched then.
  await run('ip', ['link', 'add', bridge, 'type', 'bridge']);
  try {
    await run('ip', ['link', 'set', bridge, 'alias', `${OWNER}${process.pid}`]);
    await run('ip', ['addr', 'add', `${shared}/24`, 'dev', bridge]);
    await run('ip', ['link', 'set', bridge, 'up']);
    for (const [index, space] of spaces.entries()) {
      const veth = `kfv${net}-${index + 1}`;
      await run('ip', ['netns', 'add', space]);
      await run('ip', ['link', 'add', veth, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', space]);
      await run('ip', ['link', 'set', veth, 'master', bridge, 'up']);
      await run('ip', ['-n', space, 'addr', 'add', `10.77.${net}.${FIRST_NODE + index}/24`, 'dev', 'eth0']);
      await run('ip', ['-n', space, 'link', 'set', 'eth0', 'up']);
      await run('ip', ['-n', space, 'link', 'set', 'lo', 'up']);
    }
  } catch (error) {
    await removeNet(net, spaces);
    throw error;
  }
  return {
    kind: 'namespaces',
    sharedAddress: shared,
    cidr: `10.77.${net}.0/24`,
    nodes: spaces.map((space, index) => ({
      address: `10.77.${net}.${FIRST_NODE + index}`,
      prefix: ['ip', 'netns', 'exec', space],
    })),
    remove: () => removeNet(net, spaces),
  };
}

const useLoopback = (net: number, count: number): ClusterNetwork => ({
  kind: 'loopback',
  sharedAddress: `127.77.${net}.1`,
  cidr: `127.77.${net}.0/24`,
  nodes: Array.from({ length: count }, (_, index) => ({
    address: `127.77.${net}.${FIRST_NODE + index}`,
    prefix: [],
  })),
  remove: async () => undefined,
});

const randomNet = (): number => 1 + Math.floor(Math.random() * 250);

/** Whether this process may make network namespaces. */
function maySeparate(): boolean {
  const name = `kfn-try-${process.pid}`;
  if (spawnSync('ip', ['netns', 'add', name], { stdio: 'ignore' }).status !== 0) return false;
  const works = spawnSync('ip', ['-n', name, 'link', 'set', 'lo', 'up'], { stdio: 'ignore' }).status === 0;
  spawnSync('ip', ['netns', 'del', name], { stdio: 'ignore' });
  return works;
}

/** Makes a network for so many nodes; says on the terminal when they cannot be apart. */
export async function makeNetwork(count: number): Promise<ClusterNetwork> {
  if (!maySeparate()) {
    process.stderr.write('Network namespaces cannot be made here: nodes share the loopback network.\n');
    return useLoopback(randomNet(), count);
  }
  await sweep();
  for (let tries = 1; ; tries++) {
    try {
      return await makeNamespaces(randomNet(), count);
    } catch (error) {
      if (tries === TRIES) throw error;
    }
  }
}
