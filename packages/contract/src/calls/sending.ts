/**
 * Calls that write mail: sending, drafts, attachments (docs/spec-map.md 3, 7,
 * docs/api-conventions.md, docs/wire-format.md).
 */
import { z } from 'zod';
import { defineCall } from '../core/call.ts';
import { dataOf, nothing } from '../core/envelope.ts';
import { base64, base64Bytes, emailAddress, id } from '../core/fields.ts';
import {
  BODY_B64_MAX_CHARACTERS,
  RECIPIENTS_MAX,
  UNDO_SEND_MAX_SECONDS,
  UNDO_SEND_SECONDS,
} from '../core/limits.ts';

const wrappedKey = base64Bytes(12 + 32 + 16);

/**
 * Recipient of a send: sealed with keys, plaintext, or the sender's own copy (`sender: true`, no
 * ciphertext).
 */
export const recipient = z.object({
  email: emailAddress,
  to: z.boolean().optional(),
  cc: z.boolean().optional(),
  bcc: z.boolean().optional(),
  sender: z.boolean().optional(),
  ciphertext: base64Bytes(1568).optional(),
  encrypted_key: wrappedKey.optional(),
  salt: base64Bytes(32).optional(),
  key_used: base64Bytes(20).optional(),
  plaintext: z.boolean().default(false),
});
export type Recipient = z.infer<typeof recipient>;

const messageId = z
  .string()
  .max(998)
  .regex(/^<?[^\s<>]+>?$/);

const message = {
  used_address: emailAddress,
  in_reply_to: z.union([messageId, z.literal('')]).optional(),
  references: z.array(messageId).max(100).optional(),
  /**
   * `[...]` unless a recipient is plaintext; the real subject is inside the payload
   * (docs/interpretations.md#16).
   */
  subject: z.string().max(998).default('[...]'),
  /** Sealed payload, base64(IV16 || AES-256-CBC). */
  body: base64(BODY_B64_MAX_CHARACTERS),
  summary: base64(8192),
  content_type: z.string().max(255).default('message/rfc822; hp="cipher"'),
  boundary: z.string().max(70).optional(),
  draft_id: id.optional(),
  signature_id: id.optional(),
};

const ownWrap = { key_used: base64Bytes(20), encrypted_key: wrappedKey, salt: base64Bytes(32) };

export const sendingCalls = {
  send_private: defineCall({
    method: 'POST',
    path: '/user/send_private',
    access: 'user',
    about: 'Sends an encrypted message. Idempotent by the Idempotency-Key header, atomic for all recipients.',
    input: z.object({
      ...message,
      to: z.array(recipient).min(1).max(RECIPIENTS_MAX),
      /** The sender's X25519 public key. */
      public_key: base64Bytes(32),
      /**
       * Message key, present only when a recipient is plaintext. Used in memory, never stored
       * (docs/wire-format.md#plaintext-recipients).
       */
      encryption_key: base64Bytes(32).optional(),
      /**
       * Encrypted blobs that the payload refers to and that are not in the draft
       * (docs/interpretations.md#24).
       */
      forwarded_attachments: z.array(id).max(200).optional(),
      /**
       * Time to send the message, at most 366 days ahead. When absent, it is sent right after the
       * undo window.
       */
      send_at: z.iso.datetime().optional(),
      /**
       * The sibling copy of this message (docs/interpretations.md#17), sent before it. While that
       * copy is held, both are released together, and recalling or deleting either one takes back
       * both.
       */
      twin: id.optional(),
      /** Seconds for which the message is held and can be recalled; 0 sends at once. */
      undo_seconds: z.number().int().min(0).max(UNDO_SEND_MAX_SECONDS).default(UNDO_SEND_SECONDS),
    }),
    output: dataOf(z.object({ id, message_id: z.string() })),
    timeoutMs: 120_000,
  }),
  unsend: defineCall({
    method: 'POST',
    path: '/user/unsend',
    access: 'user',
    about:
      'Recalls a message that is still held, together with its other copy. It becomes a draft, and no recipient receives either copy. 409 if one copy was already sent.',
    input: z.object({ id }),
    output: dataOf(z.object({ draft_id: id })),
    isRepeatable: true,
  }),
  draft: defineCall({
    method: 'POST',
    path: '/user/draft',
    access: 'user',
    about:
      'Creates a draft, or replaces the draft with this draft_id, or the draft created with the same Idempotency-Key and not saved by its ID since then. The recipients are inside the payload.',
    input: z.object({
      ...message,
      to: z.array(recipient).max(RECIPIENTS_MAX).optional(),
      cc: z.array(recipient).max(RECIPIENTS_MAX).optional(),
      bcc: z.array(recipient).max(RECIPIENTS_MAX).optional(),
      ...ownWrap,
    }),
    output: dataOf(z.object({ draft_id: id })),
    timeoutMs: 60_000,
    isRepeatable: 'draft_id',
  }),
  empty: defineCall({
    method: 'POST',
    path: '/user/empty',
    access: 'user',
    about: 'Creates an empty draft for attachments; one for each Idempotency-Key.',
    input: z.object(ownWrap),
    output: dataOf(z.object({ draft_id: id })),
  }),
  upload: defineCall({
    method: 'POST',
    path: '/user/upload',
    access: 'user',
    about: 'Stores an encrypted attachment in a draft.',
    input: z.object({ draft_id: id }),
    output: dataOf(z.object({ id, size: z.number() })),
    transport: 'upload',
    timeoutMs: 600_000,
  }),
  attachment: defineCall({
    method: 'GET',
    path: '/user/attachment/:id',
    access: 'user',
    about: 'The encrypted content of an attachment. Supports Range.',
    input: z.object({ id }),
    output: z.object({}),
    transport: 'download',
    timeoutMs: 600_000,
  }),
  remove_attachment: defineCall({
    method: 'DELETE',
    path: '/user/attachment/:id',
    access: 'user',
    about: 'Deletes an attachment from a draft.',
    input: z.object({ id }),
    output: nothing,
  }),
} as const;
