/**
 * Job bodies of the archive: one maintains its containers, one checks that the WAL archive still
 * accepts changes. A failing archive fills the disk, and a restore ends where archiving stopped.
 */

import type { Deps } from '../../../context/deps.ts';
import { readArchiver } from '../../../db/wal-archive.ts';

export { archiveContainers, tidyContainerArchive } from './container-archive.ts';

/**
 * Returns how many WAL files were archived; 0 without an archive. Rejects while the archive accepts
 * none.
 */
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
      new Error('The archive of KEYFOLD_WAL_ARCHIVE accepts no changes: is its disk full or not mounted?'),
      // The job log and the console show no error texts.
      { code: 'archive_failing' },
    );
  return { archived };
}
