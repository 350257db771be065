/**
 * What users store beside their mail: signatures, sealed by the server, and records, sealed by
 * their clients.
 */
import { type Kysely, sql } from 'kysely';
import { hintStorage } from '../server-kind.ts';

const STATEMENTS = [
  `create table signatures (
    user_id uuid not null,
    id uuid not null,
    content_sealed bytea not null,
    is_default boolean not null default false,
    created_at timestamptz not null default now(),
    primary key (user_id, id)
  )`,
  'create unique index signatures_default on signatures (user_id) where is_default',
  `create table records (
    user_id uuid not null,
    kind text not null,
    id text not null,
    version integer not null,
    sealed bytea not null,
    size_bytes integer not null,
    updated_at timestamptz not null,
    primary key (user_id, kind, id)
  )`,
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  await hintStorage(db, ['alter table records alter column sealed set storage external']);
}
