/**
 * Checks that DATABASE_URL leads to a server or pooler that dedicates a connection to a client for
 * the client's lifetime. A pooler that switches connections after each transaction or statement
 * loses notifications, settings and locks without a visible error.
 */
import type pg from 'pg';
import { type Connection, clientOf } from './connection.ts';
import { kindOfVersion } from './server-kind.ts';

/**
 * Number of further clients that hold a server connection during the check, because a pooler may
 * have a few idle ones.
 */
const HOLDERS = 3;
const TIMEOUT_MS = 5_000;
/** PgBouncer's refusal of `begin` in statement pooling mode. */
const NO_TRANSACTIONS = /transaction blocks not allowed/i;

/** DATABASE_URL leads to an unsupported pooler. */
export class UnsupportedPooler extends Error {
  override readonly name = 'UnsupportedPooler';
}

const unsupported = (): UnsupportedPooler =>
  new UnsupportedPooler(
    'DATABASE_URL points to a pooler that shares connections between transactions. Set pool_mode = session there, or connect to PostgreSQL directly (docs/operations.md, Events and poolers)',
  );

const ASK = 'select pg_backend_pid() as pid, version() as version';

type OpenClient = () => Promise<Pick<pg.Client, 'end' | 'query'>>;

const openClientOf =
  (connection: Connection): OpenClient =>
  async () => {
    const Client = clientOf(connection);
    const client = new Client({
      ...connection,
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
      application_name: 'keyfold',
    });
    client.on('error', () => {});
    await client.connect();
    return client;
  };

/**
 * Rejects with UnsupportedPooler if clients share connections: while other clients each hold a
 * connection in a transaction, a client must neither lose its own connection nor receive one of
 * theirs.
 */
export async function requireOwnConnections(
  connection: Connection,
  open: OpenClient = openClientOf(connection),
): Promise<void> {
  const clients: Awaited<ReturnType<OpenClient>>[] = [];
  const add = async () => {
    const client = await open();
    clients.push(client);
    return client;
  };
  try {
    const first = await add();
    const ask = async (client: Pick<pg.Client, 'query'>) =>
      (await client.query<{ pid: number; version: string }>(ASK)).rows[0];
    const own = await ask(first);
    // YugabyteDB has its own connection manager, which preserves session state.
    if (kindOfVersion(own?.version ?? '') === 'yugabyte') return;
    for (let held = 0; held < HOLDERS; held++) {
      const holder = await add();
      await holder.query('begin');
      if ((await ask(holder))?.pid === own?.pid) throw unsupported();
    }
    if ((await ask(first))?.pid !== own?.pid) throw unsupported();
  } catch (error) {
    throw NO_TRANSACTIONS.test(String(error)) ? unsupported() : error;
  } finally {
    await Promise.all(clients.map(client => client.end().catch(() => undefined)));
  }
}
