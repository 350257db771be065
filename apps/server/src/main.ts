/**
 * Starts the service and ends it on a signal: at the first one what was accepted is finished, at the second one not.
 *
 * [Note: Quick start] Most of a start is reading code. So compiled code is kept beside the checkout (where that cannot be
 * written, nothing is lost but time), and the app's modules are loaded while PostgreSQL gets ready. The imports below
 * are therefore made at run time, after the cache is on.
 */
import { enableCompileCache, flushCompileCache } from 'node:module';
import path from 'node:path';
import process from 'node:process';
import type { Config } from './config/config.ts';

const CLOSE_TIMEOUT_MS = 10_000;
/** npm hands on the Ctrl+C that the terminal has sent already: one press is not two. */
const SAME_PRESS_MS = 500;
const COMPILED = path.resolve(import.meta.dirname, '../../../.cache/compiled');

enableCompileCache(COMPILED);
let config: Config | null = null;
try {
  const { readConfig } = await import('./config/config.ts');
  config = readConfig(process.env);
  const { createLogger } = await import('./base/logger.ts');
  const logger = createLogger(config.logLevel);
  // All that must last is in the database: one request's stray failure is no reason to hang up on everybody.
  process.on('uncaughtException', err => logger.error({ err }, 'uncaught'));
  const { openDatabase } = await import('./db/open.ts');
  const [database, { announce, startApp }] = await Promise.all([
    openDatabase(config, logger),
    import('./app.ts'),
  ]);
  const app = await startApp(config, database.connection, { logger }).catch(error =>
    database.close().then(() => Promise.reject(error)),
  );
  process.stdout.write(announce(app));
  let stoppingSince: number | null = null;
  const stop = (): void => {
    if (stoppingSince !== null && Date.now() - stoppingSince > SAME_PRESS_MS) process.exit(1);
    if (stoppingSince !== null) return;
    stoppingSince = Date.now();
    setTimeout(() => process.exit(1), CLOSE_TIMEOUT_MS);
    void app
      .close()
      .then(database.close)
      .then(() => {
        logger.info('stopped');
        process.exit(0);
      });
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  // Not left to the end, which a killed process does not reach.
  flushCompileCache();
} catch (error) {
  const { explainStartFailure } = await import('./config/start-failure.ts');
  process.stderr.write(`${explainStartFailure(error, config)}\n`);
  process.exit(1);
}
