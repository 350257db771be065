/**
 * External messages, counted per day on arrival for the security analytics: numbers only, and only
 * for users whose plan includes them. The number received is the sum of the three counts about the
 * sender.
 */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `create table arrival_counts (
    user_id uuid not null,
    day date not null,
    flagged_by_sender integer not null,
    flagged_by_rule integer not null,
    flagged_by_score integer not null,
    proved integer not null,
    unproved integer not null,
    disproved integer not null,
    primary key (user_id, day)
  ) with (fillfactor = 70)`,
  'create index arrival_counts_by_day on arrival_counts (day)',
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
