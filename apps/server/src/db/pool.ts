/**
 * Connections to PostgreSQL: the pool, the Kysely instance over it, and the detection of an
 * unreachable database. Asks the database itself only whether it responds and what time it is; all
 * other statements are in the features' store.ts files.
 */
import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import pg from 'pg';
import type { Logger } from '../base/logger.ts';
import { type Connection, clientOf } from './connection.ts';
import { createResilientPool, DatabaseBusy } from './resilient-pool.ts';
import type { Tables } from './tables.ts';

export type { Connection } from './connection.ts';

export type Db = Kysely<Tables>;
export type Trx = Transaction<Tables>;

const POOL_MAX = 24;
const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 30_000;
/**
 * Idle time before keep-alive starts, in milliseconds; a server that vanished without closing the
 * connection is detected about ten seconds later.
 */
const KEEP_ALIVE_AFTER_MS = 10_000;

// bigint columns are byte counts and counters, all far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** Creates a pool whose idle connections may break without ending the process. */
export function createPool(connection: Connection, logger: Logger, max = POOL_MAX): pg.Pool {
  const pool = new pg.Pool({
    ...connection,
    Client: clientOf(connection),
    max,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    // Not set in the startup packet, because PgBouncer refuses all settings there that it does not
    // know.
    onConnect: async client => {
      await client.query(`set statement_timeout = ${STATEMENT_TIMEOUT_MS}`);
    },
    // For a server that has stopped responding altogether.
    query_timeout: STATEMENT_TIMEOUT_MS + CONNECT_TIMEOUT_MS,
    application_name: 'keyfold',
  });
  pool.on('error', error => {
    // The last connections of a closed pool may still be closing when PostgreSQL is stopped.
    if (!pool.ending) logger.warn({ err: error }, 'idle database connection lost');
  });
  // The pool handles errors only while a connection is idle; without this handler, a connection
  // that breaks in use would end the process. The caller sees the statement's rejection.
  pool.on('connect', client => client.on('error', () => {}));
  return pool;
}

export const createDb = (pool: pg.Pool): Db =>
  new Kysely<Tables>({ dialect: new PostgresDialect({ pool: createResilientPool(pool) }) });

const UNREACHABLE = new Set([
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  // PostgreSQL: connection exceptions, shutdowns, too many connections, read-only after a failover.
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
  '57P01',
  '57P02',
  '57P03',
  '57P05',
  '53300',
  '25006',
]);

/**
 * Returns whether an error means that the database cannot be reached now, rather than that the
 * statement was wrong.
 */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof DatabaseBusy) return true;
  const { code } = error as { code?: unknown };
  if (typeof code === 'string' && UNREACHABLE.has(code)) return true;
  return /timeout exceeded when trying to connect|timeout expired|Query read timeout|Connection terminated|Client has encountered a connection error|Client was closed and is not queryable/.test(
    error.message,
  );
}

/** Returns whether an error is PostgreSQL's unique violation. */
export const isDuplicate = (error: unknown): boolean =>
  error instanceof Error && (error as { code?: unknown }).code === '23505';

/** Runs the cheapest query that proves the database responds. */
export async function askDatabase(db: Db): Promise<void> {
  await sql`select 1`.execute(db);
}

/**
 * Returns the database's clock, which is the time of the service ([Note: The service's time]), in
 * milliseconds since 1970, at the time of the call rather than the start of the transaction.
 */
export async function askTime(db: Db): Promise<number> {
  const { rows } = await sql<{ nowMs: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as "nowMs"`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('The database time is unavailable');
  return row.nowMs;
}
