/**
 * `npm run test:nodes [-- STORY...]`: three nodes, each in its own network namespace, over one
 * PostgreSQL and one S3 service, killed with -9 in turn. First runs a load and checks everything
 * that was acknowledged. Then runs the browser tests, all except `LEFT_OUT` unless some are named
 * (first-path, compose), each against its own cluster. Needs Linux, and root for the namespaces;
 * without root the nodes share the loopback network. KEYFOLD_E2E_KILL_MS is the pause between two
 * kills, KEYFOLD_NODES_ROUNDS the number of kills during the load. The last line is `N passed, N
 * failed`.
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { findBrowser } from './browser.mjs';
import { root } from './run-command.mjs';
import { runSuite } from './suite.mjs';

const MINUTE_MS = 60_000;
const NODES = '3';
const KILL_MS = process.env.KEYFOLD_E2E_KILL_MS ?? '8000';
const ROUNDS = process.env.KEYFOLD_NODES_ROUNDS ?? '30';

/** Browser tests that are irrelevant for a cluster whose nodes are killed, with reasons. */
const LEFT_OUT = new Map([
  [
    'parts',
    'starts no server: it renders parts of the interface from files, and creating namespaces interrupts its requests',
  ],
  [
    'firefox',
    'its paths run in Chromium too, and its helpers do not repeat the clicks that a killed node lost',
  ],
]);
const FOLDER = 'apps/web/e2e';

const named = process.argv.slice(2);
const stories = readdirSync(path.join(root, FOLDER))
  .map(file => /^(.+)\.test\.ts$/.exec(file)?.[1])
  .filter(name => name !== undefined && !LEFT_OUT.has(name));
const filters =
  named.length === 0
    ? stories.map(name => `${FOLDER}/${name}.test.ts`)
    : named.map(name => `${FOLDER}/${name}`);
const browser = findBrowser();
/** @type {import('./suite.mjs').SuiteResult[]} */
const runs = [];
if (named.length === 0)
  runs.push(
    await runSuite('integration', {
      timeoutMs: 20 * MINUTE_MS,
      filters: ['apps/server/tests/cluster.test.ts'],
      env: { KEYFOLD_NODES_ROUNDS: ROUNDS },
    }),
  );
for (const project of ['browser', 'browser-alone'])
  runs.push(
    await runSuite(project, {
      timeoutMs: 120 * MINUTE_MS,
      filters,
      env: {
        KEYFOLD_E2E_CLUSTER: NODES,
        KEYFOLD_E2E_KILL_MS: KILL_MS,
        ...(browser ? { CHROMIUM_PATH: browser } : {}),
      },
    }),
  );
const sum = field => runs.reduce((total, run) => total + run[field], 0);
for (const failure of runs.flatMap(run => run.failures)) console.log(`FAIL  ${failure}`);
console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
process.exitCode = sum('failed') === 0 ? 0 : 1;
