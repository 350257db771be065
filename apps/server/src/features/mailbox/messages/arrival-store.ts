/**
 * SQL that inserts many messages into many mailboxes at once: a small fixed number of statements
 * per batch, because a round trip to the database costs more than the rows it carries. Callers hold
 * the mailboxes' locks; the rules are in service.ts.
 */
import { sql } from 'kysely';
import { FLAG_BITS } from '../../../base/flags.ts';
import { noteChange } from '../../../db/changes.ts';
import type { Trx } from '../../../db/pool.ts';
import { isNews, type NewMail, sizeOf } from './new-mail.ts';
import { peopleOf } from './people.ts';
import { ALL_MAILS } from './store.ts';

export type MailRow = NewMail & {
  readonly id: string;
  readonly arrivedAt: Date;
  readonly threadId: string;
  /** The user's tags. */
  readonly tagIds: readonly string[];
};

/** Maximum rows per statement. Bytes of bodies are limited too, except for a single larger row. */
const ROWS_MAX = 100;
/**
 * Maximum containers or tags per statement: a statement has at most 65,535 parameters, and each of
 * these takes up to five.
 */
const LINKS_MAX = 5_000;
const BODY_BYTES_MAX = 8 * 1024 * 1024;

function chunksOf(rows: readonly MailRow[]): MailRow[][] {
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
}

export type Receipt = { readonly userId: string; readonly digest: Buffer };

export const receiptKey = ({ userId, digest }: Receipt): string => `${userId} ${digest.toString('base64')}`;

/** Records deliveries and returns the keys of those that were not recorded yet. */
export async function insertReceipts(trx: Trx, receipts: readonly Receipt[]): Promise<Set<string>> {
  if (receipts.length === 0) return new Set();
  const rows = await trx
    .insertInto('inbound_receipts')
    .values(receipts.map(({ userId, digest }) => ({ user_id: userId, digest })))
    .onConflict(conflict => conflict.doNothing())
    .returning(['user_id', 'digest'])
    .execute();
  return new Set(rows.map(row => receiptKey({ userId: row.user_id, digest: row.digest })));
}

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
  deleted_at: mail.deletedAt ?? null,
  send_at: mail.sendAt ?? null,
  size_bytes: sizeOf(mail),
});

/** Inserts messages with their bodies and references to containers, which the caller has locked. */
export async function insertMails(trx: Trx, mails: readonly MailRow[]): Promise<void> {
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
    for (let at = 0; at < references.length; at += LINKS_MAX)
      await trx
        .insertInto('mail_attachments')
        .values(references.slice(at, at + LINKS_MAX))
        .execute();
    const tagged = chunk.flatMap(mail =>
      mail.tagIds.map(tagId => ({
        user_id: mail.userId,
        mail_id: mail.id,
        tag_id: tagId,
        flags: mail.flags,
        received_at: mail.receivedAt,
      })),
    );
    for (let at = 0; at < tagged.length; at += LINKS_MAX)
      await trx
        .insertInto('mail_tags')
        .values(tagged.slice(at, at + LINKS_MAX))
        .execute();
  }
}

/**
 * Adds messages to their flag groups' counters, adds their bytes to their mailboxes, and advances
 * each mailbox's version and last arrival, which notifies the owners' clients. Flag groups are
 * updated in a global order. Returns which of the users have snoozed messages.
 */
export async function countMails(trx: Trx, mails: readonly MailRow[]): Promise<ReadonlySet<string>> {
  const buckets = new Map<string, { userId: string; tagId: string; flags: number; total: number }>();
  const growth = new Map<string, { bytes: number; arrivedAt: Date }>();
  for (const mail of mails) {
    const { userId, flags, arrivedAt } = mail;
    for (const tagId of [ALL_MAILS, ...mail.tagIds]) {
      const key = `${userId} ${tagId} ${flags}`;
      buckets.set(key, { userId, tagId, flags, total: (buckets.get(key)?.total ?? 0) + 1 });
    }
    const before = growth.get(userId);
    growth.set(userId, {
      bytes: (before?.bytes ?? 0) + sizeOf(mail),
      arrivedAt: before !== undefined && before.arrivedAt > arrivedAt ? before.arrivedAt : arrivedAt,
    });
  }
  const counted = [...buckets.keys()].sort().flatMap(key => buckets.get(key) ?? []);
  const grown = [...growth.values()];
  const { rows } = await sql<{ user_id: string; version: number; has_snoozed: boolean }>`
    with counted as (
      insert into mail_counts as c (user_id, tag_id, flags, total)
      select user_id, tag_id, flags, total
      from unnest(
        ${counted.map(({ userId }) => userId)}::uuid[],
        ${counted.map(({ tagId }) => tagId)}::uuid[],
        ${counted.map(({ flags }) => flags)}::smallint[],
        ${counted.map(({ total }) => total)}::integer[]
      ) as b (user_id, tag_id, flags, total)
      on conflict (user_id, tag_id, flags) do update set total = c.total + excluded.total
    )
    update mailboxes as b
    set used_bytes = b.used_bytes + g.bytes, version = b.version + 1,
      last_arrival = greatest(b.last_arrival, g.arrived_at)
    from unnest(
      ${[...growth.keys()]}::uuid[],
      ${grown.map(({ bytes }) => bytes)}::bigint[],
      ${grown.map(({ arrivedAt }) => arrivedAt.toISOString())}::timestamptz[]
    ) as g (user_id, bytes, arrived_at)
    where b.user_id = g.user_id
    returning b.user_id, b.version, exists (
      select 1 from mail_counts s
      where s.user_id = b.user_id and s.tag_id = ${ALL_MAILS}::uuid and s.total > 0
        and s.flags & ${FLAG_BITS.snoozed}::smallint <> 0
    ) as has_snoozed`.execute(trx);
  const receivers = new Set(mails.filter(isNews).map(({ userId }) => userId));
  for (const { user_id, version } of rows)
    noteChange(trx, { userId: user_id, version, kind: receivers.has(user_id) ? 'mail' : 'change' });
  return new Set(rows.filter(row => row.has_snoozed).map(row => row.user_id));
}
