/**
 * Held sends: messages that wait until the undo window is over or until the time the sender chose.
 * See features/outbound/sending.
 *
 * [Note: Held sends] A held message is complete when the user sends it: the sender's own copy is in
 * the mailbox (flag `scheduled`) and holds the body, the summary and references to encrypted blobs
 * for all recipients. These tables hold the rest: the wraps for local readers, and the external
 * recipients, whose message is already sealed in outbound_messages. One row of held_sends decides:
 * the transaction that deletes it has released the send or recalled it.
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
