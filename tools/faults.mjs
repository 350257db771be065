/**
 * `npm run test:faults [-- ROUNDS]`: kills the whole product at random moments under load, 200 times unless said
 * otherwise, and looks for what it acknowledged. Takes about a quarter of an hour; `npm test` has a few rounds of the
 * same test. The seed is printed; KEYFOLD_CRASH_SEED repeats one.
 * `npm run test:faults -- network`: slow, idle and malformed clients by the thousand, all on this machine; some ten minutes.
 */
import process from 'node:process';
import { bin, runCommand } from './run-command.mjs';

const MINUTE_MS = 60_000;
const ROUNDS = 200;
/** What a round may take on a busy machine, and the start and the last look at everything. */
const ROUND_MAX_MS = 15_000;
const AROUND_MS = 10 * MINUTE_MS;
const NETWORK_MAX_MS = 30 * MINUTE_MS;

if (process.argv[2] === 'network') {
  const args = ['--disable-warning=ExperimentalWarning', 'apps/server/tests/faults/network.ts'];
  const { code } = await runCommand(process.execPath, args, { timeoutMs: NETWORK_MAX_MS, show: true });
  process.exit(code ?? 1);
}
const rounds = Number(process.argv[2] ?? ROUNDS);
if (!Number.isInteger(rounds) || rounds < 1) {
  console.error('Usage: npm run test:faults [-- ROUNDS | network]');
  process.exit(2);
}
const run = await runCommand(
  bin('vitest'),
  ['run', '--project', 'integration', 'apps/server/tests/crash.test.ts'],
  {
    env: { KEYFOLD_CRASH_ROUNDS: String(rounds) },
    timeoutMs: AROUND_MS + rounds * ROUND_MAX_MS,
    show: true,
  },
);
process.exitCode = run.code ?? 1;
