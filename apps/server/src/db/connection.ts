/**
 * How to reach the database, and which of several servers is the one that takes changes. Where DATABASE_URL names several,
 * the first is tried, and the next whenever one cannot be reached or only reads; what was found last is where the next
 * connection goes. So a standby that was promoted is found without anybody's help.
 */
import pg from 'pg';
import { serverUrls } from '../config/database-url.ts';

/** A URL, or the socket of the embedded database. */
export type Connection =
  | { readonly connectionString: string }
  | { readonly host: string; readonly user: string; readonly database: string };

/** The server at the other end takes no changes: a standby, or a primary that was fenced off. */
class ReadOnlyServer extends Error {
  override readonly name = 'ReadOnlyServer';
  /** As PostgreSQL itself says of a change there. */
  readonly code = '25006';
}

/** Which server of a connection's was the right one last. */
const found = new WeakMap<Connection, number>();

/** The class with which to connect, for pg.Pool and for single connections; each connection is to one server. */
export function clientOf(connection: Connection): typeof pg.Client {
  const urls = 'connectionString' in connection ? serverUrls(connection.connectionString) : [];
  if (urls.length < 2) return pg.Client;
  return class extends pg.Client {
    readonly #server: number;

    constructor(options: pg.ClientConfig = {}) {
      const server = found.get(connection) ?? 0;
      super({ ...options, connectionString: urls[server] });
      this.#server = server;
      // It may break between connecting and the question below; who waits is told by the rejection.
      this.on('error', () => {});
    }

    async #reach(): Promise<this> {
      await super.connect();
      const { rows } = await this.query<{ transaction_read_only: string }>('show transaction_read_only');
      if (rows[0]?.transaction_read_only !== 'off') throw new ReadOnlyServer('The server takes no changes');
      return this;
    }

    #leave(): void {
      // Of many that fail at once, the first one moves on.
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
