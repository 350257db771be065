/**
 * Recovery kits whose words were shown and not confirmed: they open the account like the confirmed one. A table of their
 * own, since the release before writes one kit a user.
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
