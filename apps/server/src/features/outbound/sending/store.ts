/** SQL for send receipts, which answer repeated requests and count how much a user has sent. */
import { type Insertable, type Selectable, sql } from 'kysely';
import type { Db, Trx } from '../../../db/pool.ts';
import type { SendReceiptsTable } from '../../../db/tables.ts';

export type Receipt = Selectable<SendReceiptsTable>;

export const findReceipt = (db: Db | Trx, userId: string, key: string): Promise<Receipt | undefined> =>
  db
    .selectFrom('send_receipts')
    .selectAll()
    .where('user_id', '=', userId)
    .where('idempotency_key', '=', key)
    .executeTakeFirst();

/**
 * Claims an idempotency key for this transaction. Returns false when it is taken. A concurrent
 * request with the same key waits here until the first one has finished.
 */
export async function insertReceipt(trx: Trx, receipt: Insertable<SendReceiptsTable>): Promise<boolean> {
  const rows = await trx
    .insertInto('send_receipts')
    .values(receipt)
    .onConflict(conflict => conflict.doNothing())
    .returning('user_id')
    .execute();
  return rows.length === 1;
}

export async function updateReceiptMail(
  trx: Trx,
  userId: string,
  key: string,
  mailId: string,
): Promise<void> {
  await trx
    .updateTable('send_receipts')
    .set({ mail_id: mailId })
    .where('user_id', '=', userId)
    .where('idempotency_key', '=', key)
    .execute();
}

/**
 * Adds to the hourly message counts of these readers. Returns their counts for the hour and since
 * the given time, and when the counting began.
 */
export async function addMessages(
  trx: Trx,
  userId: string,
  readers: readonly { readonly digest: Buffer; readonly count: number }[],
  hour: Date,
  since: Date,
): Promise<readonly { readonly this_hour: number; readonly all_hours: number; readonly first: Date }[]> {
  const digests = readers.map(({ digest }) => digest);
  const counts = readers.map(({ count }) => count);
  await sql`
    insert into outside_letters (user_id, digest, hour, letters)
    select ${userId}::uuid, digest, ${hour}, count
    from unnest(${digests}::bytea[], ${counts}::int[]) as reader (digest, count)
    on conflict (user_id, digest, hour) do update set letters = outside_letters.letters + excluded.letters`.execute(
    trx,
  );
  const { rows } = await sql<{ this_hour: number; all_hours: number; first: Date }>`
    select sum(letters) filter (where hour = ${hour})::int as this_hour, sum(letters)::int as all_hours,
      min(hour) as first
    from outside_letters
    where user_id = ${userId}::uuid and digest = any(${digests}::bytea[]) and hour > ${since}
    group by digest`.execute(trx);
  return rows;
}

/**
 * Returns a user's plan, the number of sends and recipients since a time, and the time of the first
 * such send.
 */
export const countSends = (trx: Trx, userId: string, since: Date) =>
  trx
    .selectFrom('users')
    .leftJoin('send_receipts', join =>
      join.onRef('send_receipts.user_id', '=', 'users.id').on('send_receipts.created_at', '>', since),
    )
    .select(eb => [
      'users.plan',
      eb.fn.count<number>('send_receipts.user_id').as('total'),
      sql<number>`coalesce(sum(send_receipts.recipients), 0)::int`.as('recipients'),
      eb.fn.min('send_receipts.created_at').as('first'),
    ])
    .where('users.id', '=', userId)
    .groupBy('users.plan')
    .executeTakeFirstOrThrow();
