/**
 * Connects to the database and, among several servers, finds the one that accepts writes. If
 * DATABASE_URL names several, the first is tried, then the next whenever one is unreachable or
 * read-only; new connections start with the last server that worked. A promoted standby is
 * therefore found without intervention.
 */
import pg from 'pg';
import { serverUrls } from '../config/database-url.ts';

/** A URL, or the socket of the embedded database. */
export type Connection =
  | { readonly connectionString: string }
  | { readonly host: string; readonly user: string; readonly database: string };

/** The server is read-only: a standby, or a fenced primary. */
class ReadOnlyServer extends Error {
  override readonly name = 'ReadOnlyServer';
  /** The code that PostgreSQL reports for a write to a read-only server. */
  readonly code = '25006';
}

/** Index of the last working server of each connection. */
const found = new WeakMap<Connection, number>();

/**
 * Returns the client class for pg.Pool and for single connections; each connection goes to one
 * server.
 */
export function clientOf(connection: Connection): typeof pg.Client {
  const urls = 'connectionString' in connection ? serverUrls(connection.connectionString) : [];
  if (urls.length < 2) return pg.Client;
  return class extends pg.Client {
    readonly #server: number;

    constructor(options: pg.ClientConfig = {}) {
      const server = found.get(connection) ?? 0;
      super({ ...options, connectionString: urls[server] });
      this.#server = server;
      // The connection may break between connecting and the query below; the caller sees the
      // rejection.
      this.on('error', () => {});
    }

    async #reach(): Promise<this> {
      await super.connect();
      const { rows } = await this.query<{ transaction_read_only: string }>('show transaction_read_only');
      if (rows[0]?.transaction_read_only !== 'off')
        throw new ReadOnlyServer('The database server is read-only');
      return this;
    }

    #leave(): void {
      // If many connections fail at once, only the first one moves on to the next server.
      if ((found.get(connection) ?? 0) === this.#server)
        found.set(connection, (this.#server + 1) % urls.length);
      void this.end().catch(() => undefined);
    }

    override connect(): Promise<pg.Client>;
    override connect(callback: ((error: Error) => void) | ((error: null, client: pg.Client) => void)): void;
    override connect(callback?: unknown): unknown {
      const reached = this.#reach().catch((error: Error) => {
        this.#leave();
        throw error;
      });
      if (typeof callback !== 'function') return reached;
      reached.then(
        () => process.nextTick(callback, null, this),
        (error: Error) => process.nextTick(callback, error),
      );
      return undefined;
    }
  };
}
