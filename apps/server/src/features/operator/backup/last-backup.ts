/**
 * The record of the last good backup: one that was written and read back whole.
 */
import type { Db } from '../../../db/pool.ts';
import type { Manifest } from './manifest.ts';

/** Notes a backup that was read back. */
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

/** When the last one of each kind was taken; a kind that was never taken is left out. */
export const findLastBackups = (db: Db): Promise<{ kind: Manifest['kind']; made_at: Date }[]> =>
  db.selectFrom('last_backups').select(['kind', 'made_at']).execute();
