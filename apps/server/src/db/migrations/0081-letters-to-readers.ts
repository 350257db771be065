/**
 * Messages that a user sent to each external reader per hour, by keyed digests: one user must not
 * flood a recipient.
 */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `create table outside_letters (
    user_id uuid not null,
    digest bytea not null,
    hour timestamptz not null,
    letters integer not null,
    primary key (user_id, digest, hour)
  )`,
  'create index outside_letters_by_age on outside_letters (hour)',
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
