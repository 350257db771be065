/**
 * Detects which server is behind a connection: PostgreSQL, or YugabyteDB, which speaks the same
 * protocol but stores rows differently. The two differ in storage hints and in how the job
 * scheduler's own tables are created; docs/scaling.md lists YugabyteDB's other requirements.
 */
import { type Kysely, sql } from 'kysely';

export type ServerKind = 'postgres' | 'yugabyte';

/** Version strings begin like `PostgreSQL 15.12-YB-2025.2.3.0-b11 on x86_64`. */
export const kindOfVersion = (version: string): ServerKind =>
  /-yb-|yugabyte/i.test(version) ? 'yugabyte' : 'postgres';

/** Queries the server's kind. */
export async function findServerKind<T>(db: Kysely<T>): Promise<ServerKind> {
  const { rows } = await sql<{ version: string }>`select version() as version`.execute(db);
  return kindOfVersion(rows[0]?.version ?? '');
}

/**
 * Runs statements that control how PostgreSQL stores long values. YugabyteDB has no TOAST, and its
 * grammar rejects them (yugabyte-db issue 29547).
 */
export async function hintStorage(db: Kysely<unknown>, statements: readonly string[]): Promise<void> {
  if ((await findServerKind(db)) === 'yugabyte') return;
  for (const statement of statements) await sql.raw(statement).execute(db);
}
