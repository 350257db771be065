/**
 * Statements on the web client's files that machines hold for each other. Times are the database's own, one clock for all.
 */
import { sql } from 'kysely';
import type { Db, Trx } from '../../../db/pool.ts';

/** What makes two machines that start write one after the other. */
const LOCK = 7_231_947;

export type StoredFile = {
  readonly path: string;
  readonly seal: Buffer;
  /** The file's bytes, as brotli. */
  readonly packed: Buffer;
};

const now = sql<Date>`now()`;

/** The file at a path; undefined when no machine has brought one. */
export const findFile = (db: Db, path: string): Promise<StoredFile | undefined> =>
  db
    .selectFrom('client_files')
    .select(['path', 'seal', 'packed'])
    .where('path', '=', path)
    .executeTakeFirst();

/** Others that do this wait until the transaction ends. */
export async function lockFiles(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCK})`.execute(trx);
}

/** Says that a build has these paths, of those that are there; returns them with their seals. */
export const nameFiles = (
  trx: Trx,
  build: Buffer,
  paths: readonly string[],
): Promise<Pick<StoredFile, 'path' | 'seal'>[]> =>
  trx
    .updateTable('client_files')
    .set({ build, named_at: now })
    .where('path', 'in', paths)
    .returning(['path', 'seal'])
    .execute();

/** Stores a file of a build, in place of one that may be there. */
export async function saveFile(trx: Trx, build: Buffer, { path, seal, packed }: StoredFile): Promise<void> {
  const content = { build, seal, packed, named_at: now };
  await trx
    .insertInto('client_files')
    .values({ path, ...content })
    .onConflict(conflict => conflict.column('path').doUpdateSet(content))
    .execute();
}

/** Forgets what none of the builds has that were named last. */
export async function deleteOldFiles(trx: Trx, buildsKept: number): Promise<void> {
  await trx
    .deleteFrom('client_files')
    .where('build', 'not in', eb =>
      eb
        .selectFrom('client_files')
        .select('build')
        .groupBy('build')
        .orderBy(eb.fn.max('named_at'), 'desc')
        .limit(buildsKept),
    )
    .execute();
}
