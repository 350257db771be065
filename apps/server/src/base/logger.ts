/**
 * The only module that creates loggers. Log lines are JSON and never contain addresses, subjects,
 * bodies, keys or tokens: callers log ids and codes, and fields with sensitive names are removed
 * here as a second line of defense.
 */
import { type Logger, pino } from 'pino';

const REDACTED = [
  'email',
  'address',
  'from',
  'to',
  'cc',
  'bcc',
  'subject',
  'body',
  'headers',
  'password',
  'token',
  'cookie',
  'authorization',
  'encryption_key',
  'client_key',
  'key',
  'rcpt',
  'recipient',
  'user',
  'query',
  'url',
] as const;

export type { Logger };

/** Maximum size of buffered lines, in bytes; lines beyond it are dropped. */
const WAITING_MAX_BYTES = 1024 * 1024;

/**
 * Opens standard output so that a failed write, such as to a file on a full disk, does not crash
 * the process. Unhandled, the failure becomes an uncaught error whose own log line fails again
 * without end, and the exit handler retries the last lines indefinitely.
 */
function openOutput() {
  const output = pino.destination({ dest: 1, maxLength: WAITING_MAX_BYTES });
  const flush = output.flushSync.bind(output);
  let isBroken = false;
  output.on('error', () => {
    isBroken = true;
  });
  output.on('write', () => {
    isBroken = false;
  });
  output.flushSync = () => {
    if (!isBroken) flush();
  };
  return output;
}

/** Creates a logger on standard output. */
export const createLogger = (level: string): Logger =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: REDACTED.flatMap(name => [name, `*.${name}`]), censor: '[cut]' },
      serializers: {
        // Database driver errors quote values in `detail` and `where`; only fields that identify
        // the kind of failure are kept.
        err: (error: unknown) => describeError(error),
      },
    },
    openOutput(),
  );

/**
 * Returns the parts of an error that are safe to log: class, code, stack locations, and the same of
 * its cause.
 */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const { code } = error as { code?: unknown };
  return {
    type: error.name,
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    at: (error.stack ?? '')
      .split('\n')
      .filter(line => /^\s+at /.test(line))
      .slice(0, 6)
      .map(line => line.trim()),
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  };
}
