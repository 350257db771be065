/**
 * Job body that looks whether the archive of changes still takes them: one that does not fills the disk, and lets a restore end
 * where it stopped.
 */
import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';

/** How many files of changes were archived; 0 without an archive. Rejects while the archive takes none. */
export const checkArchive = async ({
  config,
  db,
}: Pick<Deps, 'db'> & { readonly config: Pick<Deps['config'], 'walArchive'> }): Promise<
  0 | { readonly archived: number }
> => {
  if (config.walArchive === undefined) return 0;
  const { rows } = await sql<{ archived: number; is_stuck: boolean }>`
    select archived_count as archived, coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as is_stuck
    from pg_stat_archiver`.execute(db);
  if (rows[0]?.is_stuck === true)
    throw new Error('The archive of KEYFOLD_WAL_ARCHIVE takes no changes: is its disk full, or not mounted?');
  return { archived: rows[0]?.archived ?? 0 };
};
