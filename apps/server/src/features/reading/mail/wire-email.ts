/**
 * Converts a message row to its wire form (contract/src/calls/mail.ts): ISO times, one boolean per
 * flag. Rows become Email only here.
 */
import type { Email } from '@keyfold/contract';
import { hasFlag } from '../../../base/flags.ts';
import type { MailRow, View } from './mail-rows.ts';

/**
 * Returns the body in the full view, or null for a draft that never had one; omits it where the
 * page has no space for it.
 */
function bodyOf(row: MailRow, view: View): { body?: string | null } {
  if (view === 'summary') return {};
  if (row.body_bytes === 0) return { body: null };
  return row.body === null ? {} : { body: row.body.toString('base64') };
}

/** Returns the wire form of a row. */
export const toWireEmail = (row: MailRow, view: View): Email => ({
  id: row.id,
  ...bodyOf(row, view),
  summary: row.summary,
  binding: row.binding,
  ciphertext: row.ciphertext,
  encrypted_key: row.encrypted_key,
  dh_public: row.dh_public,
  salt: row.salt,
  key_used: row.key_used,
  headers: row.headers,
  from: row.from_address,
  message_id: row.message_id,
  thread_id: row.thread_id,
  tags: [...row.tags],
  sent: hasFlag(row.flags, 'sent'),
  read: hasFlag(row.flags, 'read'),
  starred: hasFlag(row.flags, 'starred'),
  flagged: hasFlag(row.flags, 'flagged'),
  archived: hasFlag(row.flags, 'archived'),
  deleted: hasFlag(row.flags, 'deleted'),
  deleted_at: row.deleted_at?.toISOString() ?? null,
  draft: hasFlag(row.flags, 'draft'),
  alert: row.is_alert,
  public: hasFlag(row.flags, 'public'),
  snoozed: hasFlag(row.flags, 'snoozed'),
  snoozed_until: row.snoozed_until?.toISOString() ?? null,
  scheduled: hasFlag(row.flags, 'scheduled'),
  send_at: row.send_at?.toISOString() ?? null,
  received_at: row.received_at.toISOString(),
  size: row.size_bytes,
  attachments: [...(row.attachments ?? [])],
});
