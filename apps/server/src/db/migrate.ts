/**
 * Brings the database to the newest schema. Several processes may do so at once: one applies, the others wait. The map
 * of migrations is explicit, so that a build holds exactly what it names.
 */
import type { Migration } from 'kysely/migration';
import { Migrator } from 'kysely/migration';
import * as foundation from './migrations/0001-foundation.ts';
import * as mailSearch from './migrations/0002-mail-search.ts';
import * as rateLimits from './migrations/0003-rate-limits.ts';
import * as ownWraps from './migrations/0004-own-wraps.ts';
import type { Db } from './pool.ts';

const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-foundation': foundation,
  '0002-mail-search': mailSearch,
  '0003-rate-limits': rateLimits,
  '0004-own-wraps': ownWraps,
};

/** Applies what is missing. Throws the first failure; what was applied before it stays. */
export const migrate = async (db: Db): Promise<void> => {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...MIGRATIONS }) } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
};
