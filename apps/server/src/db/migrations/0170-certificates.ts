/**
 * Certificates that the service gets by ACME (RFC 8555), shared by all machines: the account with
 * the authority, the names with their certificates, and the answers to challenges that are being
 * verified.
 *
 * [Note: Due names] Machines claim a due name by moving `next_try_at` forward, so that no name is
 * ordered twice at once. After a success it is the time of the renewal, after a failure that of the
 * next attempt.
 *
 * [Note: Wanted names] Each machine wants its own host name besides those that all machines want,
 * so the name that one machine does not know may be another's. A row is deleted only when no
 * machine has wanted it for a month.
 */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `create table acme_accounts (
     directory text primary key,
     key_sealed bytea not null,
     created_at timestamptz not null
   )`,
  `create table certificates (
     name text primary key,
     key_sealed bytea,
     chain text,
     issued_at timestamptz,
     ends_at timestamptz,
     next_try_at timestamptz not null,
     wanted_at timestamptz not null,
     failures integer not null default 0,
     problem text,
     problem_detail text
   )`,
  'create index certificates_due on certificates (next_try_at)',
  `create table acme_challenges (
     token text primary key,
     response text not null,
     created_at timestamptz not null
   )`,
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
