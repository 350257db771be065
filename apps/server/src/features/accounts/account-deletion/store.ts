/**
 * Statements that remove all of a user's data from the database. Only ownership matters here; the
 * meaning of a row is up to its feature. A test searches every table for the user's ID.
 */

import { sql } from 'kysely';
import type { Trx } from '../../../db/pool.ts';
import type { Tables } from '../../../db/tables.ts';

/**
 * Tables whose rows belong to the user in `user_id`, in deletion order; the mailbox's lock is last.
 */
const OWNED = [
  'sessions',
  'devices',
  'logins',
  'known_browsers',
  'recovery_kits',
  'shown_kits',
  'retired_keys',
  'half_sessions',
  'passkey_challenges',
  'passkeys',
  'recovery_codes',
  'second_factors',
  'held_sends',
  'held_copies',
  'outbound_messages',
  'outside_recipients',
  'outside_counts',
  'outside_letters',
  'send_holds',
  'send_receipts',
  'inbound_receipts',
  'mail_attachments',
  'mail_bodies',
  'mail_tags',
  'mail_counts',
  'mails',
  'tags',
  'search_segments',
  'import_containers',
  'server_imports',
  'signatures',
  'records',
  'mail_filters',
  'arrival_counts',
  'event_answers',
  'contacts',
  'share_codes',
  'organization_resets',
  'organization_domains',
  'organization_members',
  'addresses',
  'mailboxes',
] as const satisfies readonly (keyof Tables)[];

/**
 * Returns every encrypted blob that the user's messages or search index refer to, or that waits for
 * an imported message.
 */
export async function findContainers(trx: Trx, userId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select blob_id as id from mail_attachments where user_id = ${userId}::uuid
    union select blob_id from search_segments where user_id = ${userId}::uuid
    union select blob_id from import_containers where user_id = ${userId}::uuid`.execute(trx);
  return rows.map(row => row.id);
}

/**
 * Deletes all rows of a user except the one in `users`; a message that others hold for the user is
 * deleted when it is released.
 */
export async function deleteRows(trx: Trx, userId: string): Promise<void> {
  const messages = sql`select id from outbound_messages where user_id = ${userId}::uuid`;
  await sql`delete from outbound_recipients where message_id in (${messages})`.execute(trx);
  await sql`delete from held_recipients where message_id in (${messages})`.execute(trx);
  for (const table of OWNED)
    await sql`delete from ${sql.table(table)} where user_id = ${userId}::uuid`.execute(trx);
}
