/**
 * How many ever joined an organisation by invitation, counted up only: where accounts need an invitation of the operator's,
 * taking members out makes no room for new accounts. Who was its owner carries the number into the next organisation.
 */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  'alter table organizations add column joined integer not null default 0',
  `update organizations o set joined = greatest(
    (select count(*) from organization_members m where m.organization_id = o.id) - 1, 0)`,
  'alter table users add column organization_joined integer not null default 0',
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
