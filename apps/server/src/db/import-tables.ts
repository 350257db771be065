/**
 * The tables of imports.
 */
import type { ColumnType } from 'kysely';

type Instant = ColumnType<Date, Date | string, Date | string>;
type InstantOrNull = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
type WithDefault<T> = ColumnType<T, T | undefined, T>;

export type ImportItemFailure = {
  /** Its place in the order of reading, from 1. */
  readonly item: number;
  readonly reason: 'damaged' | 'cut_short' | 'too_large' | 'encrypted' | 'unsupported';
};

/** What an import reads from. */
export type ImportKind = 'imap' | 'pst';

export type ServerImportsTable = {
  user_id: string;
  id: string;
  kind: ImportKind;
  status: WithDefault<'queued' | 'running' | 'done' | 'failed' | 'cancelled'>;
  /** The file's key, or all that is known of a mailbox elsewhere; sealed under the master key, null once it has ended. */
  secret_sealed: Buffer | null;
  /** Of a file; -1 while it comes, 0 where there is none. */
  size_bytes: number;
  has_folder_tags: boolean;
  /** Key of the last thing that was dealt with; reading goes on behind it. */
  last_key: WithDefault<string | null>;
  total: WithDefault<number>;
  processed: WithDefault<number>;
  imported: WithDefault<number>;
  skipped: WithDefault<number>;
  failed: WithDefault<number>;
  errors: ColumnType<ImportItemFailure[], string | undefined, string>;
  failure: WithDefault<string | null>;
  /** How often a process that read it died; of a mailbox, interruptions since the last message. */
  deaths: WithDefault<number>;
  /** How long it has been read in all, milliseconds. */
  spent_ms: WithDefault<number>;
  /** Until when a process is at it; then another may take it up. */
  leased_until: InstantOrNull;
  created_at: Instant;
  ended_at: InstantOrNull;
};

export type ImportTables = { server_imports: ServerImportsTable };
