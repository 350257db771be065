/**
 * SQL for the recorded fingerprint of the server's key and for samples of data sealed under it.
 * Contains no rules.
 */
import { sql } from 'kysely';
import type { Db, Trx } from '../../../db/pool.ts';

/**
 * Held while the key of a database is determined: two machines that start at once must not record
 * two keys.
 */
const LOCK = 145_000_001;
/** Number of rows of each kind to try: a single damaged row must not decide. */
const SAMPLES_EACH = 3;

export type SealedSample = { readonly purpose: string; readonly context: string; readonly sealed: Buffer };

/** Lets one machine at a time proceed, until the transaction ends. */
export async function lockServerKey(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCK})`.execute(trx);
}

export const findFingerprint = async (db: Db | Trx): Promise<Buffer | null> =>
  (await db.selectFrom('server_key').select('fingerprint').executeTakeFirst())?.fingerprint ?? null;

export async function putFingerprint(db: Db | Trx, fingerprint: Buffer): Promise<void> {
  await db
    .insertInto('server_key')
    .values({ id: 1, fingerprint })
    .onConflict(conflict => conflict.column('id').doUpdateSet({ fingerprint, recorded_at: sql<Date>`now()` }))
    .execute();
}

/**
 * Returns a few values sealed under the server's key, with their purpose and context. The features
 * that own these tables seal them this way; server-key.test.ts seals one of each kind through its
 * feature.
 */
export async function findSealedSamples(db: Db | Trx): Promise<SealedSample[]> {
  const limit = sql.lit(SAMPLES_EACH);
  const { rows } = await sql<SealedSample>`
    (select 'dkim key' as purpose, domain || ' ' || selector as context, private_key_sealed as sealed
      from domain_keys order by created_at limit ${limit})
    union all (select 'push key', name, private_sealed from push_keys limit ${limit})
    union all (select 'mail rules', user_id::text, rules_sealed
      from mail_filters where rules_sealed is not null limit ${limit})
    union all (select 'security settings', user_id::text, settings_sealed
      from mail_filters where settings_sealed is not null limit ${limit})
    union all (select 'totp secret', user_id::text, secret_sealed
      from second_factors where secret_sealed is not null limit ${limit})
    union all (select 'signature', user_id::text || ' ' || id::text, content_sealed from signatures limit ${limit})
    union all (select 'address label', user_id::text || ' ' || address, label_sealed
      from addresses where label_sealed is not null limit ${limit})
    union all (select 'outbound message', id::text, message_sealed from outbound_messages limit ${limit})
  `.execute(db);
  return rows;
}
