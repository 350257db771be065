/**
 * poll: 10,000 clients that poll for new mail every 30 seconds, each on its own persistent
 * connection, and all of them reconnecting at once, as after a restart. A client is a connection
 * with the session of one of about a hundred users. The service is a separate process with its own
 * PostgreSQL; the processor times of both are reported separately. Arguments: clients (default
 * 10000) and seconds measured (default 60).
 */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { createTestClient } from '../apps/server/tests/harness/client.ts';
import { registerTestUser } from '../apps/server/tests/harness/users.ts';
import { findDescendants } from '../packages/testing/src/process-tree.ts';
import { createProduct } from '../packages/testing/src/product.ts';
import { below, none } from './shared/goals.mjs';

/** Number of clients that the goal names; with fewer the result is open. */
const GOAL_CLIENTS = 10_000;
const USERS = 200;
const EVERY_MS = 30_000;
const TICK_MS = 10;
const TICKS_PER_SECOND = 100;
const CONNECT_AT_ONCE = 500;

const pause = ms => new Promise(resolve => setTimeout(resolve, ms));
const percentile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];

/**
 * Returns the processor time used so far by these processes and by their children that have ended,
 * in seconds.
 */
const cpuSeconds = pids =>
  pids.reduce((sum, pid) => {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1].split(' ');
      return sum + fields.slice(11, 15).reduce((ticks, field) => ticks + Number(field), 0) / TICKS_PER_SECOND;
    } catch {
      return sum;
    }
  }, 0);

/** Creates a connection that polls repeatedly. */
function createPoller(port, cookie) {
  const request = `GET /user/check_new HTTP/1.1\r\nhost: localhost:${port}\r\ncookie: ${cookie}\r\n\r\n`;
  /** @type {import('node:net').Socket | null} */
  let socket = null;
  /** @type {((isAnswered: boolean) => void) | null} */
  let answered = null;
  const fail = () => {
    socket = null;
    answered?.(false);
  };
  /** @returns {Promise<import('node:net').Socket>} */
  const open = () =>
    new Promise((resolve, reject) => {
      const fresh = connect(port, '127.0.0.1', () => {
        socket = fresh;
        resolve(fresh);
      });
      fresh.on('data', data => answered?.(data.includes('200 OK')));
      fresh.on('error', error => {
        fail();
        reject(error);
      });
      fresh.on('close', fail);
    });
  return {
    /** Sends one poll. Returns the milliseconds, or null when no answer arrived. */
    ask: async () => {
      const startedAt = performance.now();
      const living = socket ?? (await open().catch(() => null));
      if (living === null) return null;
      const isAnswered = await new Promise(resolve => {
        answered = resolve;
        living.write(request);
      });
      answered = null;
      return isAnswered ? performance.now() - startedAt : null;
    },
    close: () => socket?.destroy(),
  };
}

export async function run([clients = '10000', seconds = '60']) {
  const count = Number(clients);
  const product = await createProduct({
    KEYFOLD_CAPTCHA_COST: '0',
    KEYFOLD_WELCOME: 'off',
    KEYFOLD_LOG: 'error',
    KEYFOLD_ROLES: 'http',
  });
  await product.start();
  let pollers = [];
  try {
    const app = { config: { domains: ['keyfold.test'] }, client: () => createTestClient(product.baseUrl) };
    const cookies = [];
    while (cookies.length < USERS) {
      const users = await Promise.all(Array.from({ length: 8 }, () => registerTestUser(app)));
      cookies.push(...users.map(({ client }) => client.jar.header('/user/check_new')));
    }
    pollers = Array.from({ length: count }, (_, n) => createPoller(product.httpPort, cookies[n % USERS]));
    let failed = 0;
    const askAll = async some => {
      const times = await Promise.all(some.map(poller => poller.ask()));
      failed += times.filter(time => time === null).length;
      return times.filter(time => time !== null);
    };
    for (let first = 0; first < count; first += CONNECT_AT_ONCE)
      await askAll(pollers.slice(first, first + CONNECT_AT_ONCE));

    const database = await findDescendants(product.pid());
    const [ownBefore, theirsBefore] = [cpuSeconds([product.pid()]), cpuSeconds(database)];
    const startedAt = performance.now();
    const times = [];
    const running = [];
    let turn = 0;
    while (performance.now() - startedAt < Number(seconds) * 1000) {
      const due = Math.floor(((performance.now() - startedAt) / EVERY_MS) * count);
      while (turn < due) running.push(askAll([pollers[turn++ % count]]).then(some => times.push(...some)));
      await pause(TICK_MS);
    }
    await Promise.all(running);
    const elapsed = (performance.now() - startedAt) / 1000;
    const share = before => Math.round((before / elapsed) * 1000) / 10;
    const own = share(cpuSeconds([product.pid()]) - ownBefore);
    const theirs = share(cpuSeconds(await findDescendants(product.pid())) - theirsBefore);
    const failedPolling = failed;

    for (const poller of pollers) poller.close();
    await pause(1_000);
    failed = 0;
    const back = (await askAll(pollers)).sort((a, b) => a - b);
    times.sort((a, b) => a - b);
    const result = (bench, ours, peer, unit, peer_is, goal) => ({
      bench: `poll ${bench}`,
      ours: Math.round(ours * 10) / 10,
      peer,
      unit,
      peer_is,
      goal,
    });
    const shortOf = count < GOAL_CLIENTS ? [`${count} of ${GOAL_CLIENTS} clients`] : [];
    const limited = (...line) => below(1, result(...line), shortOf);
    const free = (...line) => none(result(...line), shortOf);
    const goal = 'the goal';
    return [
      limited('p95', percentile(times, 0.95), 300, `ms, ${count} clients every 30 s`, goal, 'below 1'),
      limited('processor', own, 40, '% of one core, the service', goal, 'below 1'),
      result('processor of PostgreSQL', theirs, 40, '% of one core', 'the goal of the service', 'none'),
      free('failures', failedPolling, 0, `of ${times.length + failedPolling} requests`, 'none', '0'),
      limited('reconnect, p95', percentile(back, 0.95), 300, `ms, ${count} clients`, goal, 'below 1'),
      free('reconnect, failures', failed, 0, `of ${count} clients`, 'none', '0'),
    ];
  } finally {
    for (const poller of pollers) poller.close();
    await product.remove();
  }
}
