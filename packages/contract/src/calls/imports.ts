/**
 * Mail that a client imports: read and sealed in the browser, so that the server sees no plaintext
 * (docs/spec-map.md 7.53, docs/api-conventions.md#mail, docs/interpretations.md#26). Files over 32
 * KiB are first uploaded as containers, as for arriving mail.
 */
import { z } from 'zod';
import { defineCall } from '../core/call.ts';
import { dataOf } from '../core/envelope.ts';
import { base64, base64Bytes, id } from '../core/fields.ts';
import {
  BODY_B64_MAX_CHARACTERS,
  IMPORT_ATTACHMENTS_MAX,
  IMPORT_FROM_MAX_CHARACTERS,
  IMPORT_HEADERS_MAX_CHARACTERS,
  IMPORT_MESSAGES_MAX,
  IMPORT_SUMMARY_B64_MAX_CHARACTERS,
  IMPORT_TAGS_MAX,
} from '../core/limits.ts';
import { tag } from '../core/user.ts';

/** Flags that an imported message can have; an absent one is not set. */
const importFlags = z.object({
  read: z.boolean().default(false),
  starred: z.boolean().default(false),
  archived: z.boolean().default(false),
  deleted: z.boolean().default(false),
  flagged: z.boolean().default(false),
  draft: z.boolean().default(false),
  sent: z.boolean().default(false),
  attachment: z.boolean().default(false),
});

/** A message sealed for the user's own account (docs/wire-format.md#wraps-for-oneself). */
export const importedMessage = z.object({
  /** Sealed payload, base64(IV16 || AES-256-CBC). */
  body: base64(BODY_B64_MAX_CHARACTERS),
  summary: base64(IMPORT_SUMMARY_B64_MAX_CHARACTERS),
  encrypted_key: base64Bytes(12 + 32 + 16),
  salt: base64Bytes(32),
  key_used: base64Bytes(20),
  /**
   * The cleartext header block (docs/wire-format.md#payload), including Message-ID; fields that do
   * not belong in it are dropped.
   */
  headers: z.string().max(IMPORT_HEADERS_MAX_CHARACTERS),
  /** When the message was received; a time in the future counts as now. */
  received_at: z.iso.datetime(),
  flags: importFlags,
  /** Names of tags; those that the user does not have are dropped. */
  tags: z.array(tag.shape.name).max(IMPORT_TAGS_MAX).default([]),
  /** Containers uploaded for the message by `container`. */
  attachments: z.array(id).max(IMPORT_ATTACHMENTS_MAX).default([]),
});

/**
 * Outcome for a message: stored; already in the mailbox or earlier in this import; or no storage
 * left.
 */
const IMPORT_OUTCOMES = ['stored', 'here', 'full'] as const;

export const importsCalls = {
  known: defineCall({
    method: 'POST',
    path: '/user/import/known',
    access: 'user',
    about:
      'Which of these messages the mailbox already has, so that the client need not encrypt and upload them. A message is identified by its Message-ID, sender and date, because anyone can send mail with the Message-ID of another message.',
    input: z.object({
      messages: z
        .array(
          z.object({
            /** In angle brackets. */
            message_id: z.string().min(3).max(998),
            /** The first address of From; empty if there is none. */
            from: z.string().max(IMPORT_FROM_MAX_CHARACTERS),
            /** The time of Date; null if there is none. */
            date: z.iso.datetime().nullable(),
          }),
        )
        .min(1)
        .max(IMPORT_MESSAGES_MAX),
    }),
    output: dataOf(
      z.object({
        /** In the order of the messages. */
        known: z.array(z.boolean()),
      }),
    ),
    isRepeatable: true,
  }),
  seal: defineCall({
    method: 'POST',
    path: '/user/seal_import',
    access: 'user',
    about:
      'Stores up to 200 messages that the browser encrypted, as old mail without notifications. Messages that the mailbox already has (same Message-ID, sender and date) or that this import stored before are skipped, so a batch can be repeated. Storing stops at the first message that exceeds the storage limit; `missing_bytes` is the missing space. 429 while other batches of the user are being stored.',
    input: z.object({
      /** The client's id of the import; the same for all of its batches. */
      import_id: id,
      messages: z.array(importedMessage).min(1).max(IMPORT_MESSAGES_MAX),
    }),
    output: dataOf(
      z.object({
        /** In the order of the messages. */
        results: z.array(z.enum(IMPORT_OUTCOMES)),
        missing_bytes: z.number(),
      }),
    ),
    // Allows for megabytes of sealed mail over a very slow line.
    timeoutMs: 600_000,
  }),
  container: defineCall({
    method: 'POST',
    path: '/user/import/container',
    access: 'user',
    about:
      'Stores an encrypted blob for a message that seal_import stores within 12 hours. Otherwise the blob is deleted.',
    input: z.object({}),
    output: dataOf(z.object({ id, size: z.number() })),
    transport: 'upload',
    timeoutMs: 600_000,
  }),
} as const;
