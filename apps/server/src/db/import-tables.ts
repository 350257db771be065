/** Kysely types of the tables for imports. */
import type { ColumnType } from 'kysely';

type Instant = ColumnType<Date, Date | string, Date | string>;
type InstantOrNull = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
type WithDefault<T> = ColumnType<T, T | undefined, T>;

export type ImportItemFailure = {
  /** Position in reading order, from 1. */
  readonly item: number;
  readonly reason: 'damaged' | 'cut_short' | 'too_large' | 'encrypted' | 'unsupported';
};

/** The source of an import. */
export type ImportKind = 'imap' | 'pst';

export type ServerImportsTable = {
  user_id: string;
  id: string;
  kind: ImportKind;
  status: WithDefault<'queued' | 'running' | 'done' | 'failed' | 'cancelled'>;
  /**
   * The file's key, or all credentials and data of a remote mailbox; sealed under the master key,
   * null once the import has ended.
   */
  secret_sealed: Buffer | null;
  /** Size of the file, in bytes; -1 during the upload, 0 if there is no file. */
  size_bytes: number;
  has_folder_tags: boolean;
  /** Key of the last item processed; reading continues after it. */
  last_key: WithDefault<string | null>;
  total: WithDefault<number>;
  processed: WithDefault<number>;
  imported: WithDefault<number>;
  skipped: WithDefault<number>;
  failed: WithDefault<number>;
  errors: ColumnType<ImportItemFailure[], string | undefined, string>;
  failure: WithDefault<string | null>;
  /**
   * How many processes died while reading the file; for a mailbox, interruptions since the last
   * message.
   */
  deaths: WithDefault<number>;
  /** Total reading time, in milliseconds. */
  spent_ms: WithDefault<number>;
  /** End of the lease; afterwards another process may claim the import. */
  leased_until: InstantOrNull;
  created_at: Instant;
  ended_at: InstantOrNull;
};

export type ImportTables = { server_imports: ServerImportsTable };
