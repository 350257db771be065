// The processes of a cluster besides its nodes: PostgreSQL with the S3 service, and relays between
// network namespaces.
import { type ChildProcess, fork, spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ClusterNetwork } from './network.ts';

export const root = fileURLToPath(new URL('../../../../', import.meta.url));
const sharedScript = path.join(root, 'apps/server/tests/cluster/main.ts');
const relayScript = path.join(import.meta.dirname, 'relay.ts');
export const execArgv = ['--disable-warning=ExperimentalWarning'];

type Services = {
  readonly bucket: {
    readonly endpoint: string;
    readonly bucket: string;
    readonly accessKey: string;
    readonly secretKey: string;
  };
  readonly dnsServer: string;
};

export type SharedProcess = Services & {
  readonly child: ChildProcess;
  /** Sends a request and resolves with the answer. */
  readonly ask: (asked: string) => Promise<unknown>;
};

export const hasEnded = (child: ChildProcess): boolean =>
  child.exitCode !== null || child.signalCode !== null;

export async function endProcess(child: ChildProcess | null, signal: NodeJS.Signals): Promise<void> {
  if (child === null || hasEnded(child)) return;
  const gone = new Promise(resolve => child.once('exit', resolve));
  child.kill(signal);
  await gone;
}

/** Starts the process with PostgreSQL and the S3 service. */
export async function startShared(
  dataDir: string,
  network: ClusterNetwork,
  settings: readonly string[],
): Promise<SharedProcess> {
  const child = fork(sharedScript, [dataDir, network.sharedAddress, network.cidr, ...settings], {
    cwd: root,
    execArgv,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  type Message = { readonly asked: string; readonly answer?: unknown; readonly error?: string };
  const answerTo = (asked: string): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const onExit = () => reject(new Error('The shared process has ended'));
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

/** Lets a shared process end by itself, so that it stops its services. */
export async function releaseShared({ child }: SharedProcess): Promise<void> {
  const gone = new Promise(resolve => child.once('exit', resolve));
  child.disconnect();
  await gone;
}

/** Ports of the loopback address in a configuration: the test's peers. */
export const peerPortsOf = (env: Readonly<Record<string, string>>): string[] => [
  ...new Set(
    Object.values(env).flatMap(value =>
      [...value.matchAll(/(?:127\.0\.0\.1|localhost):(\d+)/g)].map(([, port = '']) => port),
    ),
  ),
];

/** Makes ports of this machine reachable from the nodes' namespaces under the loopback address. */
export function startRelays(network: ClusterNetwork, ports: readonly string[]): Promise<ChildProcess[]> {
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
