/**
 * The only place that makes loggers. Log lines are JSON and never hold addresses, subjects, bodies, keys or tokens:
 * callers log ids and codes, and what could slip through is cut by name here as a second line of defence.
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

/** Lines that wait to be written; what is more is lost. */
const WAITING_MAX_BYTES = 1024 * 1024;

/**
 * Standard output. A line that cannot be written, as where it is a file on a full disk, must not bring anything down: left alone,
 * the failure is an uncaught error whose own line fails again, without end, and the last lines are tried for ever at the exit.
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

/** A logger on standard output. */
export const createLogger = (level: string): Logger =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: REDACTED.flatMap(name => [name, `*.${name}`]), censor: '[cut]' },
      serializers: {
        // Driver errors quote values in `detail` and `where`; only what names the kind of failure is kept.
        err: (error: unknown) => describeError(error),
      },
    },
    openOutput(),
  );

/** The parts of an error that are safe to log: class, code, our own text's first line, and the stack's places. */
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
