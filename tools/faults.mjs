/**
 * `npm run test:faults [-- ROUNDS [crash | database | storage]]`: what `npm test` does in short, as long as somebody who runs
 * a service would fear it. `crash` kills the whole product at random moments under load, ROUNDS times (200 unless said
 * otherwise; 500 is the goal), and looks for what it acknowledged: 200 take a quarter of an hour and more. `database` and `storage` break what it stands on,
 * a twentieth of ROUNDS times each: another quarter each. All three print what they measured. The seed is printed;
 * KEYFOLD_CRASH_SEED repeats one.
 * `npm run test:faults -- network`: slow, idle and malformed clients by the thousand, all on this machine; some ten minutes.
 */
import process from 'node:process';
import { bin, runCommand } from './run-command.mjs';

const MINUTE_MS = 60_000;
const ROUNDS = 200;
/** Rounds of the crash test for one of the others. */
const SHARE = 20;
/** What a round may take on a busy machine, and the start and the last look at everything. */
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
