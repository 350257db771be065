/**
 * Starts the service and ends it on a signal: at the first one what was accepted is finished, at the second one not.
 */
import process from 'node:process';
import { announce, startApp } from './app.ts';
import { type Config, readConfig } from './config.ts';
import { openDatabase } from './db/open.ts';
import { createLogger } from './logger.ts';
import { explainStartFailure } from './start-failure.ts';

const CLOSE_TIMEOUT_MS = 10_000;
/** npm hands on the Ctrl+C that the terminal has sent already: one press is not two. */
const SAME_PRESS_MS = 500;

let config: Config | null = null;
try {
  config = readConfig(process.env);
  const logger = createLogger(config.logLevel);
  // All that must last is in the database: one request's stray failure is no reason to hang up on everybody.
  process.on('uncaughtException', err => logger.error({ err }, 'uncaught'));
  const database = await openDatabase(config, logger);
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
      .then(() => process.exit(0));
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
} catch (error) {
  process.stderr.write(`${explainStartFailure(error, config)}\n`);
  process.exit(1);
}
