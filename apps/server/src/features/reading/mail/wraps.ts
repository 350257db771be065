/**
 * Message keys wrapped by their owner for the owner (docs/wire-format.md#wraps-for-oneself), stored
 * with messages that were opened once, so that lists need neither 1,568 bytes of ciphertext per row
 * nor a decapsulation. The sender's wrap stays. Only the owner's client can tell what is sealed in
 * a wrap and whether it is correct.
 */
import { sql } from 'kysely';
import type { Deps } from '../../../context/deps.ts';
import { requireKeysInUse } from '../../accounts/users/index.ts';
import { lockMails } from '../../mailbox/messages/index.ts';

/** A message key wrapped under its owner's sent_key; values are base64. */
export type OwnWrap = {
  readonly email_id: string;
  readonly encrypted_key: string;
  readonly salt: string;
  /** The keys that wrap it. */
  readonly key_used: string;
  /**
   * The binding of the wrap; without it, a message that is already wrapped for its owner is left
   * unchanged.
   */
  readonly binding?: string | undefined;
};

/**
 * Stores these wraps, the last one per message, and returns how many messages were named. Throws
 * not_found, keys_replaced.
 */
export const keepOwnWraps = (
  { db }: Pick<Deps, 'db'>,
  userId: string,
  wraps: readonly OwnWrap[],
): Promise<number> =>
  db.transaction().execute(async trx => {
    const byMail = new Map(wraps.map(wrap => [wrap.email_id, wrap]));
    const kept = [...byMail.values()];
    const found = await lockMails(trx, userId, [...byMail.keys()]);
    const keyId = await requireKeysInUse(
      trx,
      userId,
      kept.map(wrap => wrap.key_used),
    );
    const given = sql`unnest(
        ${kept.map(wrap => wrap.email_id)}::uuid[],
        ${kept.map(wrap => wrap.encrypted_key)}::text[],
        ${kept.map(wrap => wrap.salt)}::text[],
        ${kept.map(wrap => wrap.binding ?? null)}::text[]
      ) w (id, encrypted_key, salt, binding)`;
    await sql`
      update mails m set own_key = decode(w.encrypted_key, 'base64'), own_salt = decode(w.salt, 'base64'),
        own_key_used = ${keyId}
      from ${given}
      where m.user_id = ${userId} and m.id = w.id and m.ciphertext is not null`.execute(trx);
    // A message without ciphertext is already wrapped for its owner, and its wrap changes with its
    // body: a draft that was saved since has another binding, and the keys current at that save.
    if (kept.some(wrap => wrap.binding !== undefined))
      await sql`
        update mails m set encrypted_key = decode(w.encrypted_key, 'base64'), salt = decode(w.salt, 'base64'),
          key_used = ${keyId}
        from ${given}
        where m.user_id = ${userId} and m.id = w.id and m.ciphertext is null
          and m.key_used <> ${keyId} and m.binding = decode(w.binding, 'base64')`.execute(trx);
    return found.length;
  });
