/**
 * The tables of imports.
 */
import type { ColumnType } from 'kysely';

type Instant = ColumnType<Date, Date | string, Date | string>;
type InstantOrNull = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
type WithDefault<T> = ColumnType<T, T | undefined, T>;

export type PstItemFailure = {
  /** Its place in the file, from 1. */
  readonly item: number;
  readonly reason: 'damaged' | 'cut_short' | 'too_large' | 'encrypted' | 'unsupported';
};

export type PstImportsTable = {
  user_id: string;
  id: string;
  status: WithDefault<'queued' | 'running' | 'done' | 'failed' | 'cancelled'>;
  /** The file's key, sealed under the master key; null once the file is gone. */
  key_sealed: Buffer | null;
  size_bytes: number;
  has_folder_tags: boolean;
  /** Key of the last thing that was dealt with; reading goes on behind it. */
  last_key: WithDefault<string | null>;
  total: WithDefault<number>;
  processed: WithDefault<number>;
  imported: WithDefault<number>;
  skipped: WithDefault<number>;
  failed: WithDefault<number>;
  errors: ColumnType<PstItemFailure[], string | undefined, string>;
  failure: WithDefault<string | null>;
  /** How often a process that read it died. */
  deaths: WithDefault<number>;
  /** How long it has been read in all, milliseconds. */
  spent_ms: WithDefault<number>;
  /** Until when a process is at it; then another may take it up. */
  leased_until: InstantOrNull;
  created_at: Instant;
  ended_at: InstantOrNull;
};

export type ImportTables = { pst_imports: PstImportsTable };
