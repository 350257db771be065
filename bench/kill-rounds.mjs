/**
 * kill-rounds: kill -9 of the whole product, of its server or of its database at random moments
 * while mail comes in and goes out (apps/server/tests/crash.test.ts), and of three nodes in turn
 * (cluster.test.ts). Counts acknowledged messages that are missing or duplicated, messages sent out
 * twice through the gap that SMTP leaves open, and the time until the service answers again.
 * Arguments: rounds (default 60; the goal is 500, which takes most of an hour), kills of nodes
 * (default 15). Messages have ten bytes to 25 MB and one to twenty of 24 recipients. `npm run
 * test:faults` and `npm run test:nodes` run more of them.
 */
import { spawn } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';

const root = path.resolve(import.meta.dirname, '..');
const RESTART_MAX_MS = 10_000;

/**
 * Returns the output of a test; rejects when it fails, which a single lost or duplicated message
 * causes.
 */
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
      code === 0
        ? resolve(output)
        : reject(
            new Error(
              `an acknowledged message was lost or duplicated, or the test failed:\n${output.slice(-4000)}`,
            ),
          ),
    );
  });

function numberIn(output, pattern) {
  const found = [...output.matchAll(pattern)].at(-1)?.[1];
  if (found === undefined) throw new Error(`the test output has no match of ${pattern}`);
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
    peer_is: 'the goal',
    goal: 'equal',
  });
  const restart = (bench, ours) => ({
    bench: `kill-rounds ${bench}`,
    ours,
    peer: RESTART_MAX_MS,
    unit: 'ms until the service responds again, slowest',
    peer_is: 'the goal',
    goal: 'at most 1',
  });
  const outside = numberIn(whole, /(\d+) recipients outside/g);
  const again = numberIn(whole, /(\d+) arrived outside once more/g);
  return [
    {
      bench: 'kill-rounds repeated after 250',
      ours: again,
      peer: outside,
      unit: 'recipients who got a message twice because the product was killed between the 250 of the remote server and its own commit',
      peer_is: 'all external recipients',
      goal: 'rare; nothing else arrives twice',
    },
    broken('lost or duplicated', `of ${messages} messages in ${rounds} kills of the product or its database`),
    broken('lost or duplicated, nodes', `of ${ofNodes} acknowledged in ${kills} kills of three nodes`),
    restart('restart', numberIn(whole, /restarts p50 \d+ ms, p95 \d+ ms, max (\d+) ms/g)),
    restart('restart, nodes', numberIn(nodes, /slowest restart (\d+) ms/g)),
  ];
}
