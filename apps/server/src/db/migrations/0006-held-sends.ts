/**
 * Sends that are held: until the undo window is over, or for the time that their sender chose. See features/outbound/sending.
 *
 * [Note: Held sends] What is held is complete at the send: the sender's own copy is in the mailbox (flag `scheduled`), and
 * holds body, summary and references to containers for everybody. Here lies the rest: the wraps of the readers here, and
 * the recipients outside, whose message is sealed in outbound_messages already. One row of held_sends decides: whoever
 * deletes it in a transaction has released the send or recalled it.
 */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `create table held_sends (
    user_id uuid not null,
    mail_id uuid not null,
    due_at timestamptz not null,
    headers text not null,
    message_references text[] not null,
    outbound_id uuid,
    created_at timestamptz not null default now(),
    primary key (user_id, mail_id)
  )`,
  'create index held_sends_by_due on held_sends (due_at)',
  `create table held_copies (
    user_id uuid not null,
    mail_id uuid not null,
    place integer not null,
    reader_id uuid not null,
    address text not null,
    ciphertext bytea,
    encrypted_key bytea not null,
    dh_public bytea,
    salt bytea not null,
    key_used text not null,
    primary key (user_id, mail_id, place)
  )`,
  `create table held_recipients (
    message_id uuid not null,
    id uuid not null,
    domain_digest bytea not null,
    envelope_sealed bytea not null,
    primary key (message_id, id)
  )`,
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
