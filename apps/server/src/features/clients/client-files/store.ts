/**
 * Statements on web client files that machines share. Uses the database's clock, common to all
 * machines.
 */
import { sql } from 'kysely';
import type { Db, Trx } from '../../../db/pool.ts';

/** Id of the lock that serializes the writes of machines starting at the same time. */
const LOCK = 7_231_947;

export type StoredFile = {
  readonly path: string;
  readonly seal: Buffer;
  /** Brotli-compressed content of the file. */
  readonly packed: Buffer;
};

const now = sql<Date>`now()`;

/** Returns the file at a path, or undefined when no machine has stored one. */
export const findFile = (db: Db, path: string): Promise<StoredFile | undefined> =>
  db
    .selectFrom('client_files')
    .select(['path', 'seal', 'packed'])
    .where('path', '=', path)
    .executeTakeFirst();

/** Blocks other writers until the transaction ends. */
export async function lockFiles(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCK})`.execute(trx);
}

/**
 * Records that a build has these paths, as far as they are stored; returns the stored ones with
 * their seals.
 */
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

/** Stores a file of a build and replaces an existing one. */
export async function saveFile(trx: Trx, build: Buffer, { path, seal, packed }: StoredFile): Promise<void> {
  const content = { build, seal, packed, named_at: now };
  await trx
    .insertInto('client_files')
    .values({ path, ...content })
    .onConflict(conflict => conflict.column('path').doUpdateSet(content))
    .execute();
}

/** Deletes files that none of the most recently started builds has. */
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
