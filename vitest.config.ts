// The suites, run in sequence by tools/test.mjs: unit (pure), integration (real PostgreSQL and
// SMTP), browser (Chromium and Firefox, two tests at a time), and browser-alone (tests that measure
// time, with nothing beside them). Select one with `vitest run --project NAME`, or all in a browser
// with `--project 'browser*'`.
import { defineConfig } from 'vitest/config';

/** Node prints a warning for each experimental feature in every worker. */
const execArgv = ['--disable-warning=ExperimentalWarning'];

// With `isolate` off, a worker loads the server's modules once for all its files, which halves the
// cost of the suite. The server's modules keep no state that one test could leak to another. The
// client's modules do, so unit tests are isolated.

/**
 * Workers of the suites without a browser. By default vitest leaves one core free for interactive
 * use.
 */
const BOTH_CORES = 2;

/** The same limit as one test step: the default of a second is too short for a busy machine. */
const poll = { timeout: 30_000 };

/**
 * When nodes are killed (`npm run test:nodes`), another node takes over a claimed outgoing message
 * or push once its lease expires, two minutes later at most.
 */
const patience = process.env.KEYFOLD_E2E_KILL_MS
  ? { testTimeout: 480_000, expect: { poll: { timeout: 150_000 } } }
  : { testTimeout: 180_000, expect: { poll } };

/**
 * Tests that report times or enforce budgets: anything running beside them would distort the
 * measurement.
 */
const measured = ['first-load', 'large-attached', 'main-thread', 'toast-and-link'].map(
  name => `apps/web/e2e/${name}.test.ts`,
);

const inChromium = {
  execArgv,
  isolate: false,
  globalSetup: ['apps/web/e2e/support/global-setup.ts'],
  setupFiles: ['apps/web/e2e/support/failure-reporter.ts'],
  hookTimeout: 120_000,
  ...patience,
};

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          execArgv,
          setupFiles: ['tools/property-seed.mjs'],
          maxWorkers: BOTH_CORES,
          include: [
            'packages/*/src/**/*.test.ts',
            'apps/web/src/**/*.test.{ts,tsx}',
            'apps/web/build/*.test.ts',
            'apps/mobile/tests/*.test.mjs',
            'tools/**/*.test.{ts,mjs}',
          ],
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'integration',
          execArgv,
          isolate: false,
          setupFiles: ['tools/property-seed.mjs'],
          maxWorkers: BOTH_CORES,
          include: ['apps/server/src/**/*.test.ts', 'apps/server/tests/**/*.test.ts'],
          globalSetup: ['apps/server/tests/harness/global-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: { poll },
        },
      },
      {
        test: {
          ...inChromium,
          name: 'browser',
          include: [
            'packages/*/browser/**/*.test.ts',
            'apps/web/e2e/**/*.test.ts',
            'apps/mobile/tests/browser/*.test.mjs',
          ],
          exclude: measured,
          // A test waits for its page a third of the time; another test runs meanwhile.
          maxWorkers: BOTH_CORES,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...inChromium,
          name: 'browser-alone',
          include: measured,
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
