/**
 * server-memory: resident memory of the idle server with 1,000,000 messages stored: all roles,
 * after startup, and again after every folder was listed. PostgreSQL is counted separately, with
 * its shared pages counted once. Arguments: messages (default 1000000), idle seconds (default 30).
 */
import { readdirSync, readFileSync } from 'node:fs';
import http from 'node:http';
import { startService } from './list-endpoint/service.mjs';
import { atMost } from './shared/goals.mjs';

const LISTS = 200;
const GOAL_MB = 300;
/** Number of stored messages that the goal names; with fewer the result is open. */
const GOAL_MAILS = 1_000_000;
const KB_A_MB = 1024;

const pause = seconds => new Promise(resolve => setTimeout(resolve, seconds * 1000));
const fieldOf = (file, name) =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(file, 'utf8'))?.[1]);
const residentMb = pid => fieldOf(`/proc/${pid}/status`, 'VmRSS') / KB_A_MB;

const childrenOf = pid =>
  readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .filter(name => {
      try {
        const text = readFileSync(`/proc/${name}/stat`, 'utf8');
        return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1]) === pid;
      } catch {
        return false;
      }
    })
    .map(Number);
const descendantsOf = pid => childrenOf(pid).flatMap(child => [child, ...descendantsOf(child)]);
/** Returns the memory of a process's descendants, with shared pages divided among them. */
const shareMb = pid =>
  descendantsOf(pid).reduce((sum, one) => sum + fieldOf(`/proc/${one}/smaps_rollup`, 'Pss') / KB_A_MB, 0);

/** @returns {Promise<void>} */
const list = (port, cookie, query) =>
  new Promise((resolve, reject) => {
    const path = `/user/query?view=summary&count=50&${query}`;
    http
      .get({ host: '127.0.0.1', port, path, headers: { cookie, accept: 'application/json' } }, response => {
        response.resume();
        response.once('end', () =>
          response.statusCode === 200 ? resolve() : reject(new Error(`answered ${response.statusCode}`)),
        );
      })
      .once('error', reject);
  });

export async function run([mails = '1000000', seconds = '30']) {
  const service = await startService([Number(mails), 1000], { roles: 'http,smtp,worker' });
  try {
    const [large] = service.boxes;
    await pause(Number(seconds));
    const fresh = residentMb(service.pid);
    for (let at = 0; at < LISTS; at++)
      await list(service.port, large.cookie, `deleted=false&skip=${(at * 977) % Number(mails)}`);
    await pause(Number(seconds));
    const used = residentMb(service.pid);
    const shortOf = Number(mails) < GOAL_MAILS ? [`${mails} of ${GOAL_MAILS} messages`] : [];
    const line = (bench, ours, unit, peer_is = 'the goal', goal = 'at most 1') => ({
      bench: `server-memory ${bench}`,
      ours: Math.round(ours),
      peer: GOAL_MB,
      unit,
      peer_is,
      goal,
    });
    return [
      atMost(1, line('idle', fresh, `MB, ${seconds} s after the start, ${mails} messages stored`), shortOf),
      atMost(1, line('idle again', used, `MB, ${seconds} s after ${LISTS} lists`), shortOf),
      line(
        'PostgreSQL',
        shareMb(service.pid),
        'MB of the database processes',
        'the goal of the server, for scale',
        'none',
      ),
    ];
  } finally {
    await service.pool.end();
    await service.stop();
  }
}
