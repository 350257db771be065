/**
 * A connection that listens to a PostgreSQL channel and reconnects when it breaks. Notifications
 * sent while it was disconnected are lost: listeners are notified of the reconnect and must check
 * the state themselves.
 */
import type pg from 'pg';
import type { Logger } from '../base/logger.ts';
import { type Connection, clientOf } from './connection.ts';

const FIRST_RETRY_MS = 200;
const LAST_RETRY_MS = 15_000;
/**
 * A periodic query that gets no answer detects a server that vanished without closing the
 * connection.
 */
const PROBE_EVERY_MS = 20_000;
const PROBE_TIMEOUT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 5_000;

export type Listener = { readonly close: () => Promise<void> };

export type ListenOptions = {
  /** An SQL identifier that needs no quoting. */
  readonly channel: string;
  readonly onMessage: (payload: string) => void;
  /** Called whenever listening begins, including after a reconnect. */
  readonly onReady: () => void;
  readonly logger: Logger;
};

/** Starts listening. Never rejects: an unreachable server is retried. */
export function startListener(
  connection: Connection,
  { channel, onMessage, onReady, logger }: ListenOptions,
): Listener {
  let client: pg.Client | null = null;
  let retryTimer: NodeJS.Timeout | undefined;
  let probeTimer: NodeJS.Timeout | undefined;
  let failures = 0;
  let isClosed = false;

  const drop = (broken: pg.Client): void => {
    if (client !== broken) return;
    client = null;
    clearInterval(probeTimer);
    broken.end().catch(() => undefined);
    if (isClosed) return;
    const waitMs = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** failures) * (0.5 + Math.random() / 2);
    failures = Math.min(failures + 1, 10);
    retryTimer = setTimeout(() => void connect(), waitMs);
  };

  const Client = clientOf(connection);
  const connect = async (): Promise<void> => {
    const fresh = new Client({
      ...connection,
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: PROBE_TIMEOUT_MS,
      application_name: 'keyfold-events',
    });
    client = fresh;
    fresh.on('error', () => drop(fresh));
    fresh.on('end', () => drop(fresh));
    fresh.on('notification', ({ payload }) => onMessage(payload ?? ''));
    try {
      await fresh.connect();
      await fresh.query(`listen ${channel}`);
    } catch (error) {
      if (failures === 0 && !isClosed)
        logger.warn({ err: error }, 'database unavailable, events are delayed');
      return drop(fresh);
    }
    if (client !== fresh || isClosed) return;
    failures = 0;
    probeTimer = setInterval(() => {
      fresh.query('select 1').catch(() => drop(fresh));
    }, PROBE_EVERY_MS);
    onReady();
  };

  void connect();
  return {
    close: async () => {
      isClosed = true;
      clearTimeout(retryTimer);
      clearInterval(probeTimer);
      const last = client;
      client = null;
      await last?.end().catch(() => undefined);
    },
  };
}
