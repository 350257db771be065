/**
 * Message rows with everything a client gets: columns, body on demand, tag names, encrypted blobs;
 * in one statement. Bytes are returned as base64, because PostgreSQL's own text form is twice as
 * long and would only be decoded to be encoded again.
 */
import { type RawBuilder, sql } from 'kysely';
import { FLAG_BITS } from '../../../base/flags.ts';
import type { Db } from '../../../db/pool.ts';

/**
 * full: with the body and the sender's wrap. summary: without the body, and with the owner's own
 * wrap if there is one.
 */
export type View = 'full' | 'summary';

/** A message, with binary columns as base64. */
export type MailRow = {
  readonly id: string;
  readonly flags: number;
  /** Time of reception, regardless of its position in lists ([Note: Place and reception]). */
  readonly received_at: Date;
  readonly thread_id: string;
  readonly message_id: string;
  readonly from_address: string;
  readonly headers: string;
  readonly summary: string | null;
  readonly binding: string;
  readonly ciphertext: string | null;
  readonly encrypted_key: string | null;
  readonly dh_public: string | null;
  readonly salt: string | null;
  readonly key_used: string | null;
  readonly is_alert: boolean;
  readonly size_bytes: number;
  readonly deleted_at: Date | null;
  readonly snoozed_until: Date | null;
  readonly send_at: Date | null;
  /** Null in a summary, and when the preceding bodies on the page already exceed the limit. */
  readonly body: Buffer | null;
  /** 0 for a draft whose body was never saved. */
  readonly body_bytes: number;
  readonly tags: readonly string[];
  readonly attachments: readonly { readonly id: string; readonly size: number }[] | null;
};

/** PostgreSQL breaks base64 into lines. */
const base64 = (expression: string): string => `replace(encode(${expression}, 'base64'), E'\\n', '')`;

const COMMON = sql.raw(
  `r.id, r.flags, coalesce(r.first_received_at, r.received_at) as received_at, r.thread_id, r.message_id, r.from_address, r.headers,
   ${base64('r.summary')} as summary, ${base64('r.binding')} as binding, ${base64('r.dh_public')} as dh_public,
   r.is_alert, r.size_bytes, r.deleted_at, r.snoozed_until, r.send_at,
   array(
     select t.name from mail_tags g join tags t on t.user_id = g.user_id and t.id = g.tag_id
     where g.user_id = r.user_id and g.mail_id = r.id order by t.name
   ) as tags,
   case when r.flags & ${FLAG_BITS.attachment}::smallint <> 0 then (
     select json_agg(json_build_object('id', a.blob_id, 'size', a.size_bytes) order by a.blob_id)
     from mail_attachments a where a.user_id = r.user_id and a.mail_id = r.id
   ) end as attachments`,
);

/**
 * Total size of bodies, in bytes, after which a page omits further ones: 200 large messages at once
 * exceed a process's memory.
 */
const PAGE_BODY_BYTES = 16 * 1024 * 1024;

const BODIES: Readonly<Record<View, RawBuilder<unknown>>> = {
  full: sql`left join mail_bodies b on b.user_id = r.user_id and b.mail_id = r.id`,
  summary: sql``,
};

const BY_VIEW: Readonly<Record<View, RawBuilder<unknown>>> = {
  full: sql.raw(
    `${base64('r.ciphertext')} as ciphertext, ${base64('r.encrypted_key')} as encrypted_key,
     ${base64('r.salt')} as salt, r.key_used, octet_length(b.body) as body_bytes,
     case when sum(octet_length(b.body)) over (
       order by p.received_at desc, p.id desc rows between unbounded preceding and current row
     ) - octet_length(b.body) < ${PAGE_BODY_BYTES} then b.body end as body`,
  ),
  summary: sql.raw(
    `case when r.own_key is null then ${base64('r.ciphertext')} end as ciphertext,
     ${base64('coalesce(r.own_key, r.encrypted_key)')} as encrypted_key,
     ${base64('coalesce(r.own_salt, r.salt)')} as salt, coalesce(r.own_key_used, r.key_used) as key_used, 0 as body_bytes, null::bytea as body`,
  ),
};

/** Returns the rows selected by a statement for `id` and `received_at`, newest first. */
export async function readMails(
  db: Db,
  userId: string,
  keys: RawBuilder<unknown>,
  view: View,
): Promise<MailRow[]> {
  const { rows } = await sql<MailRow>`
    select ${COMMON}, ${BY_VIEW[view]}
    from (${keys}) p join mails r on r.user_id = ${userId} and r.id = p.id ${BODIES[view]}
    order by p.received_at desc, p.id desc`.execute(db);
  return rows;
}

/** Returns a statement that selects messages by id. */
export const byIds = (userId: string, ids: readonly string[]): RawBuilder<unknown> =>
  sql`select id, received_at from mails where user_id = ${userId} and id = any(${[...ids]}::uuid[])`;
