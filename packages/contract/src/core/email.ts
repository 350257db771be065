/**
 * A stored message as the server returns it (docs/spec-map.md 3.10, 3.23), and the placeholder for
 * one that does not parse.
 */
import { z } from 'zod';
import { id } from './fields.ts';

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
export function unreadableMail(row: unknown): Email {
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
