/**
 * SQL for external recipients whose mail is held. The message is sealed in outbound_messages, and
 * no worker can claim it ([Note: Held sends] in db/migrations/0006-held-sends.ts).
 */
import { type Insertable, sql } from 'kysely';
import type { Trx } from '../../../db/pool.ts';
import type { HeldRecipientsTable } from '../../../db/tables.ts';
import type { OutboundMessagesTable } from '../../../db/transfer-tables.ts';

export async function insertHeld(
  trx: Trx,
  message: Insertable<OutboundMessagesTable>,
  recipients: readonly Insertable<HeldRecipientsTable>[],
): Promise<void> {
  await trx.insertInto('outbound_messages').values(message).execute();
  await trx
    .insertInto('held_recipients')
    .values([...recipients])
    .execute();
}

/** Moves the held recipients of a message to the queue, due immediately. */
export async function moveToQueue(trx: Trx, messageId: string, now: Date): Promise<void> {
  await sql`
    with released as (delete from held_recipients where message_id = ${messageId} returning *)
    insert into outbound_recipients (message_id, id, domain_digest, envelope_sealed, next_attempt_at, created_at)
    select message_id, id, domain_digest, envelope_sealed, ${now}::timestamptz, ${now}::timestamptz from released`.execute(
    trx,
  );
}

/** Returns the sealed envelopes of a message's held recipients. */
export const findHeld = (trx: Trx, messageId: string) =>
  trx
    .selectFrom('held_recipients')
    .select(['id', 'envelope_sealed'])
    .where('message_id', '=', messageId)
    .orderBy('id')
    .execute();

/** Deletes a held message. */
export async function deleteHeld(trx: Trx, messageId: string): Promise<void> {
  await trx.deleteFrom('held_recipients').where('message_id', '=', messageId).execute();
  await trx.deleteFrom('outbound_messages').where('id', '=', messageId).execute();
}
