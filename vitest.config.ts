// The suites, run one after the other by tools/test.mjs: unit (pure), integration (real PostgreSQL and SMTP), browser
// (Chromium, two stories at a time), and browser-alone (stories that look at times, with nothing beside them). Select one with
// `vitest run --project NAME`, or all in Chromium with `--project 'browser*'`.
import { defineConfig } from 'vitest/config';

/** Node announces each of its newer primitives as experimental, in every worker. */
const execArgv = ['--disable-warning=ExperimentalWarning'];

// Where `isolate` is off, a worker reads the server's modules once for all its files, which halves what the suite costs. The
// modules of the server keep nothing that one test could leave to another; those of the client do, so unit tests are apart.

/** Workers of the suites without a browser: the library leaves a core to somebody who watches. */
const BOTH_CORES = 2;

/** As long as one step may take: a second, the default, is too short for a busy machine. */
const poll = { timeout: 30_000 };

/**
 * Where nodes are killed (`npm run test:nodes`): what one had claimed, a letter to the outside or a push, is taken up by another
 * when its lease is over, two minutes later at most.
 */
const patience = process.env.KEYFOLD_E2E_KILL_MS
  ? { testTimeout: 480_000, expect: { poll: { timeout: 150_000 } } }
  : { testTimeout: 180_000, expect: { poll } };

/** Stories in which times are told or budgets kept: what runs beside them would be measured too. */
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
          // A story waits for a page a third of its time; another one goes on meanwhile.
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
