/**
 * Request counters, in the form that rate-limiter-flexible stores. Unlogged: a crash resets them.
 */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `create unlogged table rate_limits (
    key text primary key,
    points integer not null default 0,
    expire bigint
  )`,
  'create index rate_limits_by_expiry on rate_limits (expire)',
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
