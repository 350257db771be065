/**
 * When the last good backup of each kind was taken, for the metric that an alert watches. Not in `job_runs`, which the workers'
 * schedule owns: a backup is started by the operator.
 */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `create table last_backups (
    kind text primary key check (kind in ('tables', 'base')),
    made_at timestamptz not null
  )`,
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
