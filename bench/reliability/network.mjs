/**
 * Rows 6, 7 and 9: many clients, slow ones, and bytes that nobody means well with. The long form runs once for all of them
 * (`npm run test:faults -- network`); each of its faults is a JSON line.
 */
import process from 'node:process';
import { runCommand } from '../../tools/run-command.mjs';
import { run as runPoll } from '../poll.mjs';
import { joinRuns, lineOfFigure, lineOfTests } from './row.mjs';
import { emptyRun, runTests } from './test-run.mjs';

const NETWORK_MAX_MS = 1_800_000;
const SLOW_CLIENTS = 5_000;
const TWICE = 2;
/** Below this an ordinary user's time is the machine's own unrest (faults/network.ts). */
const NOTICED_MS = 10;
/** Attempts that may fail on this machine, of which the service knows nothing. */
const UNREACHED_SHARE = 0.01;
const CLIENTS = 10_000;
const POLL_LIMIT_MS = 300;
const CALM_AGAIN_MS = 2_000;
const CALM = 'calm_p95_ms';

function asJson(line) {
  try {
    return line.startsWith('{') ? JSON.parse(line) : null;
  } catch {
    return null;
  }
}

/** Facts by the name of their fault, and what an ordinary user waits without any. */
async function runNetwork() {
  const args = ['--disable-warning=ExperimentalWarning', 'apps/server/tests/faults/network.ts'];
  const { output } = await runCommand(process.execPath, args, { timeoutMs: NETWORK_MAX_MS });
  const facts = output.split('\n').map(asJson).filter(Boolean);
  return {
    faults: new Map(facts.filter(({ fault }) => fault !== undefined).map(one => [one.fault, one])),
    calmMs: facts.find(one => CALM in one)?.[CALM] ?? null,
  };
}

/** A fault as a test that passed, failed, or did not come to its end. */
function asRun(fault, name) {
  if (fault === undefined) return { ...emptyRun(), notRun: [`${name}: the run said nothing of it`] };
  return fault.passed ? { ...emptyRun(), passed: 1 } : { ...emptyRun(), failed: [JSON.stringify(fault)] };
}

export const clients = {
  goal: 'p95 < 300 ms, 0 errors: 10,000 clients polling each 30 s, and all reconnecting at once',
  measure: async () => {
    const lines = await runPoll([]);
    const figures = Object.fromEntries(lines.map(({ bench, ours }) => [bench.replace(/^poll /, ''), ours]));
    const failures = lines
      .filter(({ bench, ours }) => /failures$/.test(bench) && ours > 0)
      .map(({ bench, ours }) => `${bench}: ${ours}`);
    const ours = Math.max(figures.p95, figures['back at once, p95']);
    const unit = `ms, the slower p95 of both, ${CLIENTS} clients`;
    return lineOfFigure('clients', clients.goal, { ours, limit: POLL_LIMIT_MS, unit, failures, figures });
  },
};

const byFault = (faults, field) => Object.fromEntries(faults.map(one => [one.fault, one[field] ?? null]));

const SLOWLORIS = ['slowloris on HTTP', 'slowloris on SMTP'];
const FLOODS = ['connections that come and go', 'flood of malformed HTTP', 'flood of malformed SMTP'];

/** What of the attack did not take place; without it the row is open. */
function findMissing(name, fault) {
  if (fault === undefined) return [`${name}: the run said nothing of it`];
  const { attempted, reached, p95_ms: p95Ms } = fault;
  if (!(attempted >= SLOW_CLIENTS)) return [`${name} with ${SLOW_CLIENTS}: ${attempted} were attempted`];
  if (!(reached >= attempted * (1 - UNREACHED_SHARE)))
    return [`${name} with ${SLOW_CLIENTS}: ${reached} came to the service`];
  return p95Ms === undefined ? [`${name}: no p95`] : [];
}

/**
 * The line of slow clients. The goal is an ordinary user's: 5,000 try, and how many of them a service holds or sends away is its own
 * affair, told in `figures` (SMTP holds 2,000 by design). A user who was not answered is a miss, whatever the others waited.
 */
export function judgeSlowloris({ faults, calmMs }) {
  const found = SLOWLORIS.flatMap(name => faults.get(name) ?? []);
  // Of one of them alone no ratio is the row's. A p95 that is null is of a user who was not answered.
  const waits = SLOWLORIS.map(name => faults.get(name)?.p95_ms ?? null);
  const slowMs = waits.includes(null) ? null : Math.max(...waits);
  const isCalm = slowMs !== null && slowMs < NOTICED_MS;
  const ours = slowMs === null || calmMs === null ? null : Number((slowMs / calmMs).toFixed(2));
  const unserved = found.filter(({ served, visits }) => !(served === visits && visits > 0));
  const failed = found.filter(one => !one.passed || unserved.includes(one));
  return lineOfFigure('slowloris', slowloris.goal, {
    ours,
    // Below what can be told from the machine's unrest any ratio will do; faults/network.ts judges alike.
    limit: isCalm ? Math.max(TWICE, NOTICED_MS / (calmMs ?? NOTICED_MS)) : TWICE,
    unit: 'times the p95 without them',
    failures: failed.map(one => JSON.stringify(one)),
    shortOf: SLOWLORIS.flatMap(name => findMissing(name, faults.get(name))),
    figures: {
      calm_p95_ms: calmMs,
      attempted: byFault(found, 'attempted'),
      held: byFault(found, 'held'),
      refused_by_design: byFault(found, 'refused'),
      faults: found,
    },
  });
}

export const slowloris = {
  goal: 'a normal user’s p95 < 2x: slowloris on HTTP and SMTP with 5,000 connections',
  measure: async once => judgeSlowloris(await once('network', runNetwork)),
};

/** What memory did after a flood, as a test of its own. */
function memoryRun(name, fault) {
  const ms = fault?.back_after_ms;
  if (ms === undefined) return { ...emptyRun(), notRun: [`${name}: no figure of memory`] };
  if (ms === null) return { ...emptyRun(), failed: [`${name}: memory was not back`] };
  const isLate = ms > CALM_AGAIN_MS;
  return isLate
    ? { ...emptyRun(), failed: [`${name}: memory was back after ${ms} ms`] }
    : { ...emptyRun(), passed: 1 };
}

/** The line of smuggling and floods, of the tests and of what the long run said. */
export function judgeSmuggling(tests, faults) {
  const run = joinRuns([
    tests,
    ...FLOODS.map(name => asRun(faults.get(name), name)),
    ...FLOODS.map(name => memoryRun(name, faults.get(name))),
  ]);
  const times = FLOODS.map(name => faults.get(name)?.back_after_ms ?? null);
  const figures = {
    back_after_slowest_ms: times.includes(null) ? null : Math.max(...times),
    floods: FLOODS.flatMap(name => faults.get(name) ?? []),
  };
  return lineOfTests('smuggling', smuggling.goal, run, { figures });
}

export const smuggling = {
  goal: '0 smuggled, 0 relayed, 0 half mails, alive and back to baseline +50 MB in 2 s: 16 end-of-data variants; relay forms; floods; half mails',
  measure: async once => {
    const tests = await runTests({
      project: 'integration',
      files: ['smtp-smuggling', 'smtp-stages', 'smtp-limits', 'hostile-input'].map(
        name => `apps/server/tests/${name}.test.ts`,
      ),
    });
    const { faults } = await once('network', runNetwork);
    return judgeSmuggling(tests, faults);
  },
};
