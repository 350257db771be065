/**
 * scale: the cost of a stored message and of an active user with 10 accounts of 100 messages and
 * with 1,000 accounts of as many each, in processor time of server and database and in bytes on
 * disk. Two services run side by side and are loaded in turn, so that a busy machine affects both
 * equally. Arguments: accounts of the large one (default 1000), rounds (default 5). docs/scaling.md
 * extrapolates to 100 million.
 */
import { spawn } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import { startTestDns } from '../apps/server/tests/harness/dns.ts';
import { settle } from './list-endpoint/boxes.mjs';
import { addActiveUsers } from './scale/users.mjs';
import { cpuSeconds } from './seal-inbound/cpu-time.mjs';
import { startOurs } from './seal-inbound/ours.mjs';
import { atMost } from './shared/goals.mjs';

const MAILS_EACH = 100;
const FEW = 10;
/**
 * The goal is a flat cost while the number of users grows by this factor; with less growth the
 * result is open.
 */
const GROWTH = 100;
const REQUESTS = 1500;
const MESSAGES = 600;
const AT_ONCE = 8;
const SIZE_BYTES = 4096;
const FIRST_PORT = 12_640;
const GOAL_RATIO = 1.3;

const ZONE = {
  'bench.test': { TXT: ['v=spf1 ip4:127.0.0.1 -all'] },
  '_dmarc.bench.test': { TXT: ['v=DMARC1; p=reject'] },
};

const INBOX = 'view=summary&count=50&sent=false&draft=false&archived=false&deleted=false&flagged=false';
/** Requests that an open client sends within a minute or two. */
const ASKED = [`/user/query?${INBOX}`, '/user/counts', '/user/check_new', '/user/check_new'];

const median = numbers => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** Returns the milliseconds of processor time per request of an active user. */
async function askAll({ pid, baseUrl, cookies }) {
  let next = 0;
  const before = cpuSeconds(pid);
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let at = next++; at < REQUESTS; at = next++) {
        const cookie = cookies[at % cookies.length];
        const answer = await fetch(baseUrl + ASKED[at % ASKED.length], {
          headers: { cookie, accept: 'application/json' },
        });
        if (!answer.ok) throw new Error(`answered ${answer.status}`);
        await answer.arrayBuffer();
      }
    }),
  );
  return ((cpuSeconds(pid) - before) * 1000) / REQUESTS;
}

/** Returns the milliseconds of processor time per inbound message. */
async function takeMail({ pid, port, recipients, countStored }) {
  const settings = { port, recipients, messages: MESSAGES, connections: AT_ONCE, sizeBytes: SIZE_BYTES };
  const script = path.join(import.meta.dirname, 'seal-inbound/load.mjs');
  const stored = await countStored();
  const before = cpuSeconds(pid);
  const child = spawn(process.execPath, [script, JSON.stringify(settings)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const code = await new Promise(resolve => child.once('exit', resolve));
  if (code !== 0) throw new Error('the load generator failed');
  while ((await countStored()) < stored + MESSAGES) await new Promise(resolve => setTimeout(resolve, 5));
  return ((cpuSeconds(pid) - before) * 1000) / MESSAGES;
}

async function start(accounts, port, dnsServer) {
  const service = await startOurs({ accounts, port, dnsServer });
  try {
    const { cookies, bytesEach } = await addActiveUsers(service, MAILS_EACH);
    await settle(service.database);
    return { ...service, cookies, bytesEach };
  } catch (error) {
    await service.stop();
    throw error;
  }
}

export async function run([many = '1000', rounds = '5']) {
  const dns = await startTestDns(ZONE);
  const services = [];
  try {
    services.push(await start(Number(many), FIRST_PORT, dns.server));
    services.push(await start(FEW, FIRST_PORT + 1, dns.server));
    /** @type {Record<'request' | 'mail', number[]>[]} */
    const measured = services.map(() => ({ request: [], mail: [] }));
    for (const service of services) {
      await askAll(service);
      await takeMail(service);
    }
    for (let round = 0; round < Number(rounds); round++)
      for (const [index, service] of services.entries()) {
        measured[index].request.push(await askAll(service));
        measured[index].mail.push(await takeMail(service));
      }
    /**
     * @param {string} bench
     * @param {number[]} both
     * @param {string} unit
     */
    const line = (bench, [ours, peer], unit) =>
      atMost(
        GOAL_RATIO,
        {
          bench: `scale ${bench}`,
          ours: Number(ours.toFixed(3)),
          peer: Number(peer.toFixed(3)),
          unit,
          peer_is: `${FEW} accounts instead of ${many}, with ${MAILS_EACH} messages each`,
          goal: `at most ${GOAL_RATIO}`,
        },
        Number(many) < FEW * GROWTH ? [`${many} accounts, not ${GROWTH} times ${FEW}`] : [],
      );
    const of = kind => measured.map(one => median(one[kind]));
    return [
      line('active user', of('request'), 'ms of CPU time per request, server and database'),
      line('mail in', of('mail'), 'ms of CPU time per message, server and database'),
      line(
        'stored mail',
        services.map(({ bytesEach }) => bytesEach),
        'bytes of tables and indexes per message, without its body',
      ),
    ];
  } finally {
    await Promise.allSettled(services.map(service => service.stop()));
    await dns.close();
  }
}
