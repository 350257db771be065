/**
 * Calls that read mail and change its flags: read, starred, archived, spam, snoozed and deleted
 * (docs/spec-map.md 7.40; docs/api-conventions.md#mail; docs/interpretations.md#52). Calls that
 * write mail are in sending.ts; the settings of the spam filter are in security.ts.
 */
import { z } from 'zod';
import { defineCall } from '../core/call.ts';
import { email, unreadableMail } from '../core/email.ts';
import { dataOf } from '../core/envelope.ts';
import {
  base64,
  base64Bytes,
  base64Text,
  emailAddress,
  flag,
  id,
  idList,
  repeated,
  wholeNumber,
} from '../core/fields.ts';
import {
  EMAIL_IDS_PAGE_MAX,
  EMAILS_BY_ID_MAX,
  IMPORT_SUMMARY_B64_MAX_CHARACTERS,
  KEY_LOG_SIZE_MAX,
  KEYS_MAX,
  QUERY_COUNT_DEFAULT,
  QUERY_COUNT_MAX,
} from '../core/limits.ts';
import { rowIn, rowsOf } from '../core/rows.ts';
import { addressKeys, tagColor } from '../core/user.ts';
import { keyLogAnswer } from './key-log.ts';

/** Filters of a query. All are optional; an absent one does not filter. */
export const queryInput = z.object({
  count: wholeNumber(1, QUERY_COUNT_MAX).default(QUERY_COUNT_DEFAULT),
  skip: wholeNumber(0, 10_000_000).default(0),
  /** Messages to or from this one of the user's own addresses. */
  address: emailAddress.optional(),
  deleted: flag.optional(),
  draft: flag.optional(),
  flagged: flag.optional(),
  public: flag.optional(),
  sent: flag.optional(),
  starred: flag.optional(),
  archived: flag.optional(),
  read: flag.optional(),
  attachment: flag.optional(),
  snoozed: flag.optional(),
  scheduled: flag.optional(),
  /** Tag names; with several, a message must have all of them. */
  tag: repeated(z.string().min(1).max(64)).optional(),
  /** Base64 of the UTF-8 text to find in the addresses and names of the stored headers. */
  search: base64Text.optional(),
  /** Base64 of a Message-ID. */
  message_id: base64Text.optional(),
  threading: flag.optional(),
  /** Continue after this message; takes precedence over skip (docs/interpretations.md#56). */
  last_id: id.optional(),
  view: z.enum(['full', 'summary']).default('full'),
});

const updated = dataOf(z.object({ updated: z.number() }));
const flagInput = z.object({ email_id: idList, value: flag });

/** An unreadable time is no reason to leave a message out. */
function undatedId(row: unknown): [string, string] | null {
  const known = id.safeParse(Array.isArray(row) ? row[0] : null);
  return known.success ? [known.data, new Date().toISOString()] : null;
}

