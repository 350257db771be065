/**
 * Allows a restore to be repeated if its response was lost: beside the replaced token, stores a
 * digest of the request's key, the client key sealed under token and key, and the device and
 * session that the restore created.
 */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `alter table devices
    add column repeat_digest bytea,
    add column repeat_key_sealed bytea,
    add column successor_hash bytea,
    add column successor_session_hash bytea`,
  'create index devices_repeats on devices (replaced_at) where repeat_digest is not null',
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
