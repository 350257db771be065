/**
 * A message as the server returns it to its owner, sealed like inbound mail: a fresh X25519 pair
 * each, so nothing can be cached between two of them.
 */
import { createMessageKey, sealMessage } from '@keyfold/crypto/message';

/**
 * Seals `payload` for one reader; `facts` are the other fields that the server returns.
 * @param {{ email: string, identity: import('@keyfold/crypto/vault').Identity }} reader
 * @param {Uint8Array} payload
 * @param {Pick<import('@keyfold/contract').Email, 'from' | 'headers' | 'message_id' |
 *   'received_at'>} facts
 * @param {import('@keyfold/crypto/message').MessageSummary} [summary]
 * @returns {Promise<import('@keyfold/contract').Email>}
 */
export async function sealMail({ email, identity }, payload, facts, summary) {
  const sealed = await sealMessage({
    payload,
    messageKey: createMessageKey(),
    recipients: [{ email, ...identity }],
    ...(summary === undefined ? {} : { summary }),
  });
  const [entry] = sealed.recipients;
  if (!('mlkem_ciphertext' in entry)) throw new Error('not sealed for the recipient');
  return {
    ...facts,
    id: crypto.randomUUID(),
    body: sealed.message_encrypted,
    summary: sealed.summary,
    binding: sealed.binding,
    ciphertext: entry.mlkem_ciphertext,
    encrypted_key: entry.second_stage_key_encrypted,
    dh_public: sealed.public_key,
    salt: entry.salt,
    key_used: entry.key_used,
    thread_id: facts.message_id,
    thread_count: 1,
    tags: [],
    sent: false,
    read: false,
    starred: false,
    flagged: false,
    archived: false,
    deleted: false,
    deleted_at: null,
    draft: false,
    alert: false,
    public: true,
    snoozed: false,
    snoozed_until: null,
    scheduled: false,
    send_at: null,
    size: payload.length,
    attachments: [],
  };
}
