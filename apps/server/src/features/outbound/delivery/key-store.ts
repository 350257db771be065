/**
 * Statements on the DKIM keys of domains.
 */
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

/** The newest key of a domain whose record was seen. */
export const findSeenKey = (db: Db, domain: string): Promise<DomainKeyRow | undefined> =>
  db
    .selectFrom('domain_keys')
    .selectAll()
    .where('domain', '=', domain)
    .where('seen_at', 'is not', null)
    // Selectors are numbered; keys made in one moment have the same time.
    .orderBy(sql`length(selector)`, 'desc')
    .orderBy('selector', 'desc')
    .limit(1)
    .executeTakeFirst();

/** Stores a key unless the domain has one under this selector. */
export async function insertDomainKey(db: Db, row: Insertable<DomainKeysTable>): Promise<void> {
  await db
    .insertInto('domain_keys')
    .values(row)
    .onConflict(conflict => conflict.doNothing())
    .execute();
}

/** Notes since when a key's record is there; the first time counts. Null: it is not. */
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

/** Removes all keys of a domain, or those named. */
export async function deleteDomainKeys(db: Db, domain: string, selectors?: readonly string[]): Promise<void> {
  let query = db.deleteFrom('domain_keys').where('domain', '=', domain);
  if (selectors !== undefined) query = query.where('selector', 'in', [...selectors]);
  await query.execute();
}
