/**
 * Kysely types of the tables, one type per table; the migrations are the source of truth. Binary
 * values are bytea. The primary key of every table with user data starts with user_id, so that
 * users can be distributed over machines (docs/storage.md).
 */
import type { ColumnType, Generated } from 'kysely';
import type { AccessTables } from './access-tables.ts';
import type { BillingTables } from './billing-tables.ts';
import type { CertificateTables } from './certificate-tables.ts';
import type { ConsoleTables } from './console-tables.ts';
import type { ContainerTables } from './container-tables.ts';
import type { ImportTables } from './import-tables.ts';
import type { OperationsTables } from './operations-tables.ts';
import type { OrganizationTables } from './organization-tables.ts';
import type { PushTables } from './push-tables.ts';
import type { TransferTables } from './transfer-tables.ts';

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
  organization_joined: WithDefault<number>;
  /** When the first contact granted extra storage; null until then. */
  first_contact_at: InstantOrNull;
  created_at: Generated<Date>;
  last_active_at: InstantOrNull;
};

export type AddressesTable = {
  address: string;
  user_id: string;
  /** The main address: shown, and used by default. */
  is_primary: boolean;
  /** The owner's label for the address, sealed under the master key; null if there is none. */
  label_sealed: WithDefault<Buffer | null>;
  /** Whether the address receives mail. */
  is_on: WithDefault<boolean>;
  /**
   * Whether new messages are sent from this address; if none is marked, the main address is the
   * default.
   */
  is_default: WithDefault<boolean>;
  created_at: Generated<Date>;
};

/** A claim to a domain. The domain belongs to the user with the verified claim. */
export type DomainsTable = {
  user_id: string;
  domain: string;
  /** The required value of the ownership record. */
  token: string;
  is_primary: WithDefault<boolean>;
  /** The owner's address that receives mail to unknown addresses; empty if off. */
  catchall: WithDefault<string>;
  verified_at: InstantOrNull;
  /** Since when the ownership record of a verified domain has been missing. */
  missing_since: InstantOrNull;
  checked_at: InstantOrNull;
  next_check_at: Instant;
  /** Whether all required records were present at the last check; null before the first. */
  is_healthy: WithDefault<boolean | null>;
  /** Result of the last check (features/organization/domains/findings.ts). */
  findings: ColumnType<unknown, string | null | undefined, string | null>;
  created_at: Generated<Date>;
};

/** Written only by triggers ([Note: Former addresses]). */
export type FormerAddressesTable = {
  /** SHA-256 of the address. */
  digest: Buffer;
  /** The user allowed to claim the address again; null once the account is deleted. */
  user_id: string | null;
  given_up_at: Generated<Date>;
};

export type MailboxesTable = {
  user_id: string;
  used_bytes: WithDefault<number>;
  /** Increases with every change to the mailbox. */
  version: WithDefault<number>;
  /** arrived_at of the newest message; no two messages of a mailbox share one. */
  last_arrival: WithDefault<Date>;
  /** Total number of messages sent. */
  sent_emails: WithDefault<number>;
};

export type MailsTable = {
  user_id: string;
  id: string;
  /** Bitmask of base/flags.ts. */
  flags: number;
  /** Position in lists: when the message was received or moved to the top. */
  received_at: Instant;
  /** When a message that was moved was received ([Note: Place and reception]); null otherwise. */
  first_received_at: InstantOrNull;
  arrived_at: Instant;
  thread_id: string;
  message_id: string;
  from_address: string;
  /** The user's own address to which the message was delivered or from which it was sent. */
  own_address: string;
  headers: string;
  /** Names and addresses of From, To and Cc, as folded by features/mailbox/messages/people.ts. */
  people: WithDefault<string>;
  summary: Buffer | null;
  binding: Buffer;
  ciphertext: Buffer | null;
  encrypted_key: Buffer | null;
  dh_public: Buffer | null;
  salt: Buffer | null;
  key_used: string | null;
  /**
   * The message key wrapped under the owner's sent_key, once the owner has opened the message; and
   * its salt.
   */
  own_key: WithDefault<Buffer | null>;
  own_salt: WithDefault<Buffer | null>;
  /** The keys it is wrapped under; null means those of key_used. */
  own_key_used: WithDefault<string | null>;
  is_alert: WithDefault<boolean>;
  size_bytes: number;
  /** When a deleted message will be purged. */
  deleted_at: InstantOrNull;
  /** Until when the message is snoozed; null if it is not. */
  snoozed_until: InstantOrNull;
  /** When a held message will be sent; null once it has been sent. */
  send_at: InstantOrNull;
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
  /** Number of recipients, excluding the sender's own copy. */
  recipients: WithDefault<number>;
  created_at: Generated<Date>;
};

/** See [Note: Held sends] in migrations/0006-held-sends.ts. */
export type HeldSendsTable = {
  user_id: string;
  mail_id: string;
  due_at: Instant;
  /** The header block that recipients receive, without hidden headers. */
  headers: string;
  /** IDs of the messages this one replies to, oldest first. */
  message_references: string[];
  /** The row in outbound_messages; null if there are no external recipients. */
  outbound_id: string | null;
  /** The sibling copy of the same message, which is recalled with it. */
  twin_id: string | null;
  created_at: Generated<Date>;
};

export type HeldCopiesTable = {
  user_id: string;
  mail_id: string;
  place: number;
  reader_id: string;
  /** The reader's address that the message is delivered to. */
  address: string;
  ciphertext: Buffer | null;
  encrypted_key: Buffer;
  dh_public: Buffer | null;
  salt: Buffer;
  key_used: string;
};

