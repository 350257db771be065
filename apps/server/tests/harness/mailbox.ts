/**
 * Users and messages inserted directly into the database, and the recount that all counters must
 * equal, for tests of mailboxes and queries. Encrypted bytes are random; the server cannot tell.
 */
import { createHash, randomBytes, randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import { type FlagFilter, toMask } from '../../src/base/flags.ts';
import type { Db } from '../../src/db/pool.ts';
import { ALL_MAILS, type NewMail } from '../../src/features/mailbox/messages/index.ts';

/** Inserts a user with one address and a mailbox. Returns the id. */
export async function insertTestUser(db: Db, address: string): Promise<string> {
  const id = randomUUIDv7();
  const mainKey = {
    mlkem_public_key: randomBytes(1568).toString('base64'),
    mlkem_private_key_encrypted: randomBytes(92).toString('base64'),
    dh_public_key: randomBytes(32).toString('base64'),
    dh_private_key_encrypted: randomBytes(60).toString('base64'),
    sent_key: randomBytes(60).toString('base64'),
    key_id: randomBytes(20).toString('base64'),
  };
  await db
    .insertInto('users')
    .values({
      id,
      kdf_email: address,
      email: address,
      name: 'Test',
      login_hash: 'none',
      main_key: JSON.stringify(mainKey),
    })
    .execute();
  await db.insertInto('addresses').values({ address, user_id: id, is_primary: true }).execute();
  await db.insertInto('mailboxes').values({ user_id: id }).execute();
  return id;
}

/** Inserts a tag of a user. Returns the id. */
export async function insertTestTag(db: Db, userId: string, name: string): Promise<string> {
  const id = randomUUIDv7();
  await db.insertInto('tags').values({ user_id: userId, id, name, color: 'gray' }).execute();
  return id;
}

export type TestMail = Partial<Omit<NewMail, 'flags' | 'headers'>> & {
  readonly flags?: FlagFilter;
  readonly from?: string;
  readonly to?: string;
  readonly cc?: string;
};

let newestMs = 0;

/**
 * Returns the current time, but always later than the previous value: messages of the same
 * millisecond have no order, and tests rely on the order.
 */
function nextMoment(): Date {
  newestMs = Math.max(Date.now(), newestMs + 1);
  return new Date(newestMs);
}

/** Creates an encrypted message as inbound delivery would store it. */
export function makeNewMail(userId: string, mail: TestMail = {}): NewMail {
  const { flags, from = 'Ann <ann@example.org>', to = 'me@keyfold.test', cc, ...rest } = mail;
  const body = rest.body ?? randomBytes(48);
  return {
    userId,
    receivedAt: nextMoment(),
    headers: `From: ${from}\r\nTo: ${to}\r\n${cc === undefined ? '' : `Cc: ${cc}\r\n`}`,
    fromAddress: 'ann@example.org',
    ownAddress: 'me@keyfold.test',
    messageId: `<${randomUUIDv7()}@example.org>`,
    references: [],
    body,
    summary: randomBytes(64),
    binding: createHash('sha256').update(body).digest(),
    ciphertext: randomBytes(1568),
    encryptedKey: randomBytes(60),
    dhPublic: randomBytes(32),
    salt: randomBytes(32),
    keyUsed: randomBytes(20).toString('base64'),
    ...rest,
    flags: toMask({ ...flags, attachment: (rest.attachments ?? []).length > 0 }),
  };
}

export type CounterState = {
  readonly counts: Readonly<Record<string, number>>;
  readonly used: Readonly<Record<string, number>>;
  readonly tagRows: readonly string[];
};

/** Returns the stored counters and a recount. Tests expect both to be equal. */
export async function readCounters(db: Db): Promise<{ kept: CounterState; recounted: CounterState }> {
  const counts = await sql<{ k: string; n: number }>`
    select user_id || ' ' || tag_id || ' ' || flags as k, total as n from mail_counts where total > 0 order by k`.execute(
    db,
  );
  const recount = await sql<{ k: string; n: number }>`
    select user_id || ' ' || ${ALL_MAILS} || ' ' || flags as k, count(*)::int as n from mails group by 1
    union all
    select user_id || ' ' || tag_id || ' ' || flags as k, count(*)::int as n from mail_tags group by 1
    order by k`.execute(db);
  const used = await sql<{ k: string; n: number }>`
    select user_id::text as k, used_bytes as n from mailboxes order by k`.execute(db);
  const reused = await sql<{ k: string; n: number }>`
    select b.user_id::text as k, (
      coalesce((select sum(octet_length(body)) from mail_bodies m where m.user_id = b.user_id), 0)
      + coalesce((
        select sum(octet_length(headers) + coalesce(octet_length(summary), 0)) from mails m where m.user_id = b.user_id
      ), 0)
      + coalesce((select sum(size_bytes) from mail_attachments a where a.user_id = b.user_id), 0))::bigint as n
    from mailboxes b order by k`.execute(db);
  // A tag row repeats its message's mask and time; a row that differs would be in the wrong range.
  const strays = await sql<{ k: string }>`
    select g.mail_id::text as k from mail_tags g
    left join mails m on m.user_id = g.user_id and m.id = g.mail_id
    where m.flags is distinct from g.flags or m.received_at is distinct from g.received_at
    union all
    select b.mail_id::text from mail_bodies b left join mails m on m.user_id = b.user_id and m.id = b.mail_id where m.id is null
    union all
    select m.id::text from mails m where m.size_bytes <> (
      octet_length(m.headers) + coalesce(octet_length(m.summary), 0) +
      (select octet_length(body) from mail_bodies b where b.user_id = m.user_id and b.mail_id = m.id)
      + coalesce((select sum(size_bytes) from mail_attachments a where a.user_id = m.user_id and a.mail_id = m.id), 0))
    union all
    select m.id::text from mails m where (m.flags & 8 <> 0) <> (m.deleted_at is not null)
    union all
    select m.id::text from mails m where (m.flags & 512 <> 0) <> (m.snoozed_until is not null)
    union all
    select m.id::text from mails m where (m.flags & 128 <> 0)
      <> exists (select 1 from mail_attachments a where a.user_id = m.user_id and a.mail_id = m.id)
      -- Small files of mail from outside stay inside its body.
      and m.flags & (128 + 256) <> 128 + 256`.execute(db);
  const toRecord = (rows: readonly { k: string; n: number }[]) =>
    Object.fromEntries(rows.map(({ k, n }) => [k, n]));
  return {
    kept: {
      counts: toRecord(counts.rows),
      used: toRecord(used.rows),
      tagRows: strays.rows.map(row => row.k),
    },
    recounted: { counts: toRecord(recount.rows), used: toRecord(reused.rows), tagRows: [] },
  };
}
