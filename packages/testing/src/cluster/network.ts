// A small network on this machine for several nodes: each has its own network namespace, on a
// bridge whose address represents the shared machines. Where namespaces are not permitted, nodes
// get loopback addresses instead. Needs Linux and `ip`, and root for namespaces. The next test
// removes what a killed test left behind.
import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

export type ClusterNode = {
  readonly address: string;
  /** Command prefix that runs a command there. */
  readonly prefix: readonly string[];
};

export type ClusterNetwork = {
  readonly kind: 'loopback' | 'namespaces';
  /** Address of the services that the nodes share. */
  readonly sharedAddress: string;
  /** The network of the nodes. */
  readonly cidr: string;
  readonly nodes: readonly ClusterNode[];
  /** Removes everything again. */
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

/** Removes networks of tests that ended without cleaning up. */
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
  // Fails if another test has taken the number; its network must not be touched then.
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

/** Reports whether this process may create network namespaces. */
function maySeparate(): boolean {
  const name = `kfn-try-${process.pid}`;
  if (spawnSync('ip', ['netns', 'add', name], { stdio: 'ignore' }).status !== 0) return false;
  const works = spawnSync('ip', ['-n', name, 'link', 'set', 'lo', 'up'], { stdio: 'ignore' }).status === 0;
  spawnSync('ip', ['netns', 'del', name], { stdio: 'ignore' });
  return works;
}

/** Creates a network for `count` nodes. Prints a notice when they cannot be isolated. */
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
