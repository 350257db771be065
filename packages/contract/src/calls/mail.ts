/**
 * The mail entity and the calls that read and flag mail (docs/spec-map.md 3.10, 3.23, 7.40,
 * docs/api-conventions.md#mail). Calls that write mail are in sending.ts.
 */
import { z } from 'zod';
import { defineCall } from '../core/call.ts';
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

/** Stored message as returned to its reader. Binary values are base64; absent ones are null. */
export const email = z.object({
  id,
  /**
   * Sealed payload, base64(IV16 || AES-256-CBC); absent with view=summary, and once a page holds 16
   * MiB of bodies.
   */
  body: z.string().nullable().optional(),
  /** Sealed summary, base64(IV12 || AES-256-GCM) (docs/wire-format.md#summaries). */
  summary: z.string().nullable(),
  /**
   * SHA-256(IV || ciphertext) of the body, so that a summary opens without the body. When the body
   * is opened, its own hash takes precedence.
   */
  binding: z.string().nullable(),
  ciphertext: z.string().nullable(),
  encrypted_key: z.string().nullable(),
  dh_public: z.string().nullable(),
  salt: z.string().nullable(),
  key_used: z.string().nullable(),
  headers: z.string(),
  from: z.string(),
  message_id: z.string(),
  thread_id: z.string(),
  /** Number of messages in the conversation; only with threading=true. */
  thread_count: z.number().optional(),
  /** Whether any message in the conversation has files; only with threading=true. */
  thread_files: z.boolean().optional(),
  tags: z.array(z.string()),
  sent: z.boolean(),
  read: z.boolean(),
  starred: z.boolean(),
  flagged: z.boolean(),
  archived: z.boolean(),
  deleted: z.boolean(),
  deleted_at: z.string().nullable(),
  draft: z.boolean(),
  alert: z.boolean(),
  /**
   * Whether the message came from or went to an external address, so its sender did not seal it
   * (docs/interpretations.md#53).
   */
  public: z.boolean(),
  /** Hidden until snoozed_until. */
  snoozed: z.boolean(),
  snoozed_until: z.string().nullable(),
  /** Sent, but held until send_at: within the undo window, or until the time the sender chose. */
  scheduled: z.boolean(),
  send_at: z.string().nullable(),
  /**
   * When the message was received or written. Lists are newest first; a message that returned from
   * snoozing sorts by the time it returned.
   */
  received_at: z.string(),
  /** Bytes that count against the quota: the sealed body and its encrypted blobs. */
  size: z.number(),
  attachments: z.array(z.object({ id, size: z.number() })),
});
export type Email = z.infer<typeof email>;

let nameless = 0;

/**
 * Returns the placeholder for a row that does not parse: its id and time if present, and nothing
 * that could be opened or trusted.
 */
function unreadableMail(row: unknown): Email {
  const given = (typeof row === 'object' && row !== null ? row : {}) as Partial<Record<keyof Email, unknown>>;
  const known = email.shape.id.safeParse(given.id);
  nameless += known.success ? 0 : 1;
  const own = known.success ? known.data : `unreadable-${nameless}`;
  const is = (name: keyof Email): boolean => given[name] === true;
  const time = Date.parse(String(given.received_at));
  return {
    id: own,
    summary: null,
    binding: null,
    ciphertext: null,
    encrypted_key: null,
    dh_public: null,
    salt: null,
    key_used: null,
    headers: '',
    from: '',
    message_id: '',
    thread_id: own,
    tags: [],
    sent: false,
    read: is('read'),
    starred: is('starred'),
    flagged: is('flagged'),
    archived: is('archived'),
    deleted: is('deleted'),
    deleted_at: null,
    draft: false,
    alert: false,
    public: false,
    snoozed: false,
    snoozed_until: null,
    scheduled: false,
    send_at: null,
    received_at: new Date(Number.isNaN(time) ? 0 : time).toISOString(),
    size: 0,
    attachments: [],
  };
}

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

const marked = dataOf(z.object({ updated: z.number() }));
const markInput = z.object({ email_id: idList, value: flag });

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
    input: markInput,
    output: marked,
    isRepeatable: true,
  }),
  star: defineCall({
    method: 'POST',
    path: '/user/star',
    access: 'user',
    about: 'Adds or removes the star of messages. All or nothing.',
    input: markInput,
    output: marked,
    isRepeatable: true,
  }),
  archive: defineCall({
    method: 'POST',
    path: '/user/archive',
    access: 'user',
    about: 'Archives messages or moves them back. All or nothing.',
    input: markInput,
    output: marked,
    isRepeatable: true,
  }),
  remove: defineCall({
    method: 'POST',
    path: '/user/delete',
    access: 'user',
    about:
      'Moves messages to Deleted for 30 days. Drafts and messages already in Deleted are deleted permanently. With `recoverable`, nothing is deleted permanently: drafts are moved too, and messages already in Deleted stay unchanged.',
    input: z.object({ email_id: idList, recoverable: z.literal(true).optional() }),
    output: marked,
    isRepeatable: 'recoverable',
  }),
  restore: defineCall({
    method: 'POST',
    path: '/user/restore',
    access: 'user',
    about: 'Restores messages from Deleted.',
    input: z.object({ email_id: idList }),
    output: marked,
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
    output: marked,
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
    output: marked,
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
