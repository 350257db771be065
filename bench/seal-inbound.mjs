/**
 * `npm run bench -- seal-inbound [messages]`: messages of 4 KB received by SMTP over 20
 * connections, checked, sealed and committed with fsync, compared with Postfix and Haraka, which
 * write them into maildirs unchanged. All servers run at the same time and are loaded in turn, so
 * that a busy machine affects each equally. A round ends when every message is stored, not when it
 * is acknowledged; a line reports how many of Keyfold's messages were not stored. Each peer has two
 * lines: messages per second, and messages per second of processor time, which shows the capacity
 * of one core. An unavailable peer leaves its lines open.
 */
import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import path from 'node:path';
import process from 'node:process';
import { startTestDns } from '../apps/server/tests/harness/dns.ts';
import { cpuSeconds } from './seal-inbound/cpu-time.mjs';
import { findHarakaProblem, startHaraka } from './seal-inbound/haraka.mjs';
import { linesOf } from './seal-inbound/lines.mjs';
import { startOurs } from './seal-inbound/ours.mjs';
import { findPostfixProblem, startPostfix } from './seal-inbound/postfix.mjs';

const ROUNDS = 5;
const CONNECTIONS = 20;
const ACCOUNTS = 50;
const SIZE_BYTES = 4096;
const FIRST_PORT = 12_600;
/** An acknowledged message not stored by then counts as lost. */
const STORED_MAX_MS = 10_000;

const PEERS = [
  {
    name: 'Postfix 3.7 to maildir',
    least: 1.5,
    findProblem: findPostfixProblem,
    start: startPostfix,
  },
  {
    name: 'Haraka 3, one process, fsync to maildir',
    least: 1,
    findProblem: findHarakaProblem,
    start: startHaraka,
  },
];

const ZONE = {
  'bench.test': { TXT: ['v=spf1 ip4:127.0.0.1 -all'] },
  '_dmarc.bench.test': { TXT: ['v=DMARC1; p=reject'] },
};

const load = ({ port, recipients }, messages) =>
  new Promise((resolve, reject) => {
    const settings = { port, recipients, messages, connections: CONNECTIONS, sizeBytes: SIZE_BYTES };
    const script = path.join(import.meta.dirname, 'seal-inbound/load.mjs');
    const child = spawn(process.execPath, [script, JSON.stringify(settings)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', text => {
      output += text;
    });
    child.once('exit', code =>
      code === 0 ? resolve(JSON.parse(output)) : reject(new Error('the load generator failed')),
    );
  });

async function whenListening({ port }) {
  for (let attempt = 0; attempt < 100; attempt++) {
    const isUp = await new Promise(resolve => {
      const socket = connect(port, '127.0.0.1', () => resolve(true));
      socket.once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
    if (isUp) return;
    await new Promise(resolve => setTimeout(resolve, 100));
  }
  throw new Error(`nothing listens on port ${port}`);
}

/** Runs one round: every message is acknowledged, and then stored or counted as lost. */
async function measure(server, messages) {
  const before = await server.countStored();
  const cpuBefore = cpuSeconds(server.pid);
  const startedAtMs = performance.now();
  const { acknowledged } = await load(server, messages);
  const giveUpAtMs = performance.now() + STORED_MAX_MS;
  while ((await server.countStored()) < before + acknowledged && performance.now() < giveUpAtMs)
    await new Promise(resolve => setTimeout(resolve, 5));
  const seconds = (performance.now() - startedAtMs) / 1000;
  const stored = (await server.countStored()) - before;
  if (acknowledged !== messages || stored > messages)
    throw new Error(`of ${messages} messages ${acknowledged} were acknowledged and ${stored} stored`);
  return {
    perSecond: messages / seconds,
    perCpuSecond: messages / (cpuSeconds(server.pid) - cpuBefore),
    lost: acknowledged - stored,
  };
}

export async function run([given]) {
  const messages = Number(given ?? 2000);
  const found = PEERS.map(peer => ({ ...peer, problem: peer.findProblem() }));
  const peers = found.filter(({ problem }) => problem === null);
  const dns = await startTestDns(ZONE);
  const servers = [];
  try {
    servers.push(await startOurs({ accounts: ACCOUNTS, port: FIRST_PORT, dnsServer: dns.server }));
    for (const [index, peer] of peers.entries())
      servers.push(await peer.start({ accounts: ACCOUNTS, port: FIRST_PORT + 1 + index }));
    await Promise.all(servers.map(whenListening));
    /** @type {Awaited<ReturnType<typeof measure>>[][]} */
    const rounds = servers.map(() => []);
    for (const server of servers) await measure(server, Math.ceil(messages / 2));
    for (let round = 0; round < ROUNDS; round++)
      for (const [index, server] of servers.entries()) rounds[index].push(await measure(server, messages));
    return linesOf({
      ours: rounds[0],
      peers: found.map(peer => ({ ...peer, rounds: rounds[peers.indexOf(peer) + 1] })),
      messages,
    });
  } finally {
    await Promise.allSettled(servers.map(server => server.stop()));
    await dns.close();
  }
}
