// Three suites, run one after the other by tools/test.mjs: unit (pure), integration (real PostgreSQL and SMTP),
// browser (Chromium). Select one with `vitest run --project NAME`.
import { defineConfig } from 'vitest/config';

/** Node announces each of its newer primitives as experimental, in every worker. */
const execArgv = ['--disable-warning=ExperimentalWarning'];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          execArgv,
          include: [
            'packages/*/src/**/*.test.ts',
            'apps/web/src/**/*.test.{ts,tsx}',
            'tools/**/*.test.{ts,mjs}',
          ],
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'integration',
          execArgv,
          include: ['apps/server/src/**/*.test.ts', 'apps/server/tests/**/*.test.ts'],
          globalSetup: ['apps/server/tests/harness/global-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'browser',
          execArgv,
          include: ['packages/*/browser/**/*.test.ts', 'apps/web/e2e/**/*.test.ts'],
          fileParallelism: false,
          testTimeout: 180_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
