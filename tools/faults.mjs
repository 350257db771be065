/**
 * `npm run test:faults [-- ROUNDS [crash | database | storage]]`: long-running versions of the
 * fault tests in `npm test`. `crash` kills the whole product at random moments under load, ROUNDS
 * times (default 200; the goal is 500), and checks everything that it acknowledged: 200 rounds take
 * a quarter of an hour or more. `database` and `storage` break those dependencies, a twentieth of
 * ROUNDS times each, for another quarter of an hour each. All three print their measurements. The
 * seed is printed; KEYFOLD_CRASH_SEED repeats a run. `npm run test:faults -- network`: thousands of
 * slow, idle and malformed clients, all on this machine, for about ten minutes.
 */
import process from 'node:process';
import { bin, runCommand } from './run-command.mjs';

const MINUTE_MS = 60_000;
const ROUNDS = 200;
/** Crash rounds per round of the other tests. */
const SHARE = 20;
/** Maximum duration of a round on a busy machine, and of the start and the final check. */
const ROUND_MAX_MS = 15_000;
const FAULT_ROUND_MAX_MS = 6 * MINUTE_MS;
const AROUND_MS = 10 * MINUTE_MS;
const NETWORK_MAX_MS = 30 * MINUTE_MS;

if (process.argv[2] === 'network') {
  const args = ['--disable-warning=ExperimentalWarning', 'apps/server/tests/faults/network.ts'];
  const { code } = await runCommand(process.execPath, args, { timeoutMs: NETWORK_MAX_MS, show: true });
  process.exit(code ?? 1);
}
const PARTS = {
  crash: { files: ['crash.test.ts'], roundMs: ROUND_MAX_MS, count: rounds => rounds },
  database: { files: ['faults-database.test.ts'], roundMs: FAULT_ROUND_MAX_MS, count: shareOf },
  storage: {
    files: ['faults-storage.test.ts', 'faults-disk.test.ts'],
    roundMs: FAULT_ROUND_MAX_MS,
    count: shareOf,
  },
};

function shareOf(rounds) {
  return Math.max(1, Math.round(rounds / SHARE));
}

const rounds = Number(process.argv[2] ?? ROUNDS);
const wanted = process.argv[3];
if (!Number.isInteger(rounds) || rounds < 1 || (wanted !== undefined && !(wanted in PARTS))) {
  console.error('Usage: npm run test:faults [-- ROUNDS [crash | database | storage] | network]');
  process.exit(2);
}
process.exitCode = 0;
for (const [name, { files, roundMs, count }] of Object.entries(PARTS)) {
  if (wanted !== undefined && wanted !== name) continue;
  const times = count(rounds);
  const run = await runCommand(
    bin('vitest'),
    ['run', '--project', 'integration', ...files.map(file => `apps/server/tests/${file}`)],
    {
      env: { KEYFOLD_CRASH_ROUNDS: String(times), KEYFOLD_FAULT_ROUNDS: String(times) },
      timeoutMs: AROUND_MS + times * roundMs,
      show: true,
    },
  );
  if (run.code !== 0) process.exitCode = run.code ?? 1;
}
