/**
 * Kysely types of the tables for encrypted blobs ("containers") that no message refers to; see
 * tables.ts.
 */
import type { ColumnType } from 'kysely';

type Instant = ColumnType<Date, Date | string, Date | string>;

type SearchSegmentsTable = {
  user_id: string;
  blob_id: string;
  size_bytes: number;
  /** Sealed by the client, base64. */
  head: string;
  created_at: Instant;
};

/** Encrypted blobs that a client uploaded for messages it is about to import. */
type ImportContainersTable = {
  user_id: string;
  blob_id: string;
  size_bytes: number;
  created_at: Instant;
};

/**
 * While a hold exists, no blob's bytes are removed (features/mailbox/messages/container-holds.ts).
 */
type ContainerHoldsTable = {
  id: string;
  held_until: Instant;
};

export type ContainerTables = {
  container_holds: ContainerHoldsTable;
  search_segments: SearchSegmentsTable;
  import_containers: ImportContainersTable;
};
