/**
 * Number of members who ever joined an organization by invitation; it only increases. If accounts
 * need an invitation from the operator, removing members therefore does not allow new accounts. A
 * former owner carries the number into the next organization.
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
