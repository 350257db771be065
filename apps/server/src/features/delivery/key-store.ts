/**
 * Statements on the DKIM keys of domains.
 */
import type { Insertable, Selectable } from 'kysely';
import type { Db } from '../../db/pool.ts';
import type { DomainKeysTable } from '../../db/tables.ts';

export type DomainKeyRow = Selectable<DomainKeysTable>;

export const findDomainKey = (db: Db, domain: string, selector: string): Promise<DomainKeyRow | undefined> =>
  db
    .selectFrom('domain_keys')
    .selectAll()
    .where('domain', '=', domain)
    .where('selector', '=', selector)
    .executeTakeFirst();

/** Stores a key unless the domain has one under this selector. */
export const insertDomainKey = async (db: Db, row: Insertable<DomainKeysTable>): Promise<void> => {
  await db
    .insertInto('domain_keys')
    .values(row)
    .onConflict(conflict => conflict.doNothing())
    .execute();
};
