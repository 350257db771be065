/**
 * When the last successful backup of each kind was taken, for the metric that an alert watches. Not
 * in `job_runs`, which belongs to the workers' schedule, because the operator starts backups.
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
