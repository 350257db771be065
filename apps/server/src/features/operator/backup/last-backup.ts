/** Record of the last good backup: one that was written and fully read back. */
import type { Db } from '../../../db/pool.ts';
import type { Manifest } from './manifest.ts';

/** Records a backup that was read back. */
export async function noteBackup(
  db: Db,
  { kind, made_at }: Pick<Manifest, 'kind' | 'made_at'>,
): Promise<void> {
  const at = new Date(made_at);
  await db
    .insertInto('last_backups')
    .values({ kind, made_at: at })
    .onConflict(conflict => conflict.column('kind').doUpdateSet({ made_at: at }))
    .execute();
}

/** Returns when the last backup of each kind was taken; omits kinds that were never taken. */
export const findLastBackups = (db: Db): Promise<{ kind: Manifest['kind']; made_at: Date }[]> =>
  db.selectFrom('last_backups').select(['kind', 'made_at']).execute();
