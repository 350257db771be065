/**
 * The mail entity and the calls that read and mark mail (docs/spec-map.md 3.10, 3.23, 7.40, docs/api-conventions.md#mail).
 * Writing mail is in sending.ts.
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

/** A stored mail as its reader gets it. Binary values are base64; absent ones are null. */
export const email = z.object({
  id,
  /** Sealed payload, base64(IV16 || AES-256-CBC); absent with view=summary, and after 16 MiB of bodies in one page. */
  body: z.string().nullable().optional(),
  /** Sealed summary, base64(IV12 || AES-256-GCM) (docs/wire-format.md#summaries). */
  summary: z.string().nullable(),
  /** SHA-256(IV || ciphertext) of the body, so that a summary opens without it; the body's own hash wins when opened. */
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
  /** With threading=true alone: how many mails the conversation has. */
  thread_count: z.number().optional(),
  /** With threading=true alone: whether any of them has files. */
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
  /** Whether the mail came from or went to the outside: its sender did not seal it (docs/interpretations.md#53). */
  public: z.boolean(),
  /** Out of sight until snoozed_until. */
  snoozed: z.boolean(),
  snoozed_until: z.string().nullable(),
  /** Sent, but held until send_at: within the undo window, or for the time that its sender chose. */
  scheduled: z.boolean(),
  send_at: z.string().nullable(),
  /** When it was received, or written. Lists are newest first but for what woke from snoozing, which stands at that time. */
  received_at: z.string(),
  /** Bytes that count against the quota: the sealed body and its containers. */
  size: z.number(),
  attachments: z.array(z.object({ id, size: z.number() })),
});
export type Email = z.infer<typeof email>;

let nameless = 0;

/** In place of a row that does not parse: its id and time if it has them, and nothing that could be opened or believed. */
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

/** The filters of a query, all optional; an absent one does not filter. */
export const queryInput = z.object({
  count: wholeNumber(1, QUERY_COUNT_MAX).default(QUERY_COUNT_DEFAULT),
  skip: wholeNumber(0, 10_000_000).default(0),
  /** Mail to or from this one of the user's own addresses. */
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
  /** Tag names; several mean all of them. */
  tag: repeated(z.string().min(1).max(64)).optional(),
  /** Base64 of UTF-8 text to find in the addresses and names of the stored headers. */
  search: base64Text.optional(),
  /** Base64 of a Message-ID. */
  message_id: base64Text.optional(),
  threading: flag.optional(),
  /** Continue after this mail; wins over skip (docs/interpretations.md#56). */
  last_id: id.optional(),
  view: z.enum(['full', 'summary']).default('full'),
});

const marked = dataOf(z.object({ updated: z.number() }));
const markInput = z.object({ email_id: idList, value: flag });

/** A time that cannot be read is no reason to leave a mail out. */
function undatedId(row: unknown): [string, string] | null {
  const known = id.safeParse(Array.isArray(row) ? row[0] : null);
  return known.success ? [known.data, new Date().toISOString()] : null;
}

