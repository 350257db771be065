/**
 * Which server is behind a connection: PostgreSQL, or YugabyteDB, which speaks its language and lays rows down in another
 * way. The two differ in hints about storage and in how the schedule's own tables are made; docs/scaling.md says what else it needs.
 */
import { type Kysely, sql } from 'kysely';

export type ServerKind = 'postgres' | 'yugabyte';

/** What a server says of itself begins like `PostgreSQL 15.12-YB-2025.2.3.0-b11 on x86_64`. */
export const kindOfVersion = (version: string): ServerKind =>
  /-yb-|yugabyte/i.test(version) ? 'yugabyte' : 'postgres';

/** Asks a server what it is. */
export async function findServerKind<T>(db: Kysely<T>): Promise<ServerKind> {
  const { rows } = await sql<{ version: string }>`select version() as version`.execute(db);
  return kindOfVersion(rows[0]?.version ?? '');
}

/**
 * Runs statements that say how PostgreSQL lays long values down. YugabyteDB has no TOAST, and its grammar refuses them
 * (yugabyte-db issue 29547).
 */
export async function hintStorage(db: Kysely<unknown>, statements: readonly string[]): Promise<void> {
  if ((await findServerKind(db)) === 'yugabyte') return;
  for (const statement of statements) await sql.raw(statement).execute(db);
}
