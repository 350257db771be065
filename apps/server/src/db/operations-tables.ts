/**
 * Kysely types of the operator's tables: sign-up codes, job results, storage counts, and files of
 * the web client.
 */
import type { ColumnType, Generated } from 'kysely';

type InstantOrNull = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
type WithDefault<T> = ColumnType<T, T | undefined, T>;

/** Opaque codes, created by the operator, that attribute sign-ups to affiliates. */
export type AffiliateCodesTable = {
  code: string;
  /** The operator's note about the code. */
  note: WithDefault<string>;
  /** Number of accounts created with the code. */
  signups: WithDefault<number>;
  created_at: Generated<Date>;
};

export type InvitationCodesTable = {
  id: string;
  /** SHA-256 of the code. */
  code_hash: Buffer;
  /** The first characters of the code, by which its creator recognizes it. */
  hint: string;
  note: WithDefault<string>;
  uses_allowed: number;
  uses_left: number;
  /** Null: no expiry. */
  expires_at: InstantOrNull;
  created_at: Generated<Date>;
};

export type JobRunsTable = {
  name: string;
  cron: string;
  started_at: InstantOrNull;
  ended_at: InstantOrNull;
  /** End of the last successful run. */
  succeeded_at: InstantOrNull;
  took_ms: WithDefault<number | null>;
  outcome: WithDefault<'done' | 'failed' | null>;
  /** Numbers that the run returned, by name. */
  result: ColumnType<Record<string, number>, string | undefined, string>;
  /** The error's code or kind; never its text. */
  failure: WithDefault<string | null>;
};

/** See [Note: Storage counts] in migrations/0037-operations.ts. */
type StorageCountsTable = { kind: string; items: number; size_bytes: number };

/** See [Note: Files of both builds] in features/clients/client-files/service.ts. */
type ClientFilesTable = {
  path: string;
  /** SHA-256 of the file list of the last build that named the file, and when it did. */
  build: Buffer;
  named_at: Date;
  /** Seal by the server's key, over path and SHA-256. */
  seal: Buffer;
  /** The file's content, compressed with Brotli. */
  packed: Buffer;
};

/** Fingerprint of the server's key that the database belongs to; one row. */
type ServerKeyTable = { id: 1; fingerprint: Buffer; recorded_at: ColumnType<Date, never, Date> };

/** When the last successful backup of each kind was taken. */
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
