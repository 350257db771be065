/**
 * The recorded fingerprint of the server's key, and samples of what that key sealed. No rules.
 */
import { sql } from 'kysely';
import type { Db, Trx } from '../../../db/pool.ts';

/** Held while the key of a database is settled: two machines that start at once must not record two keys. */
const LOCK = 145_000_001;
/** Rows of each kind that are tried: a damaged one must not stand for all. */
const SAMPLES_EACH = 3;

export type SealedSample = { readonly purpose: string; readonly context: string; readonly sealed: Buffer };

/** Lets one machine at a time go on, until the transaction ends. */
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
 * A few values that are sealed under the server's key, with the purpose and context they were sealed for. The features that
 * own these tables seal them so; server-key.test.ts seals one of each kind through its feature.
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
