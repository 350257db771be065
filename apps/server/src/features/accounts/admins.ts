/**
 * Making and unmaking admins from the machine itself, where no admin is needed to make the first (api.md, Configuration).
 */
import { AppError } from '@keyfold/contract/errors';
import type { AdminLevel } from '@keyfold/contract/limits';
import { normaliseAddress } from '@keyfold/mail/address-form';
import type { Db } from '../../db/pool.ts';
import { listAdmins, setAdminLevel } from './store.ts';

/** Gives the owner of an address an admin level, or takes it with null. Throws not_found. */
export const setAdmin = async (db: Db, address: string, level: AdminLevel | null): Promise<void> => {
  if (!(await setAdminLevel(db, normaliseAddress(address), level))) throw new AppError('not_found');
};

/** Every admin with the level. */
export const findAdmins = (db: Db): Promise<{ email: string; admin_level: AdminLevel | null }[]> =>
  listAdmins(db);
