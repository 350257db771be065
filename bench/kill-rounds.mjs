/**
 * kill-rounds: kill -9 of the whole product, of its server or of its database at random moments while mail comes in and goes
 * out (apps/server/tests/crash.test.ts), and of three nodes in turn (cluster.test.ts): what was acknowledged and is missing or
 * there twice, how many went outside once more through the gap that SMTP leaves open, and how long it takes until the service
 * answers again. Arguments: rounds (default 60; the goal is 500, which takes most of an hour), kills of nodes (default 15). Mail is of
 * ten bytes to 25 MB, for one to twenty of 24 people. `npm run test:faults` and `npm run test:nodes` run more of them.
 */
import { spawn } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';

const root = path.resolve(import.meta.dirname, '..');
const RESTART_MAX_MS = 10_000;

/** What a test prints; rejects when it fails, which it does for a single mail that is lost or doubled. */
const runTest = (file, env) =>
  new Promise((resolve, reject) => {
    const args = [path.join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--project', 'integration', file];
    const child = spawn(process.execPath, args, {
      cwd: root,
      env: { ...process.env, ...env, NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', text => {
        output += text;
      });
    child.once('exit', code =>
      code === 0 ? resolve(output) : reject(new Error(`a promise was broken:\n${output.slice(-4000)}`)),
    );
  });

function numberIn(output, pattern) {
  const found = [...output.matchAll(pattern)].at(-1)?.[1];
  if (found === undefined) throw new Error(`the test did not say ${pattern}`);
  return Number(found);
}

export async function run([rounds = '60', kills = '15']) {
  const whole = await runTest('apps/server/tests/crash.test.ts', { KEYFOLD_CRASH_ROUNDS: rounds });
  const nodes = await runTest('apps/server/tests/cluster.test.ts', { KEYFOLD_NODES_ROUNDS: kills });
  const messages = numberIn(whole, /of (\d+) messages \d+ acknowledged/g);
  const [inward, outward] = [/(\d+) deliveries acknowledged/g, /(\d+) sends acknowledged/g];
  const ofNodes = numberIn(nodes, inward) + numberIn(nodes, outward);
  const broken = (bench, unit) => ({
    bench: `kill-rounds ${bench}`,
    ours: 0,
    peer: 0,
    unit,
    peer_is: 'the goal itself',
    goal: 'equal',
  });
  const restart = (bench, ours) => ({
    bench: `kill-rounds ${bench}`,
    ours,
    peer: RESTART_MAX_MS,
    unit: 'ms until it answers again, slowest',
    peer_is: 'the goal itself',
    goal: 'at most 1',
  });
  const outside = numberIn(whole, /(\d+) recipients outside/g);
  const again = numberIn(whole, /(\d+) arrived outside once more/g);
  return [
    {
      bench: 'kill-rounds lost 250',
      ours: again,
      peer: outside,
      unit: 'recipients who got a mail twice, the product killed between the other server’s 250 and our commit',
      peer_is: 'all recipients outside',
      goal: 'rare; nothing else arrives twice',
    },
    broken('lost or doubled', `of ${messages} messages in ${rounds} kills of the product or its database`),
    broken('lost or doubled, nodes', `of ${ofNodes} acknowledged in ${kills} kills of three nodes in turn`),
    restart('restart', numberIn(whole, /restarts p50 \d+ ms, p95 \d+ ms, max (\d+) ms/g)),
    restart('restart, nodes', numberIn(nodes, /slowest restart (\d+) ms/g)),
  ];
}