export const mailCalls = {
  query: defineCall({
    method: 'GET',
    path: '/user/query',
    access: 'user',
    about: 'A page of messages, newest first, with the total number of matches.',
    input: queryInput,
    output: z.object({
      data: rowsOf(email, unreadableMail),
      count: z.number(),
      cache_hit: z.boolean().default(false),
    }),
  }),
  one: defineCall({
    method: 'GET',
    path: '/user/email/:id',
    access: 'user',
    about: 'One message by its ID, including the body.',
    input: z.object({ id }),
    output: rowIn(dataOf(email), unreadableMail),
  }),
  some: defineCall({
    method: 'POST',
    path: '/user/emails',
    access: 'user',
    about: 'Messages by their IDs, newest first. Unknown IDs and those of other users are omitted.',
    input: z.object({
      ids: z.array(id).min(1).max(EMAILS_BY_ID_MAX),
      view: z.enum(['full', 'summary']).default('summary'),
    }),
    output: dataOf(rowsOf(email, unreadableMail)),
    // The response carries up to 16 MiB of sealed bodies.
    timeoutMs: 60_000,
    isRepeatable: true,
  }),
  ids: defineCall({
    method: 'GET',
    path: '/user/emails/ids',
    access: 'user',
    about:
      'The IDs and times of all messages of the mailbox, last stored first, for comparison with the search index of a client.',
    input: z.object({
      count: wholeNumber(1, EMAIL_IDS_PAGE_MAX).default(EMAIL_IDS_PAGE_MAX),
      /** Continue after this id, even if it no longer exists. */
      last_id: id.optional(),
    }),
    output: z.object({ data: rowsOf(z.tuple([id, z.string()]), undatedId), count: z.number() }),
  }),
  check_new: defineCall({
    method: 'GET',
    path: '/user/check_new',
    access: 'user',
    about:
      'How many unread messages arrived since last_check, an opaque value of an earlier response; 0 without it.',
    input: z.object({ last_check: z.string().max(64).optional() }),
    output: z.object({ last_check: z.string(), has_new_emails: z.boolean(), new_email_count: z.number() }),
  }),
  unread_count: defineCall({
    method: 'GET',
    path: '/user/emails/unread/count',
    access: 'user',
    about: 'Number of unread received messages that are not deleted or flagged.',
    input: z.object({}),
    output: dataOf(z.object({ count: z.number() })),
  }),
  counts: defineCall({
    method: 'GET',
    path: '/user/counts',
    access: 'user',
    about: 'Total and unread messages of every folder and tag, the colors of tags, and the bytes in use.',
    input: z.object({}),
    output: dataOf(
      z.object({
        folders: z.record(z.string(), z.object({ total: z.number(), unread: z.number() })),
        /** Includes the tag's color, so that clients notice color changes too. */
        tags: z.record(z.string(), z.object({ total: z.number(), unread: z.number(), color: tagColor })),
        /** Bytes that currently count against the quota. */
        storage_used: z.number(),
        /** Mailbox version that these numbers reflect at least; events carry it too. */
        version: z.number(),
      }),
    ),
  }),
  read: defineCall({
    method: 'POST',
    path: '/user/read',
    access: 'user',
    about: 'Marks messages read or unread. All or nothing.',
    input: flagInput,
    output: updated,
    isRepeatable: true,
  }),
  star: defineCall({
    method: 'POST',
    path: '/user/star',
    access: 'user',
    about: 'Adds or removes the star of messages. All or nothing.',
    input: flagInput,
    output: updated,
    isRepeatable: true,
  }),
  archive: defineCall({
    method: 'POST',
    path: '/user/archive',
    access: 'user',
    about: 'Archives messages or moves them back. All or nothing.',
    input: flagInput,
    output: updated,
    isRepeatable: true,
  }),
  flag: defineCall({
    method: 'POST',
    path: '/user/flag',
    access: 'user',
    about: 'Marks messages as spam (flagged) or not spam. All or nothing.',
    input: flagInput,
    output: updated,
    isRepeatable: true,
  }),
  clear_flagged: defineCall({
    method: 'POST',
    path: '/user/clear_flagged',
    access: 'user',
    about: 'Moves all flagged messages to Deleted, where they stay for 30 days.',
    input: z.object({}),
    output: updated,
    timeoutMs: 60_000,
  }),
  snooze: defineCall({
    method: 'POST',
    path: '/user/snooze',
    access: 'user',
    about: 'Snoozes messages until a time, when they return to the top, unread. null ends the snooze now.',
    input: z.object({ email_id: idList, until: z.iso.datetime().nullable() }),
    output: updated,
    isRepeatable: true,
  }),
  remove: defineCall({
    method: 'POST',
    path: '/user/delete',
    access: 'user',
    about:
      'Moves messages to Deleted for 30 days. Drafts and messages already in Deleted are deleted permanently. With `recoverable`, nothing is deleted permanently: drafts are moved too, and messages already in Deleted stay unchanged.',
    input: z.object({ email_id: idList, recoverable: z.literal(true).optional() }),
    output: updated,
    isRepeatable: 'recoverable',
  }),
  restore: defineCall({
    method: 'POST',
    path: '/user/restore',
    access: 'user',
    about: 'Restores messages from Deleted.',
    input: z.object({ email_id: idList }),
    output: updated,
    isRepeatable: true,
  }),
  rewrap: defineCall({
    method: 'POST',
    path: '/user/rewrap',
    access: 'user',
    about:
      'Stores message keys that the caller wrapped again for messages already opened. Summaries then contain this wrapped key and no ciphertext; the full view contains the one of the sender. A key wrapped under earlier keys of the caller is replaced if it has this `binding`. All or nothing. 409 if the current keys are not `key_used`.',
    input: z.object({
      wraps: z
        .array(
          z.object({
            email_id: id,
            encrypted_key: base64Bytes(12 + 32 + 16),
            salt: base64Bytes(32),
            key_used: base64Bytes(20),
            binding: base64Bytes(32).optional(),
          }),
        )
        .min(1)
        .max(QUERY_COUNT_MAX),
    }),
    output: updated,
  }),
  mend_summary: defineCall({
    method: 'POST',
    path: '/user/mend_summary',
    access: 'user',
    about:
      'Replaces the encrypted summary of a received message with one that the reader made from its content, encrypted with the same message key. Applies only while the stored summary has the SHA-256 `was`; otherwise `updated` is 0, because another device was first.',
    input: z.object({
      email_id: id,
      summary: base64(IMPORT_SUMMARY_B64_MAX_CHARACTERS),
      was: base64Bytes(32),
    }),
    output: updated,
  }),
  keys: defineCall({
    method: 'POST',
    path: '/user/keys',
    access: 'user',
    about:
      'The public keys of addresses, in the requested order. An address without an account on this service is `plaintext`, and also `unknown` if this service hosts its domain and no account receives its mail. `log` proves the results by the key log, which must extend the log of size `log_size`.',
    input: z.object({
      users: z.array(emailAddress).min(1).max(KEYS_MAX),
      log_size: wholeNumber(1, KEY_LOG_SIZE_MAX).optional(),
    }),
    output: z.object({ data: z.array(addressKeys), log: keyLogAnswer }),
    isRepeatable: true,
  }),
} as const;
