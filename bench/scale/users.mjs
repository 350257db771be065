/**
 * Makes the accounts of a service active for the scale benchmark: each gets messages and a session,
 * written directly into the database as the server writes them.
 */
import {
  createClientKey,
  createToken,
  hashToken,
  sealClientKey,
} from '../../apps/server/src/features/accounts/auth/tokens.ts';
import { fillBox } from '../list-endpoint/boxes.mjs';

const TABLES = ['mails', 'mail_tags', 'mail_counts', 'tags'];

async function bytesOf(database) {
  const { rows } = await database.query(
    'select sum(pg_total_relation_size(name::regclass))::bigint as bytes from unnest($1::text[]) as name',
    [TABLES],
  );
  return Number(rows[0].bytes);
}

async function addSession(database, userId) {
  const token = createToken();
  await database.query(
    `insert into sessions (token_hash, user_id, client_key_sealed, created_at, last_used_at, expires_at, ends_at)
     values ($1, $2, $3, now(), now(), now() + interval '1 day', now() + interval '1 day')`,
    [hashToken('session', token), userId, sealClientKey('session', token, createClientKey())],
  );
  return `keyfold_session=${token}`;
}

/** Returns a cookie for each account, and the bytes of tables and indexes per message. */
export async function addActiveUsers({ database }, mailsEach) {
  const { rows } = await database.query('select id from users order by id');
  const before = await bytesOf(database);
  const cookies = [];
  for (const { id } of rows) {
    await fillBox(database, id, mailsEach);
    cookies.push(await addSession(database, id));
  }
  return { cookies, bytesEach: ((await bytesOf(database)) - before) / (rows.length * mailsEach) };
}
