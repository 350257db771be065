/**
 * How many letters a user sent to each reader outside within an hour, by keyed digests: nobody is to be flooded by one user.
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
