/**
 * Determines which messages a mailbox already has. A Message-ID alone is not enough: anyone who has
 * seen one can send a message with it, and an import would then skip the real message. The sender
 * and the date must match too; a date missing on either side is not a mismatch. Messages written
 * here, by the owner or by another user known to the server, have the server's date outside and the
 * writer's date inside: their sender is certain, so their date is not compared.
 */
import { findHeader, findIsoDate, readHeaders } from '@keyfold/mail/mime/headers';
import { sql } from 'kysely';
import { FLAG_BITS } from '../../../base/flags.ts';
import type { Db, Trx } from '../../../db/pool.ts';

export type MailIdentity = {
  readonly messageId: string;
  /** Normalized; empty when the message names none. */
  readonly fromAddress: string;
  /** ISO 8601. */
  readonly date: string | null;
};

/** Returns whether two identities denote the same message. */
export const isSameMail = (a: MailIdentity, b: MailIdentity): boolean =>
  a.messageId === b.messageId &&
  a.fromAddress === b.fromAddress &&
  (a.date === null || b.date === null || Date.parse(a.date) === Date.parse(b.date));

/** Returns whether a message was sent or drafted by the owner, or sealed by its sender's client. */
const isWrittenHere = (flags: number): boolean =>
  (flags & (FLAG_BITS.sent | FLAG_BITS.draft)) !== 0 || (flags & FLAG_BITS.public) === 0;

const dateOf = (headers: string): string | null =>
  findIsoDate(findHeader(readHeaders(Buffer.from(headers, 'utf8')), 'date')?.value ?? '');

/** Returns the user's messages, including deleted ones, with one of these Message-IDs. */
export async function findMailsNamed(
  db: Db | Trx,
  userId: string,
  messageIds: readonly string[],
): Promise<MailIdentity[]> {
  const { rows } = await sql<{ message_id: string; from_address: string; headers: string; flags: number }>`
    select m.message_id, m.from_address, m.headers, m.flags
    from (select distinct message_id from unnest(${[...messageIds]}::text[]) as u (message_id)) w
    join mails m on m.user_id = ${userId}::uuid and md5(m.message_id) = md5(w.message_id)
      and m.message_id = w.message_id`.execute(db);
  return rows.map(row => ({
    messageId: row.message_id,
    fromAddress: row.from_address,
    date: isWrittenHere(row.flags) ? null : dateOf(row.headers),
  }));
}

/** Returns whether the user already has this message. */
export const hasMail = async (db: Db | Trx, userId: string, mail: MailIdentity): Promise<boolean> =>
  (await findMailsNamed(db, userId, [mail.messageId])).some(one => isSameMail(one, mail));