export const mailCalls = {
  query: defineCall({
    method: 'GET',
    path: '/user/query',
    access: 'user',
    about: 'A page of mail, newest first, with the number of all that match.',
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
    about: 'One mail by its id, body included.',
    input: z.object({ id }),
    output: rowIn(dataOf(email), unreadableMail),
  }),
  some: defineCall({
    method: 'POST',
    path: '/user/emails',
    access: 'user',
    about:
      "Mails by their ids, newest first; ids that are not the caller's, or not there any more, are left out.",
    input: z.object({
      ids: z.array(id).min(1).max(EMAILS_BY_ID_MAX),
      view: z.enum(['full', 'summary']).default('summary'),
    }),
    output: dataOf(rowsOf(email, unreadableMail)),
    // Up to 16 MiB of sealed bodies.
    timeoutMs: 60_000,
    isRepeatable: true,
  }),
  ids: defineCall({
    method: 'GET',
    path: '/user/emails/ids',
    access: 'user',
    about:
      'The ids of all mails of the mailbox with their times, last stored first: what a client compares its search index with.',
    input: z.object({
      count: wholeNumber(1, EMAIL_IDS_PAGE_MAX).default(EMAIL_IDS_PAGE_MAX),
      /** Continue after this id, whether or not it is still there. */
      last_id: id.optional(),
    }),
    output: z.object({ data: rowsOf(z.tuple([id, z.string()]), undatedId), count: z.number() }),
  }),
  check_new: defineCall({
    method: 'GET',
    path: '/user/check_new',
    access: 'user',
    about:
      'How many mails arrived since last_check, an opaque value of an earlier answer, and wait to be looked at; without it: none.',
    input: z.object({ last_check: z.string().max(64).optional() }),
    output: z.object({ last_check: z.string(), has_new_emails: z.boolean(), new_email_count: z.number() }),
  }),
  unread_count: defineCall({
    method: 'GET',
    path: '/user/emails/unread/count',
    access: 'user',
    about: 'How many received mails are unread: not sent, deleted, draft or flagged.',
    input: z.object({}),
    output: dataOf(z.object({ count: z.number() })),
  }),
  counts: defineCall({
    method: 'GET',
    path: '/user/counts',
    access: 'user',
    about: 'Total and unread mails of every folder and tag, the colours of tags, and the bytes in use.',
    input: z.object({}),
    output: dataOf(
      z.object({
        folders: z.record(z.string(), z.object({ total: z.number(), unread: z.number() })),
        /** With the tag's colour, so that a change of it is heard of as well. */
        tags: z.record(z.string(), z.object({ total: z.number(), unread: z.number(), color: tagColor })),
        /** Bytes that count against the quota now. */
        storage_used: z.number(),
        /** The mailbox's version that these numbers know of, at least; events carry it too. */
        version: z.number(),
      }),
    ),
  }),
  read: defineCall({
    method: 'POST',
    path: '/user/read',
    access: 'user',
    about: 'Marks mails read or unread; all or nothing.',
    input: markInput,
    output: marked,
    isRepeatable: true,
  }),
  star: defineCall({
    method: 'POST',
    path: '/user/star',
    access: 'user',
    about: 'Stars mails or takes the star away; all or nothing.',
    input: markInput,
    output: marked,
    isRepeatable: true,
  }),
  archive: defineCall({
    method: 'POST',
    path: '/user/archive',
    access: 'user',
    about: 'Archives mails or takes them back; all or nothing.',
    input: markInput,
    output: marked,
    isRepeatable: true,
  }),
  remove: defineCall({
    method: 'POST',
    path: '/user/delete',
    access: 'user',
    about:
      'Moves mails to Deleted for 30 days; one that is there already, or a draft, is removed for good. With `recoverable` nothing is: a draft is moved too, and what is there already stays as it is.',
    input: z.object({ email_id: idList, recoverable: z.literal(true).optional() }),
    output: marked,
    isRepeatable: 'recoverable',
  }),
  restore: defineCall({
    method: 'POST',
    path: '/user/restore',
    access: 'user',
    about: 'Takes mails back from Deleted.',
    input: z.object({ email_id: idList }),
    output: marked,
    isRepeatable: true,
  }),
  rewrap: defineCall({
    method: 'POST',
    path: '/user/rewrap',
    access: 'user',
    about:
      "Keeps message keys wrapped for oneself beside mails already opened: summaries then carry that wrap and no ciphertext, the full view the sender's. One that was wrapped for oneself under earlier keys is replaced while it has this `binding`. All or nothing; 409 when other keys than `key_used` are in use.",
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
      'Replaces the sealed summary of a received mail by one that its reader made of what the mail says, sealed under the same message key. Only while the stored one has the SHA-256 `was`; otherwise `updated` is 0, and another device was first.',
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
      'The public keys of addresses, in the order asked; an address without an account here is plaintext, and `unknown` too where its domain is kept here and nobody takes its mail. `log` proves both by the key log, which must have grown out of the one of size `log_size`.',
    input: z.object({
      users: z.array(emailAddress).min(1).max(KEYS_MAX),
      log_size: wholeNumber(1, KEY_LOG_SIZE_MAX).optional(),
    }),
    output: z.object({ data: z.array(addressKeys), log: keyLogAnswer }),
    isRepeatable: true,
  }),
} as const;
