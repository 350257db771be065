/**
 * The first tables: accounts, sessions, mailboxes, blobs, the outbound queue, keys of domains.
 *
 * [Note: Buckets] mails.flags is a bitmask, and mail_counts stores how many messages of a user (and
 * of each of the user's tags) have each exact mask; such a mask is a flag group. A query by any
 * combination of flags is a set of masks: its count is a sum over a few rows, and its page a merge
 * of one index range per mask. Neither grows with the mailbox. See docs/adr and
 * features/mailbox/messages.
 */
import { type Kysely, sql } from 'kysely';
import { hintStorage } from '../server-kind.ts';

const STATEMENTS = [
  `create table users (
    id uuid primary key,
    kdf_email text not null unique,
    email text not null,
    name text not null,
    login_hash text not null,
    main_key jsonb not null,
    plan text not null default 'free' check (plan in ('free', 'plus', 'pro')),
    is_admin boolean not null default false,
    admin_level text check (admin_level in ('readonly', 'standard', 'super')),
    status text not null default 'active' check (status in ('active', 'suspended')),
    bonus_bytes bigint not null default 0,
    affiliate_code text,
    created_at timestamptz not null default now(),
    last_active_at timestamptz
  )`,
  `create table addresses (
    address text primary key,
    user_id uuid not null,
    is_primary boolean not null,
    created_at timestamptz not null default now()
  )`,
  'create index addresses_by_user on addresses (user_id)',
  `create table sessions (
    token_hash bytea primary key,
    user_id uuid not null,
    client_key_sealed bytea not null,
    family_id uuid,
    user_agent text not null default '',
    created_at timestamptz not null default now(),
    last_used_at timestamptz not null default now(),
    expires_at timestamptz not null
  )`,
  'create index sessions_by_user on sessions (user_id)',
  'create index sessions_by_expiry on sessions (expires_at)',
  `create table devices (
    token_hash bytea primary key,
    family_id uuid not null,
    user_id uuid not null,
    client_key_sealed bytea not null,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    replaced_at timestamptz
  )`,
  'create index devices_by_family on devices (family_id)',
  'create index devices_by_user on devices (user_id)',
  'create index devices_by_expiry on devices (expires_at)',
  `create table mailboxes (
    user_id uuid primary key,
    used_bytes bigint not null default 0,
    version bigint not null default 0,
    last_arrival timestamptz not null default now()
  )`,
  `create table mails (
    user_id uuid not null,
    id uuid not null,
    flags smallint not null,
    received_at timestamptz not null,
    arrived_at timestamptz not null,
    thread_id uuid not null,
    message_id text not null,
    from_address text not null,
    own_address text not null,
    headers text not null,
    summary bytea,
    binding bytea not null,
    ciphertext bytea,
    encrypted_key bytea,
    dh_public bytea,
    salt bytea,
    key_used text,
    is_alert boolean not null default false,
    size_bytes bigint not null,
    deleted_at timestamptz,
    primary key (user_id, id)
  ) with (toast_tuple_target = 8160)`,
  'create index mails_by_bucket on mails (user_id, flags, received_at desc, id desc)',
  'create index mails_by_thread on mails (user_id, thread_id, received_at desc, id desc)',
  'create index mails_by_message_id on mails (user_id, md5(message_id))',
  'create index mails_by_arrival on mails (user_id, arrived_at)',
  'create index mails_by_purge on mails (deleted_at) where deleted_at is not null',
  `create table mail_bodies (
    user_id uuid not null,
    mail_id uuid not null,
    body bytea not null,
    primary key (user_id, mail_id)
  )`,
  `create table mail_counts (
    user_id uuid not null,
    tag_id uuid not null,
    flags smallint not null,
    total integer not null check (total >= 0),
    primary key (user_id, tag_id, flags)
  )`,
  `create table tags (
    user_id uuid not null,
    id uuid not null,
    name text not null,
    color text not null,
    primary key (user_id, id),
    unique (user_id, name)
  )`,
  `create table mail_tags (
    user_id uuid not null,
    mail_id uuid not null,
    tag_id uuid not null,
    flags smallint not null,
    received_at timestamptz not null,
    primary key (user_id, mail_id, tag_id)
  )`,
  'create index mail_tags_by_bucket on mail_tags (user_id, tag_id, flags, received_at desc, mail_id desc)',
  `create table blobs (
    id uuid primary key,
    size_bytes bigint not null,
    created_at timestamptz not null default now()
  )`,
  'create index blobs_by_age on blobs (created_at)',
  `create table mail_attachments (
    user_id uuid not null,
    mail_id uuid not null,
    blob_id uuid not null,
    size_bytes bigint not null,
    primary key (user_id, mail_id, blob_id)
  )`,
  'create index mail_attachments_by_blob on mail_attachments (blob_id)',
  'create index mail_attachments_by_user_blob on mail_attachments (user_id, blob_id)',
  `create table inbound_receipts (
    user_id uuid not null,
    digest bytea not null,
    created_at timestamptz not null default now(),
    primary key (user_id, digest)
  )`,
  'create index inbound_receipts_by_age on inbound_receipts (created_at)',
  `create table send_receipts (
    user_id uuid not null,
    idempotency_key text not null,
    request_digest bytea not null,
    mail_id uuid not null,
    message_id text not null,
    created_at timestamptz not null default now(),
    primary key (user_id, idempotency_key)
  )`,
  'create index send_receipts_by_age on send_receipts (created_at)',
  `create table outbound_messages (
    id uuid primary key,
    user_id uuid not null,
    message_sealed bytea not null,
    created_at timestamptz not null default now()
  )`,
  `create table outbound_recipients (
    message_id uuid not null,
    id uuid not null,
    domain_digest bytea not null,
    envelope_sealed bytea not null,
    attempts integer not null default 0,
    next_attempt_at timestamptz not null,
    leased_until timestamptz,
    created_at timestamptz not null default now(),
    primary key (message_id, id)
  )`,
  'create index outbound_recipients_by_due on outbound_recipients (next_attempt_at)',
  `create table domain_keys (
    domain text not null,
    selector text not null,
    private_key_sealed bytea not null,
    public_key text not null,
    created_at timestamptz not null default now(),
    primary key (domain, selector)
  )`,
  `create table captchas_used (
    nonce text primary key,
    expires_at timestamptz not null
  )`,
] as const;

const STORAGE = [
  // Sealed bytes do not compress, and a list row must not need a second lookup for its 1,568 bytes
  // of ciphertext.
  `alter table mails
    alter column ciphertext set storage main,
    alter column summary set storage main,
    alter column headers set storage main`,
  'alter table mail_bodies alter column body set storage external',
  'alter table outbound_messages alter column message_sealed set storage external',
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  await hintStorage(db, STORAGE);
}
