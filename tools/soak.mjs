/**
 * `npm run test:soak [-- MINUTES]`: runs two nodes over one database and one bucket under a
 * moderate mixed load, for 15 minutes by default. Samples resident memory and descriptors of each
 * process every five seconds, and the heap and process memory left after a full garbage collection
 * every half minute (soak/gauge.mjs). Fits a straight line to the second half of the run, when
 * caches have filled and pools have reached their size. Compiled code keeps growing at a decreasing
 * rate, whereas a leak grows evenly, so code is reported beside the objects, with lines through
 * three consecutive stretches, and does not count. Prints one JSON line for each, as benchmarks do.
 * The goal is growth of less than 1 MB an hour and no more descriptors than before. The confidence
 * of a short run is printed beside it, and the test fails only where growth is certain.
 * SOAK_NODE_ARGS are additional arguments for the nodes. SOAK_PACE multiplies the usual rates, for
 * a machine without two free cores: work beyond its capacity piles up and is not a steady load.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { onDatabase, raisePlans } from '../apps/server/tests/crash/storage.ts';
import { createTestClient } from '../apps/server/tests/harness/client.ts';
import { registerTestUser } from '../apps/server/tests/harness/users.ts';
import { createCluster } from '../packages/testing/src/cluster/cluster.ts';
import { startSmtpSink } from '../packages/testing/src/smtp.ts';
import { startLoad } from './soak/load.mjs';
import { dependentPlusMinus, lowestOf, requireSlope, slopeOf } from './soak/trend.mjs';

const MINUTE_MS = 60_000;
const SAMPLE_MS = 5_000;
/** Earlier samples are ignored. */
const WARM_UP_SHARE = 1 / 2;
const USERS = 12;
const LISTENERS = 60;
/** Samples per minute; the lowest of each minute is used. */
const STRETCH = 12;
const GOAL_MB_AN_HOUR = 1;
/** Reported numbers of the gauge: name, value, and whether it must not grow. */
const COLLECTED = [
  ['live heap', 'heap', false],
  ['compiled code', 'code', false],
  ['live objects', 'objects', true],
  ['live external', 'external', true],
  ['resident', 'resident', true],
];
const MB = 1024 * 1024;

const minutes = Number(process.argv[2] ?? 15);
const pace = Number(process.env.SOAK_PACE ?? 1);
if (!(minutes >= 1 && pace > 0)) {
  console.error('Usage: [SOAK_PACE=1] npm run test:soak [-- MINUTES]');
  process.exit(2);
}

const residentMb = pid =>
  (Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024) / MB;
const descriptors = pid => readdirSync(`/proc/${pid}/fd`).length;

const folder = mkdtempSync(path.join(os.tmpdir(), 'kf-soak-'));
const gauge = `--import=${new URL('./soak/gauge.mjs', import.meta.url)}`;
/**
 * Returns the gauge's records of a node since a moment, as points [hours, MB] of one number.
 * @returns {import('./soak/trend.mjs').Point[]}
 */
