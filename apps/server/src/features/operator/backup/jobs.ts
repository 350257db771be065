/**
 * Job bodies of the archive: its containers, and one that looks whether the archive of changes still takes them: one that does not fills the disk, and lets a restore end
 * where it stopped.
 */

import type { Deps } from '../../../context/deps.ts';
import { readArchiver } from '../../../db/wal-archive.ts';

export { archiveContainers, tidyContainerArchive } from './container-archive.ts';

/** How many files of changes were archived; 0 without an archive. Rejects while the archive takes none. */
export async function checkArchive({
  config,
  db,
}: Pick<Deps, 'db'> & { readonly config: Pick<Deps['config'], 'walArchive'> }): Promise<
  0 | { readonly archived: number }
> {
  if (config.walArchive === undefined) return 0;
  const { archived, isFailing } = await readArchiver(db);
  if (isFailing)
    throw Object.assign(
      new Error('The archive of KEYFOLD_WAL_ARCHIVE takes no changes: is its disk full, or not mounted?'),
      // The log and the console show no texts of errors.
      { code: 'archive_failing' },
    );
  return { archived };
}
