/**
 * The tables of those who run the service, beside those of its users: codes for new accounts, how jobs went,
 * counts of what is stored, and files of the web client.
 */
import type { ColumnType, Generated } from 'kysely';

type InstantOrNull = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
type WithDefault<T> = ColumnType<T, T | undefined, T>;

/** Opaque codes of who brought an account, made by the operator. */
export type AffiliateCodesTable = {
  code: string;
  /** The operator's own word for it. */
  note: WithDefault<string>;
  /** Accounts that were made with it. */
  signups: WithDefault<number>;
  created_at: Generated<Date>;
};

export type InvitationCodesTable = {
  id: string;
  /** SHA-256 of the code. */
  code_hash: Buffer;
  /** The first characters of the code, by which its maker knows it again. */
  hint: string;
  note: WithDefault<string>;
  uses_allowed: number;
  uses_left: number;
  /** Null: it never ends. */
  expires_at: InstantOrNull;
  created_at: Generated<Date>;
};

export type JobRunsTable = {
  name: string;
  cron: string;
  started_at: InstantOrNull;
  ended_at: InstantOrNull;
  /** End of the last run that went well. */
  succeeded_at: InstantOrNull;
  took_ms: WithDefault<number | null>;
  outcome: WithDefault<'done' | 'failed' | null>;
  /** Numbers that the run answered, by name. */
  result: ColumnType<Record<string, number>, string | undefined, string>;
  /** The error's code or kind; never its text. */
  failure: WithDefault<string | null>;
};

/** See [Note: Storage counts] in migrations/0037-operations.ts. */
type StorageCountsTable = { kind: string; items: number; size_bytes: number };

/** See [Note: Files of both builds] in features/clients/client-files/service.ts. */
type ClientFilesTable = {
  path: string;
  /** SHA-256 of the list of the build that named it last, and when. */
  build: Buffer;
  named_at: Date;
  /** By the server's key, over path and SHA-256. */
  seal: Buffer;
  /** The file's bytes, as brotli. */
  packed: Buffer;
};

/** Fingerprint of the server's key that the database belongs to; one row. */
type ServerKeyTable = { id: 1; fingerprint: Buffer; recorded_at: ColumnType<Date, never, Date> };

/** When the last good backup of each kind was taken. */
type LastBackupsTable = { kind: 'base' | 'tables'; made_at: Date };

export type OperationsTables = {
  last_backups: LastBackupsTable;
  server_key: ServerKeyTable;
  client_files: ClientFilesTable;
  job_runs: JobRunsTable;
  storage_totals: StorageCountsTable;
  storage_changes: StorageCountsTable & { id: Generated<number> };
  affiliate_codes: AffiliateCodesTable;
  invitation_codes: InvitationCodesTable;
};
