/**
 * The tables as Kysely types, one type per table; the migrations are their source. Binary values are bytea. Every table
 * that a user owns starts its primary key with user_id, so that users can be spread over machines (docs/storage.md).
 */
import type { ColumnType, Generated } from 'kysely';
import type { AccessTables } from './access-tables.ts';
import type { BillingTables } from './billing-tables.ts';
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
  /** When the first contact brought extra storage; null while none did. */
  first_contact_at: InstantOrNull;
  created_at: Generated<Date>;
  last_active_at: InstantOrNull;
};

export type AddressesTable = {
  address: string;
  user_id: string;
  /** The main address: shown, and used where nothing else is said. */
  is_primary: boolean;
  /** Sealed under the master key: the owner's own word for it; null when there is none. */
  label_sealed: WithDefault<Buffer | null>;
  /** Whether it receives. */
  is_on: WithDefault<boolean>;
  /** Whether new letters come from it; without one the main address is it. */
  is_default: WithDefault<boolean>;
  created_at: Generated<Date>;
};

/** A claim to a domain; whose claim was proved, and no one else's, is the domain. */
export type DomainsTable = {
  user_id: string;
  domain: string;
  /** What the ownership record must say. */
  token: string;
  is_primary: WithDefault<boolean>;
  /** The owner's address that takes mail to unknown ones; empty when it is off. */
  catchall: WithDefault<string>;
  verified_at: InstantOrNull;
  /** Since when the ownership record of a proved domain has been gone. */
  missing_since: InstantOrNull;
  checked_at: InstantOrNull;
  next_check_at: Instant;
  /** Whether all required records were there at the last look; null before the first. */
  is_healthy: WithDefault<boolean | null>;
  /** What the last look found (features/organization/domains/findings.ts). */
  findings: ColumnType<unknown, string | null | undefined, string | null>;
  created_at: Generated<Date>;
};

/** Written by triggers alone ([Note: Former addresses]). */
export type FormerAddressesTable = {
  /** SHA-256 of the address. */
  digest: Buffer;
  /** Who may take it again; null once the account is gone. */
  user_id: string | null;
  given_up_at: Generated<Date>;
};

export type MailboxesTable = {
  user_id: string;
  used_bytes: WithDefault<number>;
  /** Grows with every change of the mailbox. */
  version: WithDefault<number>;
  /** arrived_at of the youngest mail; arrivals of a mailbox never share one. */
  last_arrival: WithDefault<Date>;
  /** Letters that went out, ever. */
  sent_emails: WithDefault<number>;
};

export type MailsTable = {
  user_id: string;
  id: string;
  /** Bitmask of base/flags.ts. */
  flags: number;
  /** Where it stands in lists: when it was received, or was moved to the top. */
  received_at: Instant;
  /** When it was received, if it was moved ([Note: Place and reception]); null otherwise. */
  first_received_at: InstantOrNull;
  arrived_at: Instant;
  thread_id: string;
  message_id: string;
  from_address: string;
  /** The user's own address that the mail came to or was sent from. */
  own_address: string;
  headers: string;
  /** Names and addresses of From, To and Cc as features/mailbox/messages/people.ts folds them. */
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
  /** The keys it is wrapped under; those of key_used when null. */
  own_key_used: WithDefault<string | null>;
  is_alert: WithDefault<boolean>;
  size_bytes: number;
  /** When a deleted mail is purged. */
  deleted_at: InstantOrNull;
  /** Until when it is out of sight; null when it is not snoozed. */
  snoozed_until: InstantOrNull;
  /** When a held mail goes out; null when it has gone. */
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
  /** How many it went to, the sender's own copy not counted. */
  recipients: WithDefault<number>;
  created_at: Generated<Date>;
};

/** See [Note: Held sends] in migrations/0006-held-sends.ts. */
export type HeldSendsTable = {
  user_id: string;
  mail_id: string;
  due_at: Instant;
  /** The header block that readers get: without hidden ones. */
  headers: string;
  /** What the message answers, oldest first. */
  message_references: string[];
  /** Its message in outbound_messages; null when nobody outside gets it. */
  outbound_id: string | null;
  /** The other of the two copies of one letter, which is recalled with it. */
  twin_id: string | null;
  created_at: Generated<Date>;
};

export type HeldCopiesTable = {
  user_id: string;
  mail_id: string;
  place: number;
  reader_id: string;
  /** The reader's address that it goes to. */
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
  /** The keys it is sealed under, as its writer named them. */
  key_used: string;
  updated_at: Instant;
};

/** Mails from outside of one day (UTC), of a user whose plan shows them. */
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
  /** Grows with every change. */
  version: WithDefault<number>;
  /** Sealed under the master key: rules as JSON; null when none were saved. */
  rules_sealed: WithDefault<Buffer | null>;
  /** Sealed under the master key: spam settings and lists of senders as JSON. */
  settings_sealed: WithDefault<Buffer | null>;
  settings_updated_at: InstantOrNull;
};

export type ContactsTable = {
  user_id: string;
  /** The contact's address, normalised. */
  email: string;
  name: string;
  /** The keys as they were when the contact was added or last accepted. */
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
  /** Until when a used code is kept to say so; null while it was not used. */
  kept_until: InstantOrNull;
};

export type DomainKeysTable = {
  domain: string;
  selector: string;
  /** PKCS#8 DER sealed under the master key. */
  private_key_sealed: Buffer;
  public_key: string;
  /** Since when the record of a user's domain is published; null before that, and for the service's own domains. */
  seen_at: InstantOrNull;
  created_at: Generated<Date>;
};

export type EventAnswersTable = {
  /** The organiser. */
  user_id: string;
  /** Keyed digests of the event's UID and of the guest. */
  event_digest: Buffer;
  guest_digest: Buffer;
  sequence: number;
  response: WithDefault<'accepted' | 'declined' | 'tentative' | null>;
  /** How often the answer was given or changed. */
  changes: WithDefault<number>;
  answered_at: InstantOrNull;
  expires_at: Instant;
};

/** Names of the key log that changed and are not in it yet. */
export type KeyLogNotesTable = { id: Generated<number>; name: string };

export type KeyLogEntriesTable = {
  /** SHA-256 of the name: an address, or `*@domain`. */
  tag: Buffer;
  version: number;
  /** The entry before this one. */
  previous: Buffer;
  entry: Buffer;
  /** Hash of the keys; zeros when there are none any more. */
  keys: Buffer;
};

export type KeyLogVersionsTable = { tag: Buffer; version: number; keys: Buffer; changed_at: Instant };

export type KeyLogMapTable = {
  /** The way from the root as 0 and 1. */
  prefix: string;
  /** Of a node the hashes of its two sides; null for a leaf. */
  left_hash: Buffer | null;
  right_hash: Buffer | null;
  /** Of a leaf whose it is and its entry; null for a node. */
  tag: Buffer | null;
  entry: Buffer | null;
};

export type KeyLogTreeTable = { level: number; place: number; hash: Buffer };

export type KeyLogHeadsTable = {
  size: number;
  root: Buffer;
  map_root: Buffer;
  /** Of the map's deepest leaf. */
  depth: number;
  made_at: Instant;
};

export type CaptchasUsedTable = { nonce: string; expires_at: Instant };

type TablesElsewhere = AccessTables &
  BillingTables &
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
