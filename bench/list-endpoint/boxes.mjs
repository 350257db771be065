/**
 * Mailboxes for the list-endpoint benchmark, written by SQL: messages with the sizes of sealed
 * mail, typical flags, conversations of three, two tags, and the owner's wrap on read messages.
 * Counters are computed afterwards. Bodies are omitted, because a list does not read them.
 */

const ALL_MAILS = '00000000-0000-0000-0000-000000000000';

const bytes = (count, seed) =>
  `decode(substr(${Array.from({ length: Math.ceil(count / 16) }, (_, n) => `md5(${seed} || '${n}')`).join('||')}, 1, ${count * 2}), 'hex')`;

const insertMails = (userId, from, to) => `
  insert into mails (user_id, id, flags, received_at, arrived_at, thread_id, message_id, from_address, own_address,
    headers, people, summary, binding, ciphertext, encrypted_key, dh_public, salt, key_used, own_key, own_salt, size_bytes)
  select '${userId}'::uuid, gen_random_uuid(),
    ((case when r1 < 0.93 then 1 else 0 end) | (case when r2 < 0.04 then 2 else 0 end)
      | (case when r3 < 0.35 then 4 else 0 end) | (case when r4 < 0.02 then 8 else 0 end)
      | (case when r5 < 0.02 then 32 when r5 < 0.17 then 64 else 0 end)
      | (case when r6 < 0.15 then 128 else 0 end) | (case when r7 < 0.7 then 256 else 0 end))::smallint,
    '2026-01-01'::timestamptz - i * interval '5 min', '2026-01-01'::timestamptz - i * interval '5 min',
    md5('thread' || (i / 3)::text)::uuid, '<' || i || '@example.org>', 'person' || (i % 500) || '@example.org',
    'bench@keyfold.test',
    'From: Person ' || (i % 500) || ' <person' || (i % 500) || '@example.org>' || chr(13) || chr(10) || 'To: bench@keyfold.test'
      || chr(13) || chr(10) || 'Date: Thu, 01 Jan 2026 00:00:00 +0000' || chr(13) || chr(10) || 'Message-ID: <' || i || '@example.org>'
      || chr(13) || chr(10) || 'Subject: [...]' || chr(13) || chr(10) || 'Content-Type: message/rfc822; hp="cipher"' || chr(13) || chr(10),
    'person ' || (i % 500) || ' person' || (i % 500) || '@example.org', ${bytes(350, 'i')}, ${bytes(32, 'i')},
    ${bytes(1568, 'i')}, ${bytes(60, 'i')}, ${bytes(32, 'i')}, ${bytes(32, 'i')}, 'AAAAAAAAAAAAAAAAAAAAAAAAAAA=',
    case when r1 < 0.93 then ${bytes(60, 'i')} end, case when r1 < 0.93 then ${bytes(32, 'i')} end, 5000
  from (
    select i, random() r1, random() r2, random() r3, random() r4, random() r5, random() r6, random() r7
    from generate_series(${from}, ${to}) i
  ) s`;

/**
 * Fills a user's empty mailbox with this many messages and two tags, \`work\` on a third of them
 * and \`rare\` on few.
 */
export async function fillBox(client, userId, mailCount) {
  await client.query('set statement_timeout = 0');
  await client.query('set synchronous_commit = off');
  const step = 50_000;
  for (let from = 1; from <= mailCount; from += step)
    await client.query(insertMails(userId, from, Math.min(mailCount, from + step - 1)));
  await client.query(
    `update mails set deleted_at = received_at + interval '30 days' where user_id = $1::uuid and flags & 8 <> 0`,
    [userId],
  );
  for (const [name, share] of [
    ['work', 3],
    ['rare', 5000],
  ]) {
    await client.query(
      `insert into tags values ($1::uuid, md5($2::text || $1::uuid::text)::uuid, $2::text, 'gray')`,
      [userId, name],
    );
    await client.query(
      `insert into mail_tags select m.user_id, m.id, md5($2::text || $1::uuid::text)::uuid, m.flags, m.received_at from mails m
       where m.user_id = $1::uuid and abs(hashtext(m.message_id)) % ${share} = 0`,
      [userId, name],
    );
  }
  await client.query(
    `insert into mail_counts
     select user_id, '${ALL_MAILS}'::uuid, flags, count(*) from mails where user_id = $1::uuid group by 1, 3
     union all select user_id, tag_id, flags, count(*) from mail_tags where user_id = $1::uuid group by 1, 2, 3`,
    [userId],
  );
  await client.query(
    `update mailboxes set used_bytes = 5000 * $2::bigint, version = version + 1, last_arrival = '2026-01-01' where user_id = $1`,
    [userId, mailCount],
  );
  await client.query('reset statement_timeout');
}

/** Does what autovacuum would have done before the first read. */
export async function settle(client) {
  await client.query('set statement_timeout = 0');
  for (const table of ['mails', 'mail_tags', 'mail_counts', 'tags'])
    await client.query(`vacuum (analyze) ${table}`);
  await client.query('checkpoint');
}