export type HeldRecipientsTable = {
  message_id: string;
  id: string;
  domain_digest: Buffer;
  envelope_sealed: Buffer;
};

export type SignaturesTable = {
  user_id: string;
  id: string;
  /** Sealed under the master key: name, HTML and text. */
  content_sealed: Buffer;
  is_default: boolean;
  created_at: Generated<Date>;
};

export type RecordsTable = {
  user_id: string;
  kind: string;
  id: string;
  version: number;
  /** Sealed by the client. */
  sealed: Buffer;
  size_bytes: number;
  /** The keys it is sealed under, as the client that wrote it named them. */
  key_used: string;
  updated_at: Instant;
};

/** External messages per day (UTC), for users whose plan includes these statistics. */
export type ArrivalCountsTable = {
  user_id: string;
  /** YYYY-MM-DD. */
  day: ColumnType<Date, string, never>;
  flagged_by_sender: number;
  flagged_by_rule: number;
  flagged_by_score: number;
  proved: number;
  unproved: number;
  disproved: number;
};

export type MailFiltersTable = {
  user_id: string;
  /** Increases with every change. */
  version: WithDefault<number>;
  /** Rules as JSON, sealed under the master key; null if none were saved. */
  rules_sealed: WithDefault<Buffer | null>;
  /** Spam settings and lists of senders as JSON, sealed under the master key. */
  settings_sealed: WithDefault<Buffer | null>;
  settings_updated_at: InstantOrNull;
};

export type ContactsTable = {
  user_id: string;
  /** The contact's address, normalized. */
  email: string;
  name: string;
  /** The contact's keys when the contact was added or its keys were last accepted. */
  mlkem_public: Buffer;
  dh_public: Buffer;
  fingerprint: string;
  verified: boolean;
  created_at: Generated<Date>;
};

export type ShareCodesTable = {
  code_hash: Buffer;
  user_id: string;
  expires_at: Instant;
  /** Until when a used code is kept, to report that it was used; null while it is unused. */
  kept_until: InstantOrNull;
};

export type DomainKeysTable = {
  domain: string;
  selector: string;
  /** PKCS#8 DER sealed under the master key. */
  private_key_sealed: Buffer;
  public_key: string;
  /**
   * When the record of a user's domain was first seen published; null before that, and for the
   * service's own domains.
   */
  seen_at: InstantOrNull;
  created_at: Generated<Date>;
};

export type EventAnswersTable = {
  /** The organizer. */
  user_id: string;
  /** Keyed digests of the event's UID and of the guest. */
  event_digest: Buffer;
  guest_digest: Buffer;
  sequence: number;
  response: WithDefault<'accepted' | 'declined' | 'tentative' | null>;
  /** How often the reply was given or changed. */
  changes: WithDefault<number>;
  answered_at: InstantOrNull;
  expires_at: Instant;
};

/** Changed names that are not in the key log yet. */
export type KeyLogNotesTable = { id: Generated<number>; name: string };

export type KeyLogEntriesTable = {
  /** SHA-256 of the name: an address, or `*@domain`. */
  tag: Buffer;
  version: number;
  /** The previous entry. */
  previous: Buffer;
  entry: Buffer;
  /** Hash of the keys; zeros if there are no keys anymore. */
  keys: Buffer;
};

export type KeyLogVersionsTable = { tag: Buffer; version: number; keys: Buffer; changed_at: Instant };

export type KeyLogMapTable = {
  /** The path from the root as 0s and 1s. */
  prefix: string;
  /** Hashes of a node's two children; null for a leaf. */
  left_hash: Buffer | null;
  right_hash: Buffer | null;
  /** A leaf's tag and entry; null for an inner node. */
  tag: Buffer | null;
  entry: Buffer | null;
};

export type KeyLogTreeTable = { level: number; place: number; hash: Buffer };

export type KeyLogHeadsTable = {
  size: number;
  root: Buffer;
  map_root: Buffer;
  /** Depth of the map's deepest leaf. */
  depth: number;
  made_at: Instant;
};

export type CaptchasUsedTable = { nonce: string; expires_at: Instant };

type TablesElsewhere = AccessTables &
  BillingTables &
  CertificateTables &
  ConsoleTables &
  ContainerTables &
  ImportTables &
  OperationsTables &
  OrganizationTables &
  PushTables &
  TransferTables;

export type Tables = TablesElsewhere & {
  users: UsersTable;
  addresses: AddressesTable;
  former_addresses: FormerAddressesTable;
  domains: DomainsTable;
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
  held_sends: HeldSendsTable;
  held_copies: HeldCopiesTable;
  held_recipients: HeldRecipientsTable;
  signatures: SignaturesTable;
  records: RecordsTable;
  mail_filters: MailFiltersTable;
  arrival_counts: ArrivalCountsTable;
  contacts: ContactsTable;
  share_codes: ShareCodesTable;
  domain_keys: DomainKeysTable;
  event_answers: EventAnswersTable;
  key_log_notes: KeyLogNotesTable;
  key_log_entries: KeyLogEntriesTable;
  key_log_versions: KeyLogVersionsTable;
  key_log_map: KeyLogMapTable;
  key_log_tree: KeyLogTreeTable;
  key_log_heads: KeyLogHeadsTable;
  captchas_used: CaptchasUsedTable;
};
