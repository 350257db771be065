/**
 * Rows 1 and 2: inbound and outbound mail while the product, its server or its database is killed
 * at random moments (crash.test.ts), and, for outbound mail, while three nodes are killed in turn
 * (cluster.test.ts). Both rows read one run.
 */
import { joinRuns, largestIn, lineOfTests, numbersIn, saidBy } from './row.mjs';
import { runTests } from './test-run.mjs';

const MINUTE_MS = 60_000;
const ROUND_MAX_MS = 15_000;
/** Number of kills that the goal names. */
export const ROUNDS = 500;
const NODE_KILLS = 15;

const crash = rounds =>
  runTests({
    project: 'integration',
    files: ['apps/server/tests/crash.test.ts'],
    env: { KEYFOLD_CRASH_ROUNDS: String(rounds) },
    timeoutMs: 10 * MINUTE_MS + rounds * ROUND_MAX_MS,
  });

const nodes = () =>
  runTests({
    project: 'integration',
    files: ['apps/server/tests/cluster.test.ts'],
    env: { KEYFOLD_NODES_ROUNDS: String(NODE_KILLS) },
  });

/** Returns the last matching number, because reports repeat themselves. */
const lastIn = (lines, pattern) => numbersIn(lines, pattern).at(-1) ?? null;

const shortOf = rounds => (rounds < ROUNDS ? [`${rounds} of ${ROUNDS} kills`] : []);

const shared = (lines, rounds) => ({
  kills: rounds,
  messages: lastIn(lines, /of (\d+) messages \d+ acknowledged/g),
  restart_slowest_ms: lastIn(lines, /restarts p50 \d+ ms, p95 \d+ ms, max (\d+) ms/g),
  seed: lastIn(lines, /crash test: seed (\d+)/g),
});

export const inbound = {
  goal: '0 lost after 250, 0 duplicates per recipient: kill -9 of any process at 500 random moments, 10 B to 25 MB, 1 to 20 recipients',
  measure: async (once, { rounds = ROUNDS }) => {
    const run = await once(`crash ${rounds}`, () => crash(rounds));
    const { lines } = run;
    const figures = {
      ...shared(lines, rounds),
      deliveries_acknowledged: lastIn(lines, /(\d+) deliveries acknowledged/g),
      largest_bytes: lastIn(lines, /(\d+) largest bytes/g),
      most_recipients: lastIn(lines, /(\d+) most recipients/g),
    };
    return lineOfTests('inbound', inbound.goal, run, { figures, shortOf: shortOf(rounds) });
  },
};

export const send = {
  goal: 'success => delivered or bounced, exactly once per recipient except in the documented lost-250 window: kill before, during and after the response, and between the remote 250 and the local commit',
  measure: async (once, { rounds = ROUNDS }) => {
    const product = await once(`crash ${rounds}`, () => crash(rounds));
    const run = joinRuns([product, await once('nodes', nodes)]);
    const { lines } = product;
    const outside = lastIn(lines, /(\d+) recipients outside/g);
    const again = lastIn(lines, /(\d+) arrived outside once more/g);
    const figures = {
      ...shared(lines, rounds),
      sends_acknowledged: lastIn(lines, /(\d+) sends acknowledged/g),
      recipients_outside: outside,
      lost_250: again,
      lost_250_share: outside === null || again === null ? null : Number((again / outside).toFixed(5)),
      lost_250_window_ms: lastIn(lines, /(\d+) ms at most between a delivery of those and its kill/g),
      node_kills: NODE_KILLS,
      nodes: saidBy(lines, 'nodes test').at(-1) ?? largestIn(lines, /slowest restart (\d+) ms/g),
    };
    return lineOfTests('send', send.goal, run, { figures, shortOf: shortOf(rounds) });
  },
};
