/**
 * Mail that a client brings in from elsewhere: read and sealed in the browser, so that the server sees no plaintext
 * (docs/spec-map.md 7.53, docs/api-conventions.md#mail, docs/interpretations.md#26). Files over 32 KiB are uploaded as containers
 * first, as at the arrival of mail.
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

/** The flags that a brought mail can have; an absent one is not set. */
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

/** A message sealed for oneself (docs/wire-format.md#wraps-for-oneself). */
export const importedMessage = z.object({
  /** Sealed payload, base64(IV16 || AES-256-CBC). */
  body: base64(BODY_B64_MAX_CHARACTERS),
  summary: base64(IMPORT_SUMMARY_B64_MAX_CHARACTERS),
  encrypted_key: base64Bytes(12 + 32 + 16),
  salt: base64Bytes(32),
  key_used: base64Bytes(20),
  /** The clear header block (docs/wire-format.md#payload), Message-ID among it; what does not belong there is dropped. */
  headers: z.string().max(IMPORT_HEADERS_MAX_CHARACTERS),
  /** When it was received; a time to come counts as now. */
  received_at: z.iso.datetime(),
  flags: importFlags,
  /** Names of tags; those that the user does not have are left out. */
  tags: z.array(tag.shape.name).max(IMPORT_TAGS_MAX).default([]),
  /** Containers that were uploaded for it by `container`. */
  attachments: z.array(id).max(IMPORT_ATTACHMENTS_MAX).default([]),
});

/** What became of a message: it is stored; it is in the mailbox already, or was in this import before; there is no room. */
const IMPORT_OUTCOMES = ['stored', 'here', 'full'] as const;

export const importsCalls = {
  known: defineCall({
    method: 'POST',
    path: '/user/import/known',
    access: 'user',
    about:
      'Which of these messages the mailbox has: they need not be sealed and sent. A message is known by its Message-ID together with its sender and its date, since anybody can send mail under the Message-ID of another.',
    input: z.object({
      messages: z
        .array(
          z.object({
            /** In angle brackets. */
            message_id: z.string().min(3).max(998),
            /** The first address of From; empty when there is none. */
            from: z.string().max(IMPORT_FROM_MAX_CHARACTERS),
            /** The time of Date; null when it tells none. */
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
      'Stores messages that were sealed in the browser, at most 200, as old mail that nobody is told of. A message that the mailbox has, by Message-ID, sender and date, or that this import brought before, is left out, so that a batch may be repeated. From the first that the storage has no room for, none is stored; `missing_bytes` says how much room they lack. 429 while other batches of the user are stored.',
    input: z.object({
      /** The client's name for the import; the same for all of its batches. */
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
    // Megabytes of sealed mail over the slowest of lines.
    timeoutMs: 600_000,
  }),
  container: defineCall({
    method: 'POST',
    path: '/user/import/container',
    access: 'user',
    about:
      'Stores a sealed container for a message that seal_import brings within twelve hours; else it goes.',
    input: z.object({}),
    output: dataOf(z.object({ id, size: z.number() })),
    transport: 'upload',
    timeoutMs: 600_000,
  }),
} as const;
