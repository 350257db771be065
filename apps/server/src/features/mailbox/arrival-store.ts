/**
 * Statements that put many mails into many mailboxes at once: a fixed handful for each batch, because a round trip to the
 * database costs more than the rows it carries. Callers hold the mailboxes' locks; the rules stand in service.ts.
 */
import { sql } from 'kysely';
import type { Trx } from '../../db/pool.ts';
import { type NewMail, sizeOf } from './new-mail.ts';
import { peopleOf } from './people.ts';
import { ALL_MAILS } from './store.ts';

export type MailRow = NewMail & { readonly id: string; readonly arrivedAt: Date; readonly threadId: string };

/** One statement carries at most this many rows and, but for a single larger one, this many bytes of bodies. */
const ROWS_MAX = 100;
const BODY_BYTES_MAX = 8 * 1024 * 1024;

const chunksOf = (rows: readonly MailRow[]): MailRow[][] => {
  const chunks: MailRow[][] = [];
  let bytes = 0;
  for (const row of rows) {
    const last = chunks.at(-1);
    bytes += row.body.length;
    if (last !== undefined && last.length < ROWS_MAX && bytes <= BODY_BYTES_MAX) last.push(row);
    else {
      chunks.push([row]);
      bytes = row.body.length;
    }
  }
  return chunks;
};

export type Receipt = { readonly userId: string; readonly digest: Buffer };

export const receiptKey = ({ userId, digest }: Receipt): string => `${userId} ${digest.toString('base64')}`;

/** Remembers deliveries and gives the keys of those that were not remembered yet. */
export const insertReceipts = async (trx: Trx, receipts: readonly Receipt[]): Promise<Set<string>> => {
  if (receipts.length === 0) return new Set();
  const rows = await trx
    .insertInto('inbound_receipts')
    .values(receipts.map(({ userId, digest }) => ({ user_id: userId, digest })))
    .onConflict(conflict => conflict.doNothing())
    .returning(['user_id', 'digest'])
    .execute();
  return new Set(rows.map(row => receiptKey({ userId: row.user_id, digest: row.digest })));
};

const toRow = (mail: MailRow) => ({
  user_id: mail.userId,
  id: mail.id,
  flags: mail.flags,
  received_at: mail.receivedAt,
  arrived_at: mail.arrivedAt,
  thread_id: mail.threadId,
  message_id: mail.messageId,
  from_address: mail.fromAddress,
  own_address: mail.ownAddress,
  headers: mail.headers,
  people: peopleOf(mail.headers),
  summary: mail.summary,
  binding: mail.binding,
  ciphertext: mail.ciphertext,
  encrypted_key: mail.encryptedKey,
  dh_public: mail.dhPublic,
  salt: mail.salt,
  key_used: mail.keyUsed,
  is_alert: mail.isAlert ?? false,
  size_bytes: sizeOf(mail),
});

/** Writes mails with their bodies and the containers they refer to, which the caller has locked. */
export const insertMails = async (trx: Trx, mails: readonly MailRow[]): Promise<void> => {
  for (const chunk of chunksOf(mails)) {
    await trx
      .with('written', db => db.insertInto('mails').values(chunk.map(toRow)))
      .insertInto('mail_bodies')
      .values(chunk.map(mail => ({ user_id: mail.userId, mail_id: mail.id, body: mail.body })))
      .execute();
    const references = chunk.flatMap(mail =>
      (mail.attachments ?? []).map(({ blobId, sizeBytes }) => ({
        user_id: mail.userId,
        mail_id: mail.id,
        blob_id: blobId,
        size_bytes: sizeBytes,
      })),
    );
    if (references.length > 0) await trx.insertInto('mail_attachments').values(references).execute();
  }
};

/**
 * Counts mails into their buckets, adds their bytes to their mailboxes, and moves each mailbox's version and last arrival
 * on. Buckets are taken in the order in which everybody takes them.
 */
export const countMails = async (trx: Trx, mails: readonly MailRow[]): Promise<void> => {
  const buckets = new Map<string, { userId: string; flags: number; total: number }>();
  const growth = new Map<string, { bytes: number; arrivedAt: Date }>();
  for (const mail of mails) {
    const { userId, flags, arrivedAt } = mail;
    const key = `${userId} ${flags}`;
    buckets.set(key, { userId, flags, total: (buckets.get(key)?.total ?? 0) + 1 });
    growth.set(userId, { bytes: (growth.get(userId)?.bytes ?? 0) + sizeOf(mail), arrivedAt });
  }
  const counted = [...buckets.keys()].sort().flatMap(key => buckets.get(key) ?? []);
  const grown = [...growth.values()];
  await sql`
    with counted as (
      insert into mail_counts as c (user_id, tag_id, flags, total)
      select user_id, ${ALL_MAILS}::uuid, flags, total
      from unnest(
        ${counted.map(({ userId }) => userId)}::uuid[],
        ${counted.map(({ flags }) => flags)}::smallint[],
        ${counted.map(({ total }) => total)}::integer[]
      ) as b (user_id, flags, total)
      on conflict (user_id, tag_id, flags) do update set total = c.total + excluded.total
    )
    update mailboxes as b
    set used_bytes = b.used_bytes + g.bytes, version = b.version + 1, last_arrival = g.arrived_at
    from unnest(
      ${[...growth.keys()]}::uuid[],
      ${grown.map(({ bytes }) => bytes)}::bigint[],
      ${grown.map(({ arrivedAt }) => arrivedAt.toISOString())}::timestamptz[]
    ) as g (user_id, bytes, arrived_at)
    where b.user_id = g.user_id`.execute(trx);
};
