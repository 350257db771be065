/**
 * The tables as Kysely types, one type per table; the migrations are their source. Binary values are bytea. Every table
 * that a user owns starts its primary key with user_id, so that users can be spread over machines (docs/storage.md).
 */
import type { ColumnType, Generated } from 'kysely';

type Instant = ColumnType<Date, Date | string, Date | string>;
type InstantOrNull = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
type WithDefault<T> = ColumnType<T, T | undefined, T>;

export type UsersTable = {
  id: string;
  kdf_email: string;
  email: string;
  name: string;
  login_hash: string;
  main_key: ColumnType<import('@keyfold/contract').MainKey, string, string>;
  plan: WithDefault<'free' | 'plus' | 'pro'>;
  is_admin: WithDefault<boolean>;
  admin_level: WithDefault<'readonly' | 'standard' | 'super' | null>;
  status: WithDefault<'active' | 'suspended'>;
  bonus_bytes: WithDefault<number>;
  affiliate_code: WithDefault<string | null>;
  created_at: Generated<Date>;
  last_active_at: InstantOrNull;
};

export type AddressesTable = {
  address: string;
  user_id: string;
  is_primary: boolean;
  created_at: Generated<Date>;
};

export type SessionsTable = {
  token_hash: Buffer;
  user_id: string;
  /** client_key sealed with a key derived from the token, so that a copied database opens no stored vault. */
  client_key_sealed: Buffer;
  family_id: WithDefault<string | null>;
  user_agent: WithDefault<string>;
  created_at: Generated<Date>;
  last_used_at: WithDefault<Date>;
  expires_at: Instant;
};

export type DevicesTable = {
  token_hash: Buffer;
  family_id: string;
  user_id: string;
  client_key_sealed: Buffer;
  created_at: Generated<Date>;
  expires_at: Instant;
  /** When the token was used and replaced; a second use ends the family. */
  replaced_at: InstantOrNull;
};

export type MailboxesTable = {
  user_id: string;
  used_bytes: WithDefault<number>;
  /** Grows with every change of the mailbox. */
  version: WithDefault<number>;
  /** arrived_at of the youngest mail; arrivals of a mailbox never share one. */
  last_arrival: WithDefault<Date>;
};

export type MailsTable = {
  user_id: string;
  id: string;
  /** Bitmask of features/mailbox/flags.ts. */
  flags: number;
  received_at: Instant;
  arrived_at: Instant;
  thread_id: string;
  message_id: string;
  from_address: string;
  /** The user's own address that the mail came to or was sent from. */
  own_address: string;
  headers: string;
  /** Names and addresses of From, To and Cc as features/mailbox/people.ts folds them. */
  people: WithDefault<string>;
  summary: Buffer | null;
  binding: Buffer;
  ciphertext: Buffer | null;
  encrypted_key: Buffer | null;
  dh_public: Buffer | null;
  salt: Buffer | null;
  key_used: string | null;
  /** The message key wrapped under the owner's sent_key, once the owner has opened the mail; and its salt. */
  own_key: WithDefault<Buffer | null>;
  own_salt: WithDefault<Buffer | null>;
  is_alert: WithDefault<boolean>;
  size_bytes: number;
  /** When a deleted mail is purged. */
  deleted_at: InstantOrNull;
};

export type MailBodiesTable = { user_id: string; mail_id: string; body: Buffer };

export type MailCountsTable = { user_id: string; tag_id: string; flags: number; total: number };

export type TagsTable = { user_id: string; id: string; name: string; color: string };

export type MailTagsTable = {
  user_id: string;
  mail_id: string;
  tag_id: string;
  flags: number;
  received_at: Instant;
};

export type BlobsTable = { id: string; size_bytes: number; created_at: Generated<Date> };

export type MailAttachmentsTable = { user_id: string; mail_id: string; blob_id: string; size_bytes: number };

export type InboundReceiptsTable = { user_id: string; digest: Buffer; created_at: Generated<Date> };

export type SendReceiptsTable = {
  user_id: string;
  idempotency_key: string;
  request_digest: Buffer;
  mail_id: string;
  message_id: string;
  created_at: Generated<Date>;
};

export type OutboundMessagesTable = {
  id: string;
  user_id: string;
  /** Sealed under the master key: the message as it goes out. */
  message_sealed: Buffer;
  created_at: Generated<Date>;
};

export type OutboundRecipientsTable = {
  message_id: string;
  id: string;
  /** Keyed hash of the recipient's domain: groups deliveries without naming it. */
  domain_digest: Buffer;
  /** Sealed under the master key: envelope sender and recipient. */
  envelope_sealed: Buffer;
  attempts: WithDefault<number>;
  next_attempt_at: Instant;
  leased_until: InstantOrNull;
  created_at: Generated<Date>;
};

export type DomainKeysTable = {
  domain: string;
  selector: string;
  /** PKCS#8 DER sealed under the master key. */
  private_key_sealed: Buffer;
  public_key: string;
  created_at: Generated<Date>;
};

export type CaptchasUsedTable = { nonce: string; expires_at: Instant };

export type Tables = {
  users: UsersTable;
  addresses: AddressesTable;
  sessions: SessionsTable;
  devices: DevicesTable;
  mailboxes: MailboxesTable;
  mails: MailsTable;
  mail_bodies: MailBodiesTable;
  mail_counts: MailCountsTable;
  tags: TagsTable;
  mail_tags: MailTagsTable;
  blobs: BlobsTable;
  mail_attachments: MailAttachmentsTable;
  inbound_receipts: InboundReceiptsTable;
  send_receipts: SendReceiptsTable;
  outbound_messages: OutboundMessagesTable;
  outbound_recipients: OutboundRecipientsTable;
  domain_keys: DomainKeysTable;
  captchas_used: CaptchasUsedTable;
};
