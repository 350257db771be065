/**
 * Rows of mails with all that a reader gets of them: columns, body on demand, names of tags, containers; one statement.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/pool.ts';
import { FLAG_BITS } from '../mailbox/flags.ts';

export type MailRow = {
  readonly id: string;
  readonly flags: number;
  readonly received_at: Date;
  readonly thread_id: string;
  readonly message_id: string;
  readonly from_address: string;
  readonly headers: string;
  readonly summary: Buffer | null;
  readonly binding: Buffer;
  readonly ciphertext: Buffer | null;
  readonly encrypted_key: Buffer | null;
  readonly dh_public: Buffer | null;
  readonly salt: Buffer | null;
  readonly key_used: string | null;
  readonly is_alert: boolean;
  readonly size_bytes: number;
  readonly deleted_at: Date | null;
  /** Null where it was not asked for. */
  readonly body: Buffer | null;
  readonly tags: readonly string[];
  readonly attachments: readonly { readonly id: string; readonly size: number }[] | null;
};

const COLUMNS = sql.raw(
  `r.id, r.flags, r.received_at, r.thread_id, r.message_id, r.from_address, r.headers, r.summary, r.binding,
   r.ciphertext, r.encrypted_key, r.dh_public, r.salt, r.key_used, r.is_alert, r.size_bytes, r.deleted_at`,
);

/** The rows that a statement for `id` and `received_at` names, newest first. */
export const readMails = async (
  db: Db,
  userId: string,
  keys: RawBuilder<unknown>,
  withBodies: boolean,
): Promise<MailRow[]> => {
  const body = withBodies
    ? sql`(select b.body from mail_bodies b where b.user_id = r.user_id and b.mail_id = r.id)`
    : sql`null::bytea`;
  const { rows } = await sql<MailRow>`
    select ${COLUMNS}, ${body} as body,
      array(
        select t.name from mail_tags g join tags t on t.user_id = g.user_id and t.id = g.tag_id
        where g.user_id = r.user_id and g.mail_id = r.id order by t.name
      ) as tags,
      case when r.flags & ${FLAG_BITS.attachment}::smallint <> 0 then (
        select json_agg(json_build_object('id', a.blob_id, 'size', a.size_bytes) order by a.blob_id)
        from mail_attachments a where a.user_id = r.user_id and a.mail_id = r.id
      ) end as attachments
    from (${keys}) p join mails r on r.user_id = ${userId} and r.id = p.id
    order by p.received_at desc, p.id desc`.execute(db);
  return rows;
};

/** Statement for mails by their ids. */
export const byIds = (userId: string, ids: readonly string[]): RawBuilder<unknown> =>
  sql`select id, received_at from mails where user_id = ${userId} and id = any(${[...ids]}::uuid[])`;
