/**
 * `npm run bench -- job-queue [jobs]`: the queue of pushes in Keyfold's own tables and on pg-boss,
 * in one database and in turn. Measures how many jobs per second four workers claim and finish,
 * statements and bytes of PostgreSQL's log per job, the time from the commit of a job to its
 * handler in an idle queue, and how many jobs of users with a backlog run before the single jobs of
 * others. docs/adr/0059-job-queues.md draws the conclusions.
 */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { recordStatements } from '../apps/server/tests/recorded-statements.ts';
import { createBoss, createOurs } from './job-queue/queues.mjs';
import { startWorld } from './job-queue/world.mjs';

const ROUNDS = 5;
const USERS = 200;
const PER_INSERT = 50;
const LATENCY_JOBS = 40;
const FLOODERS = 4;
const FLOOD = 50;
const OTHERS = 50;

const median = values => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const rounded = (value, digits = 0) => Number(value.toFixed(digits));

async function addAll(queue, devices) {
  for (let from = 0; from < devices.length; from += PER_INSERT)
    await queue.add(devices.slice(from, from + PER_INSERT));
}

/** Handles jobs until there were so many. Returns the users in the order of their jobs. */
async function work(queue, count) {
  const users = [];
  const done = new EventTarget();
  const isDone = once(done, 'done');
  await queue.start(async userId => {
    users.push(userId);
    if (users.length === count) done.dispatchEvent(new Event('done'));
  });
  queue.wake();
  await isDone;
  await queue.stop();
  return users;
}

async function measureRate(world, queue, jobs) {
  await queue.clear();
  const devices = Array.from({ length: jobs }, (_, index) => world.devices[index % USERS]);
  const addedAt = performance.now();
  await addAll(queue, devices);
  const workedAt = performance.now();
  await queue.vacuum();
  const before = await world.walBytes();
  const begunAt = performance.now();
  await work(queue, jobs);
  const perSecond = jobs / ((performance.now() - begunAt) / 1_000);
  const walBytes = ((await world.walBytes()) - before) / jobs;
  return { perSecond, walBytes, addedPerSecond: jobs / ((workedAt - addedAt) / 1_000) };
}

async function countStatements(world, queue, jobs) {
  await queue.clear();
  await addAll(
    queue,
    Array.from({ length: jobs }, (_, index) => world.devices[index % USERS]),
  );
  return (await recordStatements(() => work(queue, jobs))).length / jobs;
}

async function measureLatency(world, queue) {
  await queue.clear();
  let handled;
  await queue.start(async () => handled?.(performance.now()));
  await sleep(1_500);
  const waits = [];
  for (let index = 0; index < LATENCY_JOBS; index++) {
    const { promise, resolve } = Promise.withResolvers();
    handled = resolve;
    await queue.add([world.devices[index % USERS]]);
    const addedAt = performance.now();
    queue.wake();
    waits.push((await promise) - addedAt);
    // Outlasts the work after a job and any wait that ends without a signal.
    await sleep(60);
  }
  await queue.stop();
  return median(waits);
}

/** Returns how many jobs of the flooders ran before the last job of the others. */
async function measureFairness(world, queue) {
  await queue.clear();
  const flooders = world.devices.slice(0, FLOODERS);
  await addAll(
    queue,
    Array.from({ length: FLOODERS * FLOOD }, (_, index) => flooders[index % FLOODERS]),
  );
  await addAll(queue, world.devices.slice(FLOODERS, FLOODERS + OTHERS));
  const users = await work(queue, FLOODERS * FLOOD + OTHERS);
  const isFlooder = new Set(flooders.map(({ userId }) => userId));
  const last = users.findLastIndex(userId => !isFlooder.has(userId));
  return users.slice(0, last).filter(userId => isFlooder.has(userId)).length;
}

const PEERS = [
  { peer_is: 'pg-boss, jobs fetched one by one', isSingle: true },
  { peer_is: 'pg-boss, fifty jobs fetched at a time', isSingle: false },
];

export async function* run([count = '4000']) {
  const jobs = Number(count);
  const world = await startWorld(USERS);
  try {
    const ours = createOurs(world);
    for (const { peer_is, isSingle } of PEERS) {
      const boss = await createBoss(world, { isSingle });
      const line = (bench, unit, mine, theirs, goal, figures) => ({
        bench: `job-queue: ${bench}`,
        ours: mine,
        peer: theirs,
        unit,
        peer_is,
        goal,
        ...(figures && { figures }),
      });
      /** @type {Record<'ours' | 'peer', Awaited<ReturnType<typeof measureRate>>[]>} */
      const rounds = { ours: [], peer: [] };
      for (let round = 0; round < ROUNDS; round++) {
        rounds.ours.push(await measureRate(world, ours, jobs));
        rounds.peer.push(await measureRate(world, boss, jobs));
      }
      const of = (side, name) => rounded(median(rounds[side].map(one => one[name])));
      for (const [name, bench, unit] of [
        ['perSecond', 'throughput', 'jobs claimed and finished per second'],
        ['addedPerSecond', 'adding', 'jobs added per second, fifty to a transaction'],
        ['walBytes', 'log', 'bytes of log to claim and finish a job'],
      ])
        yield line(bench, unit, of('ours', name), of('peer', name), 'none; for ADR 59', { jobs });
      const statements = [await countStatements(world, ours, 400), await countStatements(world, boss, 400)];
      yield line(
        'statements',
        'statements per job',
        ...statements.map(n => rounded(n, 2)),
        'none; for ADR 59',
      );
      const waits = [await measureLatency(world, ours), await measureLatency(world, boss)];
      yield line(
        'latency',
        'ms from commit to handler',
        ...waits.map(n => rounded(n, 1)),
        'none; for ADR 59',
      );
      const floods = [await measureFairness(world, ours), await measureFairness(world, boss)];
      yield line(
        'fairness',
        `of ${FLOODERS * FLOOD} jobs of four users before fifty of others`,
        ...floods,
        'none; for ADR 59',
      );
      await boss.clear();
      await boss.close();
    }
  } finally {
    await world.close();
  }
}