const collected = (pid, sinceMs, number) =>
  readFileSync(path.join(folder, `${pid}.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
    .filter(({ atMs }) => atMs >= sinceMs)
    .map(noted => [(noted.atMs - sinceMs) / MINUTE_MS / 60, noted[number] / MB]);

const sink = await startSmtpSink();
const cluster = await createCluster(
  {
    KEYFOLD_CAPTCHA_COST: '0',
    KEYFOLD_WELCOME: 'off',
    KEYFOLD_LOG: 'error',
    KEYFOLD_ARRIVALS_PER_MINUTE: '0',
    SMTP_RELAY: `smtp://127.0.0.1:${sink.port}`,
    SOAK_FOLDER: folder,
    NODE_OPTIONS: [gauge, process.env.SOAK_NODE_ARGS ?? ''].join(' ').trim(),
  },
  { nodes: 2, killEveryMs: null },
);
try {
  await cluster.start();
  const place = { config: { domains: ['keyfold.test'] }, client: () => createTestClient(cluster.baseUrl) };
  const users = [];
  for (let index = 0; index < USERS; index++) users.push(await registerTestUser(place));
  await raisePlans(cluster.dataDir);
  const pids = cluster.pids();
  /** @type {Record<'memory' | 'files', import('./soak/trend.mjs').Point[]>[]} */
  const samples = pids.map(() => ({ memory: [], files: [] }));
  const startedAt = performance.now();
  const startedAtMs = Date.now();
  const load = startLoad({ ...cluster, users, listeners: LISTENERS, pace });
  let reported = 0;
  while (performance.now() - startedAt < minutes * MINUTE_MS) {
    await new Promise(resolve => setTimeout(resolve, SAMPLE_MS));
    const hours = (performance.now() - startedAt) / MINUTE_MS / 60;
    for (const [index, pid] of pids.entries()) {
      samples[index].memory.push([hours, residentMb(pid)]);
      samples[index].files.push([hours, descriptors(pid)]);
    }
    if (Math.floor(hours * 60) === reported) continue;
    reported = Math.floor(hours * 60);
    const now = samples.map(
      ({ memory, files }) => `${memory.at(-1)?.[1].toFixed(0)} MB, ${files.at(-1)?.[1]} files`,
    );
    process.stderr.write(`minute ${reported}: ${now.join('; ')}\n`);
    // The peer keeps all outgoing mail. It runs in this process, which is not measured.
    sink.forget();
  }
  await load.stop();
  const mails = await onDatabase(cluster.dataDir, db =>
    db
      .selectFrom('mails')
      .select(({ fn }) => fn.countAll().as('count'))
      .executeTakeFirst(),
  );
  const rates = [...load.done].map(([name, count]) => `${count} ${name}`).join(', ');
  process.stderr.write(`done: ${rates}; ${mails?.count} messages stored\n`);
  for (const [what, count] of load.failed) process.stderr.write(`failed ${count} times: ${what}\n`);
  const later = points => points.slice(Math.floor(points.length * WARM_UP_SHARE));
  /**
   * Returns the slopes of three stretches, from the first minute to the last, with their intervals.
   */
  const stretchesOf = points =>
    [0, 1, 2].map(third => {
      const part = points.slice((points.length * third) / 3, (points.length * (third + 1)) / 3);
      return `${(slopeOf(part)?.slope ?? Number.NaN).toFixed(1)} ± ${dependentPlusMinus(part).toFixed(1)}`;
    });
  for (const [index, { memory, files }] of samples.entries()) {
    const whole = requireSlope(later(memory));
    const floor = lowestOf(later(memory), STRETCH);
    const low = slopeOf(floor) ?? whole;
    const open = requireSlope(later(files));
    const line = (bench, { slope, plusMinus }, points, peer, unit, more) =>
      console.log(
        JSON.stringify({
          bench: `soak ${bench}, node ${index + 1}`,
          ours: Number(slope.toFixed(2)),
          peer,
          ratio: peer === 0 ? null : Number((slope / peer).toFixed(3)),
          unit,
          peer_is: 'the goal',
          goal: 'at most 1',
          plus_minus: Number(plusMinus.toFixed(2)),
          plus_minus_dependent: Number(dependentPlusMinus(points).toFixed(2)),
          minutes,
          pace,
          ...more,
        }),
      );
    const ends = points => ({
      from: Number(points[0][1].toFixed(1)),
      to: Number(points.at(-1)[1].toFixed(1)),
    });
    const unit = 'MB an hour';
    line('memory', whole, later(memory), GOAL_MB_AN_HOUR, `${unit}, all samples`, ends(later(memory)));
    line('memory floor', low, floor, GOAL_MB_AN_HOUR, `${unit}, lowest of each minute`, ends(floor));
    // Lower bound of the growth, MB an hour.
    const sure = [low.slope - dependentPlusMinus(floor)];
    for (const [what, number, isBounded] of COLLECTED) {
      const all = collected(pids[index], startedAtMs, number);
      const points = later(all);
      const slope = slopeOf(points);
      if (slope === null) continue;
      if (isBounded) sure.push(slope.slope - dependentPlusMinus(points));
      const more = { ...ends(points), stretches: stretchesOf(all), counts: isBounded };
      line(what, slope, points, GOAL_MB_AN_HOUR, `${unit}, after a full collection`, more);
    }
    line('descriptors', open, later(files), 1, 'descriptors an hour', ends(later(files)));
    if (Math.max(...sure) > GOAL_MB_AN_HOUR || open.slope - open.plusMinus > 60) process.exitCode = 1;
  }
  if (load.failed.size > 0) process.exitCode = 1;
} finally {
  await cluster.remove();
  await sink.close();
  rmSync(folder, { recursive: true, force: true });
}
process.exit();
