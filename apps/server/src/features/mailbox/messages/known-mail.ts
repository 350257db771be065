/**
 * Which messages a mailbox has. A Message-ID alone does not tell: whoever has seen one can send mail that bears it, and an
 * import would then leave out the true one. So the sender and the date have to agree too; a date that one of the two does not
 * tell speaks against nothing. Mail that was written here, by its owner or by another user whom the server knows, has a date
 * of the server's beside it, and that of its writer inside: its sender is certain, and its date is not asked for.
 */
import { findHeader, findIsoDate, readHeaders } from '@keyfold/mail/mime/headers';
import { sql } from 'kysely';
import { FLAG_BITS } from '../../../base/flags.ts';
import type { Db, Trx } from '../../../db/pool.ts';

export type MailIdentity = {
  readonly messageId: string;
  /** Normalised; empty when the mail names none. */
  readonly fromAddress: string;
  /** ISO 8601. */
  readonly date: string | null;
};

/** Whether two messages are one. */
export const isSameMail = (a: MailIdentity, b: MailIdentity): boolean =>
  a.messageId === b.messageId &&
  a.fromAddress === b.fromAddress &&
  (a.date === null || b.date === null || Date.parse(a.date) === Date.parse(b.date));

/** Sent or drafted by the owner, or sealed by the client of whoever sent it. */
const isWrittenHere = (flags: number): boolean =>
  (flags & (FLAG_BITS.sent | FLAG_BITS.draft)) !== 0 || (flags & FLAG_BITS.public) === 0;

const dateOf = (headers: string): string | null =>
  findIsoDate(findHeader(readHeaders(Buffer.from(headers, 'utf8')), 'date')?.value ?? '');

/** Those of the user's mails, deleted ones included, that bear one of these Message-IDs. */
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

/** Whether the user has this message. */
export const hasMail = async (db: Db | Trx, userId: string, mail: MailIdentity): Promise<boolean> =>
  (await findMailsNamed(db, userId, [mail.messageId])).some(one => isSameMail(one, mail));
