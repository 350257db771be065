/**
 * Recovery kits whose words were shown but not confirmed: they open the account like the confirmed
 * one. A separate table, because the previous release writes one kit per user.
 */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `create table shown_kits (
    user_id uuid not null,
    proof_hash bytea not null,
    main_key jsonb not null,
    created_at timestamptz not null,
    primary key (user_id, proof_hash)
  )`,
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
