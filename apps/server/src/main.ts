/**
 * Starts the service and stops it on a signal: the first signal lets accepted work finish, the
 * second one does not.
 *
 * [Note: Quick start] Loading code takes most of the startup time. Compiled code is therefore
 * cached beside the checkout (where that is not writable, only time is lost), and the app's modules
 * load while PostgreSQL gets ready. The imports below are dynamic, so that they run after the cache
 * is enabled.
 */
import { enableCompileCache, flushCompileCache } from 'node:module';
import path from 'node:path';
import process from 'node:process';
import type { Config } from './config/config.ts';

const CLOSE_TIMEOUT_MS = 10_000;
/** npm passes on the Ctrl+C that the terminal has already sent: one key press counts once. */
const SAME_PRESS_MS = 500;
const COMPILED = path.resolve(import.meta.dirname, '../../../.cache/compiled');

enableCompileCache(COMPILED);
let config: Config | null = null;
try {
  const { readConfig } = await import('./config/config.ts');
  config = readConfig(process.env);
  const { createLogger } = await import('./base/logger.ts');
  const logger = createLogger(config.logLevel);
  // All durable state is in the database: one request's stray failure does not justify dropping
  // every connection.
  process.on('uncaughtException', err => logger.error({ err }, 'uncaught exception'));
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
