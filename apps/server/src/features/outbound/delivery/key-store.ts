/** SQL for the DKIM keys of domains. */
import { type Insertable, type Selectable, sql } from 'kysely';
import type { Db } from '../../../db/pool.ts';
import type { DomainKeysTable } from '../../../db/tables.ts';

export type DomainKeyRow = Selectable<DomainKeysTable>;

export const findDomainKey = (db: Db, domain: string, selector: string): Promise<DomainKeyRow | undefined> =>
  db
    .selectFrom('domain_keys')
    .selectAll()
    .where('domain', '=', domain)
    .where('selector', '=', selector)
    .executeTakeFirst();

export const listDomainKeys = (db: Db, domain: string): Promise<DomainKeyRow[]> =>
  db.selectFrom('domain_keys').selectAll().where('domain', '=', domain).execute();

/** Returns a domain's newest key whose record was seen in DNS. */
export const findSeenKey = (db: Db, domain: string): Promise<DomainKeyRow | undefined> =>
  db
    .selectFrom('domain_keys')
    .selectAll()
    .where('domain', '=', domain)
    .where('seen_at', 'is not', null)
    // Selectors are numbered. Creation times don't order them, because keys created at the same
    // moment share a time.
    .orderBy(sql`length(selector)`, 'desc')
    .orderBy('selector', 'desc')
    .limit(1)
    .executeTakeFirst();

/** Stores a key unless the domain already has one under this selector. */
export async function insertDomainKey(db: Db, row: Insertable<DomainKeysTable>): Promise<void> {
  await db
    .insertInto('domain_keys')
    .values(row)
    .onConflict(conflict => conflict.doNothing())
    .execute();
}

/**
 * Records when a key's record was first seen, or null when it is missing. Later sightings don't
 * change the time.
 */
export async function setKeySeen(
  db: Db,
  domain: string,
  selector: string,
  seenAt: Date | null,
): Promise<void> {
  await db
    .updateTable('domain_keys')
    .set({ seen_at: seenAt === null ? null : sql<Date>`coalesce(seen_at, ${seenAt})` })
    .where('domain', '=', domain)
    .where('selector', '=', selector)
    .execute();
}

/** Deletes all keys of a domain, or those with the given selectors. */
export async function deleteDomainKeys(db: Db, domain: string, selectors?: readonly string[]): Promise<void> {
  let query = db.deleteFrom('domain_keys').where('domain', '=', domain);
  if (selectors !== undefined) query = query.where('selector', 'in', [...selectors]);
  await query.execute();
}
