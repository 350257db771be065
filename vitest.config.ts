// Three suites, run one after the other by tools/test.mjs: unit (pure), integration (real PostgreSQL and SMTP),
// browser (Chromium). Select one with `vitest run --project NAME`.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
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
          include: ['apps/server/src/**/*.test.ts', 'apps/server/tests/**/*.test.ts'],
          globalSetup: ['apps/server/tests/harness/global-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['packages/*/browser/**/*.test.ts', 'apps/web/e2e/**/*.test.ts'],
          fileParallelism: false,
          testTimeout: 180_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
