/**
 * Whether what DATABASE_URL leads to gives a connection to one client for as long as it lives. A pooler that gives it to another
 * after each transaction or statement loses notifications, settings and locks, without an error that anybody would see.
 */
import type pg from 'pg';
import { type Connection, clientOf } from './connection.ts';
import { kindOfVersion } from './server-kind.ts';

/** Further clients that hold a connection of the server meanwhile: a pooler may have a few that wait. */
const HOLDERS = 3;
const TIMEOUT_MS = 5_000;
/** PgBouncer's refusal of `begin` where it pools by statement. */
const NO_TRANSACTIONS = /transaction blocks not allowed/i;

/** DATABASE_URL leads to a pooler that cannot be worked with. */
export class UnsupportedPooler extends Error {
  override readonly name = 'UnsupportedPooler';
}

const unsupported = (): UnsupportedPooler =>
  new UnsupportedPooler(
    'DATABASE_URL leads to a pooler that shares connections between transactions: set pool_mode = session there, or connect to PostgreSQL itself (docs/operations.md, Events and poolers)',
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
 * Rejects with UnsupportedPooler when clients get each other's connections: while others hold one each in a transaction, a client
 * must neither lose its own nor find one of them in it.
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
    // YugabyteDB has a manager of connections of its own, which keeps what is a session's.
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
