/**
 * Message keys wrapped by their owner for the owner (protocol.md §4.4), kept beside mails that were opened once, so that
 * lists need neither 1,568 bytes of ciphertext a row nor a decapsulation for it. The sender's wrap stays; what is sealed
 * in a wrap, and whether it is right, only the owner's client can tell.
 */
import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { lockMails } from '../mailbox/service.ts';

/** A message key wrapped under its owner's sent_key; both values base64. */
export type OwnWrap = { readonly email_id: string; readonly encrypted_key: string; readonly salt: string };

/** Keeps these wraps, of one mail the last, and returns how many mails were named. Throws not_found. */
export const keepOwnWraps = (
  { db }: Pick<Deps, 'db'>,
  userId: string,
  wraps: readonly OwnWrap[],
): Promise<number> =>
  db.transaction().execute(async trx => {
    const byMail = new Map(wraps.map(wrap => [wrap.email_id, wrap]));
    const kept = [...byMail.values()];
    const found = await lockMails(trx, userId, [...byMail.keys()]);
    // A mail without ciphertext is wrapped for its owner already, and its wrap changes with its body.
    await sql`
      update mails m set own_key = decode(w.encrypted_key, 'base64'), own_salt = decode(w.salt, 'base64')
      from unnest(
        ${kept.map(wrap => wrap.email_id)}::uuid[],
        ${kept.map(wrap => wrap.encrypted_key)}::text[],
        ${kept.map(wrap => wrap.salt)}::text[]
      ) w (id, encrypted_key, salt)
      where m.user_id = ${userId} and m.id = w.id and m.ciphertext is not null`.execute(trx);
    return found.length;
  });
