-- The schema after all migrations, for readers. Written by `npm run schema`; a test compares it with the
-- migrations in apps/server/src/db/migrations. The feature that owns a table stands above it.

CREATE EXTENSION pg_trgm;

-- support/certificates
CREATE TABLE acme_accounts (
  directory text not null,
  key_sealed bytea not null,
  created_at timestamp with time zone not null,
  constraint acme_accounts_pkey PRIMARY KEY (directory)
);

-- support/certificates
CREATE TABLE acme_challenges (
  token text not null,
  response text not null,
  created_at timestamp with time zone not null,
  constraint acme_challenges_pkey PRIMARY KEY (token)
);

-- organization/addresses
CREATE TABLE addresses (
  address text not null,
  user_id uuid not null,
  is_primary boolean not null,
  created_at timestamp with time zone not null default now(),
  label_sealed bytea,
  is_on boolean not null default true,
  is_default boolean not null default false,
  constraint addresses_pkey PRIMARY KEY (address)
);
CREATE INDEX addresses_by_user ON addresses USING btree (user_id);
CREATE UNIQUE INDEX addresses_default ON addresses USING btree (user_id) WHERE is_default;
CREATE TRIGGER addresses_come AFTER INSERT ON addresses FOR EACH ROW EXECUTE FUNCTION refuse_former_address();
CREATE TRIGGER addresses_gone AFTER DELETE ON addresses FOR EACH ROW EXECUTE FUNCTION note_former_address();
CREATE TRIGGER key_log_address AFTER INSERT OR DELETE OR UPDATE OF address, user_id ON addresses FOR EACH ROW EXECUTE FUNCTION key_log_note_address();

-- accounts/sign-up-codes
CREATE TABLE affiliate_codes (
  code text not null,
  note text not null default ''::text,
  signups integer not null default 0,
  created_at timestamp with time zone not null default now(),
  constraint affiliate_codes_pkey PRIMARY KEY (code)
);

-- inbound/analytics
CREATE TABLE arrival_counts (
  user_id uuid not null,
  day date not null,
  flagged_by_sender integer not null,
  flagged_by_rule integer not null,
  flagged_by_score integer not null,
  proved integer not null,
  unproved integer not null,
  disproved integer not null,
  constraint arrival_counts_pkey PRIMARY KEY (user_id, day)
);
CREATE INDEX arrival_counts_by_day ON arrival_counts USING btree (day);

-- support/audit
CREATE TABLE audit_entries (
  id bigint not null generated always as identity,
  at timestamp with time zone not null,
  actor_kind text not null,
  actor_id uuid,
  action text not null,
  subject_id uuid,
  object text,
  details jsonb not null default '{}'::jsonb,
  organization_id uuid,
  constraint audit_entries_pkey PRIMARY KEY (id),
  constraint audit_entries_actor_kind_check CHECK (actor_kind = ANY (ARRAY['admin'::text, 'operator'::text, 'billing'::text, 'member'::text, 'service'::text])),
  constraint audit_entries_of_members CHECK ((actor_kind = 'member'::text) = (organization_id IS NOT NULL))
);
CREATE INDEX audit_entries_by_actor ON audit_entries USING btree (actor_id) WHERE (actor_id IS NOT NULL);
CREATE INDEX audit_entries_by_lost_forward ON audit_entries USING btree (object, at) WHERE (action = 'lose_forward'::text);
CREATE INDEX audit_entries_by_organization ON audit_entries USING btree (organization_id, id) WHERE (organization_id IS NOT NULL);
CREATE INDEX audit_entries_by_subject ON audit_entries USING btree (subject_id, id) WHERE (subject_id IS NOT NULL);

-- organization/billing
CREATE TABLE billing_accounts (
  user_id uuid not null,
  customer_key uuid not null,
  customer_id text,
  busy_until timestamp with time zone,
  asked_at timestamp with time zone,
  ticket bigint not null default 0,
  seen_ticket bigint not null default 0,
  looked_at timestamp with time zone,
  subscription_id text,
  plan text,
  period text,
  is_late boolean not null default false,
  period_ends_at timestamp with time zone,
  ends_at timestamp with time zone,
  constraint billing_accounts_pkey PRIMARY KEY (user_id),
  constraint billing_accounts_customer_id_key UNIQUE (customer_id),
  constraint billing_accounts_period_check CHECK (period = ANY (ARRAY['monthly'::text, 'yearly'::text])),
  constraint billing_accounts_plan_check CHECK (plan = ANY (ARRAY['plus'::text, 'pro'::text]))
);

-- organization/billing
CREATE TABLE billing_closings (
  customer_id text not null,
  attempts integer not null default 0,
  next_attempt_at timestamp with time zone not null,
  constraint billing_closings_pkey PRIMARY KEY (customer_id)
);

-- organization/billing
CREATE TABLE billing_events (
  event_id text not null,
  received_at timestamp with time zone not null,
  constraint billing_events_pkey PRIMARY KEY (event_id)
);
CREATE INDEX billing_events_by_time ON billing_events USING btree (received_at);

-- mailbox/messages
CREATE TABLE blobs (
  id uuid not null,
  size_bytes bigint not null,
  created_at timestamp with time zone not null default now(),
  constraint blobs_pkey PRIMARY KEY (id)
);
CREATE INDEX blobs_by_age ON blobs USING btree (created_at);
CREATE TRIGGER blobs_changed_counted AFTER UPDATE ON blobs FOR EACH ROW WHEN (old.size_bytes <> new.size_bytes) EXECUTE FUNCTION note_blobs_changed();
CREATE TRIGGER blobs_come_counted AFTER INSERT ON blobs FOR EACH ROW EXECUTE FUNCTION note_blobs_come();
CREATE TRIGGER blobs_gone_counted AFTER DELETE ON blobs FOR EACH ROW EXECUTE FUNCTION note_blobs_gone();

-- accounts/auth
CREATE TABLE captchas_used (
  nonce text not null,
  expires_at timestamp with time zone not null,
  constraint captchas_used_pkey PRIMARY KEY (nonce)
);

-- support/certificates
CREATE TABLE certificates (
  name text not null,
  key_sealed bytea,
  chain text,
  issued_at timestamp with time zone,
  ends_at timestamp with time zone,
  next_try_at timestamp with time zone not null,
  wanted_at timestamp with time zone not null,
  failures integer not null default 0,
  problem text,
  problem_detail text,
  constraint certificates_pkey PRIMARY KEY (name)
);
CREATE INDEX certificates_due ON certificates USING btree (next_try_at);

-- clients/client-files
CREATE TABLE client_files (
  path text not null,
  build bytea not null,
  seal bytea not null,
  packed bytea not null,
  named_at timestamp with time zone not null,
  constraint client_files_pkey PRIMARY KEY (path)
);

-- reports/received-reports
CREATE TABLE complaints (
  user_id uuid not null,
  digest bytea not null,
  received_at timestamp with time zone not null,
  audience bytea,
  reporter bytea,
  constraint complaints_pkey PRIMARY KEY (user_id, digest),
  constraint complaints_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX complaints_by_time ON complaints USING btree (received_at);

-- accounts/contacts
CREATE TABLE contacts (
  user_id uuid not null,
  email text not null,
  name text not null,
  mlkem_public bytea not null,
  dh_public bytea not null,
  fingerprint text not null,
  verified boolean not null,
  created_at timestamp with time zone not null default now(),
  constraint contacts_pkey PRIMARY KEY (user_id, email)
);

-- mailbox/messages
CREATE TABLE container_holds (
  id uuid not null,
  held_until timestamp with time zone not null,
  constraint container_holds_pkey PRIMARY KEY (id)
);

-- accounts/auth
CREATE TABLE devices (
  token_hash bytea not null,
  family_id uuid not null,
  user_id uuid not null,
  client_key_sealed bytea not null,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  replaced_at timestamp with time zone,
  user_agent text not null default ''::text,
  address text not null default ''::text,
  started_at timestamp with time zone not null default now(),
  ends_at timestamp with time zone not null default (now() + '90 days'::interval),
  is_biometric boolean not null default false,
  repeat_digest bytea,
  repeat_key_sealed bytea,
  successor_hash bytea,
  successor_session_hash bytea,
  constraint devices_pkey PRIMARY KEY (token_hash)
);
CREATE INDEX devices_by_expiry ON devices USING btree (expires_at);
CREATE INDEX devices_by_family ON devices USING btree (family_id);
CREATE INDEX devices_by_user ON devices USING btree (user_id);
CREATE INDEX devices_repeats ON devices USING btree (replaced_at) WHERE (repeat_digest IS NOT NULL);
CREATE TRIGGER devices_gone_from_push AFTER DELETE ON devices FOR EACH ROW EXECUTE FUNCTION forget_push_of_family();

-- outbound/delivery
CREATE TABLE domain_keys (
  domain text not null,
  selector text not null,
  private_key_sealed bytea not null,
  public_key text not null,
  created_at timestamp with time zone not null default now(),
  seen_at timestamp with time zone,
  constraint domain_keys_pkey PRIMARY KEY (domain, selector)
);

-- organization/domains
CREATE TABLE domains (
  user_id uuid not null,
  domain text not null,
  token text not null,
  is_primary boolean not null default false,
  catchall text not null default ''::text,
  verified_at timestamp with time zone,
  missing_since timestamp with time zone,
  checked_at timestamp with time zone,
  next_check_at timestamp with time zone not null,
  is_healthy boolean,
  findings jsonb,
  created_at timestamp with time zone not null default now(),
  constraint domains_pkey PRIMARY KEY (user_id, domain)
);
CREATE INDEX domains_by_check ON domains USING btree (next_check_at);
CREATE INDEX domains_by_name ON domains USING btree (domain);
CREATE UNIQUE INDEX domains_primary ON domains USING btree (user_id) WHERE is_primary;
CREATE UNIQUE INDEX domains_verified ON domains USING btree (domain) WHERE (verified_at IS NOT NULL);
CREATE TRIGGER domains_counted AFTER INSERT OR DELETE OR UPDATE ON domains FOR EACH ROW EXECUTE FUNCTION count_domain();

-- outbound/calendar
CREATE TABLE event_answers (
  user_id uuid not null,
  event_digest bytea not null,
  guest_digest bytea not null,
  sequence integer not null,
  response text,
  changes integer not null default 0,
  answered_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  constraint event_answers_pkey PRIMARY KEY (user_id, event_digest, guest_digest),
  constraint event_answers_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint event_answers_response_check CHECK (response = ANY (ARRAY['accepted'::text, 'declined'::text, 'tentative'::text]))
);
CREATE INDEX event_answers_by_expiry ON event_answers USING btree (expires_at);

-- accounts/users
CREATE TABLE former_addresses (
  digest bytea not null,
  user_id uuid,
  given_up_at timestamp with time zone not null default now(),
  constraint former_addresses_pkey PRIMARY KEY (digest)
);
CREATE INDEX former_addresses_by_user ON former_addresses USING btree (user_id);

-- inbound/ingest
CREATE TABLE greylist (
  digest bytea not null,
  since timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint greylist_pkey PRIMARY KEY (digest)
);
CREATE INDEX greylist_by_expiry ON greylist USING btree (expires_at);

-- accounts/auth
CREATE TABLE half_sessions (
  token_hash bytea not null,
  user_id uuid not null,
  purpose text not null,
  tries integer not null default 0,
  expires_at timestamp with time zone not null,
  constraint half_sessions_pkey PRIMARY KEY (token_hash),
  constraint half_sessions_purpose_check CHECK (purpose = ANY (ARRAY['login'::text, 'recovery'::text]))
);
CREATE INDEX half_sessions_by_age ON half_sessions USING btree (expires_at);
CREATE INDEX half_sessions_by_user ON half_sessions USING btree (user_id);

-- outbound/sending
CREATE TABLE held_copies (
  user_id uuid not null,
  mail_id uuid not null,
  place integer not null,
  reader_id uuid not null,
  address text not null,
  ciphertext bytea,
  encrypted_key bytea not null,
  dh_public bytea,
  salt bytea not null,
  key_used text not null,
  constraint held_copies_pkey PRIMARY KEY (user_id, mail_id, place)
);

-- outbound/delivery
CREATE TABLE held_recipients (
  message_id uuid not null,
  id uuid not null,
  domain_digest bytea not null,
  envelope_sealed bytea not null,
  constraint held_recipients_pkey PRIMARY KEY (message_id, id)
);

-- outbound/sending
CREATE TABLE held_sends (
  user_id uuid not null,
  mail_id uuid not null,
  due_at timestamp with time zone not null,
  headers text not null,
  message_references text[] not null,
  outbound_id uuid,
  created_at timestamp with time zone not null default now(),
  twin_id uuid,
  constraint held_sends_pkey PRIMARY KEY (user_id, mail_id)
);
CREATE INDEX held_sends_by_due ON held_sends USING btree (due_at);

-- imports/client-import
CREATE TABLE import_containers (
  user_id uuid not null,
  blob_id uuid not null,
  size_bytes bigint not null,
  created_at timestamp with time zone not null,
  constraint import_containers_pkey PRIMARY KEY (user_id, blob_id)
);
CREATE INDEX import_containers_by_age ON import_containers USING btree (created_at);

-- mailbox/messages
CREATE TABLE inbound_receipts (
  user_id uuid not null,
  digest bytea not null,
  created_at timestamp with time zone not null default now(),
  constraint inbound_receipts_pkey PRIMARY KEY (user_id, digest)
);
CREATE INDEX inbound_receipts_by_age ON inbound_receipts USING btree (created_at);

-- accounts/sign-up-codes
CREATE TABLE invitation_codes (
  id uuid not null,
  code_hash bytea not null,
  hint text not null,
  note text not null default ''::text,
  uses_allowed integer not null,
  uses_left integer not null,
  expires_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint invitation_codes_pkey PRIMARY KEY (id),
  constraint invitation_codes_code_hash_key UNIQUE (code_hash),
  constraint invitation_codes_uses_left_check CHECK (uses_left >= 0)
);

-- operator/operations
CREATE TABLE job_runs (
  name text not null,
  cron text not null,
  started_at timestamp with time zone,
  ended_at timestamp with time zone,
  succeeded_at timestamp with time zone,
  took_ms integer,
  outcome text,
  result jsonb not null default '{}'::jsonb,
  failure text,
  constraint job_runs_pkey PRIMARY KEY (name),
  constraint job_runs_outcome_check CHECK (outcome = ANY (ARRAY['done'::text, 'failed'::text]))
);

-- accounts/key-log
CREATE TABLE key_log_entries (
  tag bytea not null,
  version integer not null,
  previous bytea not null,
  entry bytea not null,
  keys bytea not null,
  constraint key_log_entries_pkey PRIMARY KEY (tag)
);

-- accounts/key-log
CREATE TABLE key_log_heads (
  size bigint not null,
  root bytea not null,
  map_root bytea not null,
  depth smallint not null,
  made_at timestamp with time zone not null,
  constraint key_log_heads_pkey PRIMARY KEY (size)
);

-- accounts/key-log
CREATE TABLE key_log_map (
  prefix text not null,
  left_hash bytea,
  right_hash bytea,
  tag bytea,
  entry bytea,
  constraint key_log_map_pkey PRIMARY KEY (prefix)
);

-- accounts/key-log
CREATE TABLE key_log_notes (
  id bigint not null generated always as identity,
  name text not null,
  constraint key_log_notes_pkey PRIMARY KEY (id)
);
CREATE INDEX key_log_notes_by_name ON key_log_notes USING btree (name);

-- accounts/key-log
CREATE TABLE key_log_tree (
  level smallint not null,
  place bigint not null,
  hash bytea not null,
  constraint key_log_tree_pkey PRIMARY KEY (level, place)
);

-- accounts/key-log
CREATE TABLE key_log_versions (
  tag bytea not null,
  version integer not null,
  keys bytea not null,
  changed_at timestamp with time zone not null,
  constraint key_log_versions_pkey PRIMARY KEY (tag, version)
);

-- accounts/auth
CREATE TABLE known_browsers (
  user_id uuid not null,
  token_hash bytea not null,
  seen_at timestamp with time zone not null,
  constraint known_browsers_pkey PRIMARY KEY (user_id, token_hash)
);
CREATE INDEX known_browsers_by_age ON known_browsers USING btree (seen_at);

-- operator/backup
CREATE TABLE last_backups (
  kind text not null,
  made_at timestamp with time zone not null,
  constraint last_backups_pkey PRIMARY KEY (kind),
  constraint last_backups_kind_check CHECK (kind = ANY (ARRAY['tables'::text, 'base'::text]))
);

-- accounts/auth
CREATE TABLE logins (
  user_id uuid not null,
  id uuid not null,
  outcome text not null,
  browser text,
  system text,
  address text not null,
  created_at timestamp with time zone not null,
  constraint logins_pkey PRIMARY KEY (user_id, id),
  constraint logins_outcome_check CHECK (outcome = ANY (ARRAY['signed_in'::text, 'wrong_password'::text, 'wrong_code'::text, 'recovered'::text]))
);
CREATE INDEX logins_by_age ON logins USING btree (created_at);

-- mailbox/messages
CREATE TABLE mail_attachments (
  user_id uuid not null,
  mail_id uuid not null,
  blob_id uuid not null,
  size_bytes bigint not null,
  constraint mail_attachments_pkey PRIMARY KEY (user_id, mail_id, blob_id)
);
CREATE INDEX mail_attachments_by_blob ON mail_attachments USING btree (blob_id);
CREATE INDEX mail_attachments_by_user_blob ON mail_attachments USING btree (user_id, blob_id);

-- mailbox/messages
CREATE TABLE mail_bodies (
  user_id uuid not null,
  mail_id uuid not null,
  body bytea not null,
  constraint mail_bodies_pkey PRIMARY KEY (user_id, mail_id)
);

-- mailbox/messages
CREATE TABLE mail_counts (
  user_id uuid not null,
  tag_id uuid not null,
  flags smallint not null,
  total integer not null,
  constraint mail_counts_pkey PRIMARY KEY (user_id, tag_id, flags),
  constraint mail_counts_total_check CHECK (total >= 0)
);

-- inbound/filters
CREATE TABLE mail_filters (
  user_id uuid not null,
  version bigint not null default 1,
  rules_sealed bytea,
  settings_sealed bytea,
  settings_updated_at timestamp with time zone,
  constraint mail_filters_pkey PRIMARY KEY (user_id)
);

-- mailbox/messages
CREATE TABLE mail_tags (
  user_id uuid not null,
  mail_id uuid not null,
  tag_id uuid not null,
  flags smallint not null,
  received_at timestamp with time zone not null,
  constraint mail_tags_pkey PRIMARY KEY (user_id, mail_id, tag_id)
);
CREATE INDEX mail_tags_by_bucket ON mail_tags USING btree (user_id, tag_id, flags, received_at DESC, mail_id DESC);

-- mailbox/messages
CREATE TABLE mailboxes (
  user_id uuid not null,
  used_bytes bigint not null default 0,
  version bigint not null default 0,
  last_arrival timestamp with time zone not null default now(),
  sent_emails bigint not null default 0,
  constraint mailboxes_pkey PRIMARY KEY (user_id)
);
CREATE TRIGGER mailboxes_come AFTER INSERT ON mailboxes FOR EACH ROW EXECUTE FUNCTION count_storage();
CREATE TRIGGER mailboxes_go AFTER DELETE ON mailboxes FOR EACH ROW EXECUTE FUNCTION count_storage();
CREATE TRIGGER mailboxes_grow AFTER UPDATE ON mailboxes FOR EACH ROW WHEN (old.used_bytes <> new.used_bytes) EXECUTE FUNCTION count_storage();

-- mailbox/messages
CREATE TABLE mails (
  user_id uuid not null,
  id uuid not null,
  flags smallint not null,
  received_at timestamp with time zone not null,
  arrived_at timestamp with time zone not null,
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
  deleted_at timestamp with time zone,
  people text not null default ''::text,
  own_key bytea,
  own_salt bytea,
  snoozed_until timestamp with time zone,
  send_at timestamp with time zone,
  first_received_at timestamp with time zone,
  own_key_used text,
  constraint mails_pkey PRIMARY KEY (user_id, id)
);
CREATE INDEX mails_by_arrival ON mails USING btree (user_id, arrived_at);
CREATE INDEX mails_by_bucket ON mails USING btree (user_id, flags, received_at DESC, id DESC) INCLUDE (thread_id);
CREATE INDEX mails_by_empty_draft ON mails USING btree (received_at) WHERE (headers = ''::text);
CREATE INDEX mails_by_message_id ON mails USING btree (user_id, md5(message_id));
CREATE INDEX mails_by_purge ON mails USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE INDEX mails_by_thread ON mails USING btree (user_id, thread_id, received_at DESC, id DESC) INCLUDE (flags);
CREATE INDEX mails_by_waking ON mails USING btree (snoozed_until) WHERE (snoozed_until IS NOT NULL);

-- no feature
CREATE TABLE migration_notes (
  name text not null,
  needs text,
  constraint migration_notes_pkey PRIMARY KEY (name)
);

-- organization/members
CREATE TABLE organization_domains (
  domain text not null,
  organization_id uuid not null,
  user_id uuid not null,
  connected_at timestamp with time zone not null,
  constraint organization_domains_pkey PRIMARY KEY (domain)
);
CREATE INDEX organization_domains_by_organization ON organization_domains USING btree (organization_id);
CREATE INDEX organization_domains_by_user ON organization_domains USING btree (user_id);

-- organization/members
CREATE TABLE organization_invites (
  id uuid not null,
  organization_id uuid not null,
  token_hash bytea not null,
  address text not null,
  name text not null,
  role text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint organization_invites_pkey PRIMARY KEY (id),
  constraint organization_invites_address_key UNIQUE (address),
  constraint organization_invites_token_hash_key UNIQUE (token_hash),
  constraint organization_invites_role_check CHECK (role = ANY (ARRAY['owner'::text, 'admin'::text, 'member'::text]))
);
CREATE INDEX organization_invites_by_age ON organization_invites USING btree (expires_at);
CREATE INDEX organization_invites_by_organization ON organization_invites USING btree (organization_id);

-- organization/members
CREATE TABLE organization_members (
  user_id uuid not null,
  organization_id uuid not null,
  role text not null,
  joined_at timestamp with time zone not null,
  constraint organization_members_pkey PRIMARY KEY (user_id),
  constraint organization_members_role_check CHECK (role = ANY (ARRAY['owner'::text, 'admin'::text, 'member'::text]))
);
CREATE INDEX organization_members_by_organization ON organization_members USING btree (organization_id);

-- organization/members
CREATE TABLE organization_resets (
  user_id uuid not null,
  organization_id uuid not null,
  token_hash bytea not null,
  expires_at timestamp with time zone not null,
  begun_by uuid,
  quiet_until timestamp with time zone,
  constraint organization_resets_pkey PRIMARY KEY (user_id),
  constraint organization_resets_token_hash_key UNIQUE (token_hash)
);
CREATE INDEX organization_resets_by_age ON organization_resets USING btree (expires_at);

-- organization/members
CREATE TABLE organizations (
  id uuid not null,
  name text not null,
  created_at timestamp with time zone not null,
  joined integer not null default 0,
  constraint organizations_pkey PRIMARY KEY (id)
);

-- outbound/delivery
CREATE TABLE outbound_messages (
  id uuid not null,
  user_id uuid not null,
  message_sealed bytea not null,
  created_at timestamp with time zone not null default now(),
  is_forward boolean not null default false,
  constraint outbound_messages_pkey PRIMARY KEY (id)
);

-- outbound/delivery
CREATE TABLE outbound_recipients (
  message_id uuid not null,
  id uuid not null,
  domain_digest bytea not null,
  envelope_sealed bytea not null,
  attempts integer not null default 0,
  next_attempt_at timestamp with time zone not null,
  leased_until timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  last_code smallint,
  last_status text,
  constraint outbound_recipients_pkey PRIMARY KEY (message_id, id)
);
CREATE INDEX outbound_recipients_by_domain ON outbound_recipients USING btree (domain_digest, message_id, id);
CREATE INDEX outbound_recipients_by_due ON outbound_recipients USING btree (next_attempt_at);
CREATE INDEX outbound_recipients_free_by_domain ON outbound_recipients USING btree (domain_digest, GREATEST(next_attempt_at, leased_until));
CREATE INDEX outbound_recipients_leased ON outbound_recipients USING btree (domain_digest, message_id, leased_until) WHERE (leased_until IS NOT NULL);

-- outbound/send-watch
CREATE TABLE outside_counts (
  user_id uuid not null,
  hour timestamp with time zone not null,
  tried integer not null default 0,
  refused integer not null default 0,
  suspicious integer not null default 0,
  constraint outside_counts_pkey PRIMARY KEY (user_id, hour)
);
CREATE INDEX outside_counts_by_age ON outside_counts USING btree (hour);

-- outbound/sending
CREATE TABLE outside_letters (
  user_id uuid not null,
  digest bytea not null,
  hour timestamp with time zone not null,
  letters integer not null,
  constraint outside_letters_pkey PRIMARY KEY (user_id, digest, hour)
);
CREATE INDEX outside_letters_by_age ON outside_letters USING btree (hour);

-- outbound/send-watch
CREATE TABLE outside_recipients (
  user_id uuid not null,
  digest bytea not null,
  first_at timestamp with time zone not null,
  constraint outside_recipients_pkey PRIMARY KEY (user_id, digest)
);
CREATE INDEX outside_recipients_by_age ON outside_recipients USING btree (first_at);
CREATE INDEX outside_recipients_by_time ON outside_recipients USING btree (user_id, first_at);

-- accounts/second-factor
CREATE TABLE passkey_challenges (
  user_id uuid not null,
  token_hash bytea not null,
  purpose text not null,
  challenge text not null,
  expires_at timestamp with time zone not null,
  constraint passkey_challenges_pkey PRIMARY KEY (user_id, token_hash, purpose),
  constraint passkey_challenges_purpose_check CHECK (purpose = ANY (ARRAY['add'::text, 'prove'::text]))
);
CREATE INDEX passkey_challenges_by_age ON passkey_challenges USING btree (expires_at);

-- accounts/second-factor
CREATE TABLE passkeys (
  user_id uuid not null,
  id uuid not null,
  credential_id bytea not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name_sealed bytea not null,
  is_synced boolean not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  constraint passkeys_pkey PRIMARY KEY (user_id, id),
  constraint passkeys_credential_id_key UNIQUE (credential_id)
);

-- clients/notifications
CREATE TABLE push_counts (
  user_id uuid not null,
  platform text not null,
  group_hash bytea not null,
  count integer not null,
  updated_at timestamp with time zone not null,
  constraint push_counts_pkey PRIMARY KEY (user_id, platform, group_hash),
  constraint push_counts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint push_counts_count_check CHECK (count >= 0)
);

-- clients/notifications
CREATE TABLE push_devices (
  user_id uuid not null,
  id uuid not null,
  kind text not null,
  token_hash bytea not null,
  token_sealed bytea not null,
  words_sealed bytea not null,
  session_id uuid not null,
  family_id uuid,
  preferences jsonb not null,
  created_at timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  sent_at timestamp with time zone,
  failing_since timestamp with time zone,
  blocked_until timestamp with time zone,
  burst_since timestamp with time zone not null,
  burst_size integer not null default 0,
  constraint push_devices_pkey PRIMARY KEY (user_id, id),
  constraint push_devices_token_hash_key UNIQUE (token_hash),
  constraint push_devices_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint push_devices_kind_check CHECK (kind = ANY (ARRAY['fcm'::text, 'apns'::text, 'webpush'::text, 'unifiedpush'::text]))
);
CREATE INDEX push_devices_by_family ON push_devices USING btree (family_id) WHERE (family_id IS NOT NULL);
CREATE INDEX push_devices_by_id ON push_devices USING btree (id);
CREATE INDEX push_devices_by_session ON push_devices USING btree (session_id);

-- clients/notifications
CREATE TABLE push_jobs (
  id uuid not null,
  user_id uuid not null,
  device_id uuid not null,
  type text not null,
  mail_id uuid,
  created_at timestamp with time zone not null,
  next_attempt_at timestamp with time zone not null,
  attempts integer not null default 0,
  leased_until timestamp with time zone,
  constraint push_jobs_pkey PRIMARY KEY (user_id, id),
  constraint push_jobs_user_id_device_id_fkey FOREIGN KEY (user_id, device_id) REFERENCES push_devices(user_id, id) ON DELETE CASCADE,
  constraint push_jobs_type_check CHECK (type = ANY (ARRAY['mail'::text, 'security'::text, 'summary'::text, 'read'::text, 'test'::text]))
);
CREATE INDEX push_jobs_by_device ON push_jobs USING btree (device_id);
CREATE INDEX push_jobs_by_id ON push_jobs USING btree (id);
CREATE INDEX push_jobs_by_time ON push_jobs USING btree (next_attempt_at);
CREATE INDEX push_jobs_leased ON push_jobs USING btree (user_id) WHERE (leased_until IS NOT NULL);
CREATE UNIQUE INDEX push_jobs_one_summary ON push_jobs USING btree (user_id, device_id) WHERE (type = 'summary'::text);

-- clients/notifications
CREATE TABLE push_keys (
  name text not null,
  private_sealed bytea not null,
  public_key text not null,
  created_at timestamp with time zone not null,
  constraint push_keys_pkey PRIMARY KEY (name)
);

-- clients/notifications
CREATE TABLE push_shown (
  device_id uuid not null,
  mail_id uuid not null,
  user_id uuid not null,
  shown_at timestamp with time zone not null,
  constraint push_shown_pkey PRIMARY KEY (user_id, device_id, mail_id),
  constraint push_shown_user_id_device_id_fkey FOREIGN KEY (user_id, device_id) REFERENCES push_devices(user_id, id) ON DELETE CASCADE
);
CREATE INDEX push_shown_by_device ON push_shown USING btree (device_id, mail_id);

-- clients/notifications
CREATE TABLE push_users (
  user_id uuid not null,
  version bigint not null,
  pushed_until timestamp with time zone not null,
  constraint push_users_pkey PRIMARY KEY (user_id),
  constraint push_users_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

-- no feature
CREATE TABLE rate_limits (
  key text not null,
  points integer not null default 0,
  expire bigint,
  constraint rate_limits_pkey PRIMARY KEY (key)
);
CREATE INDEX rate_limits_by_expiry ON rate_limits USING btree (expire);

-- reports/received-reports
CREATE TABLE received_reports (
  digest bytea not null,
  kind text not null,
  domain text not null,
  day date not null,
  good bigint not null,
  bad bigint not null,
  received_at timestamp with time zone not null,
  reporter bytea,
  constraint received_reports_pkey PRIMARY KEY (digest),
  constraint received_reports_kind_check CHECK (kind = ANY (ARRAY['dmarc'::text, 'tls'::text]))
);
CREATE INDEX received_reports_by_time ON received_reports USING btree (received_at);

-- accounts/records
CREATE TABLE records (
  user_id uuid not null,
  kind text not null,
  id text not null,
  version integer not null,
  sealed bytea not null,
  size_bytes integer not null,
  updated_at timestamp with time zone not null,
  key_used text not null,
  constraint records_pkey PRIMARY KEY (user_id, kind, id)
);

-- accounts/second-factor
CREATE TABLE recovery_codes (
  user_id uuid not null,
  code_hash bytea not null,
  shown_set uuid,
  constraint recovery_codes_pkey PRIMARY KEY (user_id, code_hash)
);

-- accounts/auth
CREATE TABLE recovery_kits (
  user_id uuid not null,
  proof_hash bytea not null,
  main_key jsonb not null,
  created_at timestamp with time zone not null,
  constraint recovery_kits_pkey PRIMARY KEY (user_id)
);

-- reports/report-aggregator
CREATE TABLE report_counts (
  kind text not null,
  day date not null,
  domain_digest bytea not null,
  entry_digest bytea not null,
  entry_sealed bytea not null,
  count integer not null,
  next_try_at timestamp with time zone not null,
  constraint report_counts_pkey PRIMARY KEY (kind, day, domain_digest, entry_digest),
  constraint report_counts_kind_check CHECK (kind = ANY (ARRAY['dmarc'::text, 'tls'::text]))
);
CREATE INDEX report_counts_by_try ON report_counts USING btree (kind, next_try_at);

-- accounts/key-rotation
CREATE TABLE retired_keys (
  user_id uuid not null,
  key_id text not null,
  generation integer not null,
  sealed bytea not null,
  mails integer not null,
  retired_at timestamp with time zone not null,
  ending_since timestamp with time zone,
  constraint retired_keys_pkey PRIMARY KEY (user_id, key_id),
  constraint retired_keys_user_id_generation_key UNIQUE (user_id, generation)
);

-- accounts/search
CREATE TABLE search_segments (
  user_id uuid not null,
  blob_id uuid not null,
  size_bytes bigint not null,
  head text not null,
  created_at timestamp with time zone not null,
  constraint search_segments_pkey PRIMARY KEY (user_id, blob_id),
  constraint search_segments_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX search_segments_by_blob ON search_segments USING btree (blob_id);
CREATE TRIGGER search_segments_changed_counted AFTER UPDATE ON search_segments FOR EACH ROW WHEN (old.size_bytes <> new.size_bytes) EXECUTE FUNCTION note_search_segments_changed();
CREATE TRIGGER search_segments_come_counted AFTER INSERT ON search_segments FOR EACH ROW EXECUTE FUNCTION note_search_segments_come();
CREATE TRIGGER search_segments_gone_counted AFTER DELETE ON search_segments FOR EACH ROW EXECUTE FUNCTION note_search_segments_gone();

-- accounts/second-factor
CREATE TABLE second_factors (
  user_id uuid not null,
  secret_sealed bytea,
  activated_at timestamp with time zone,
  last_step bigint not null default 0,
  pending_sealed bytea,
  pending_until timestamp with time zone,
  wrong_codes integer not null default 0,
  wait_until timestamp with time zone,
  constraint second_factors_pkey PRIMARY KEY (user_id)
);

-- outbound/send-watch
CREATE TABLE send_holds (
  user_id uuid not null,
  reason text not null,
  held_until timestamp with time zone not null,
  strikes integer not null,
  told_at timestamp with time zone,
  constraint send_holds_pkey PRIMARY KEY (user_id),
  constraint send_holds_reason_check CHECK (reason = ANY (ARRAY['strangers'::text, 'refusals'::text, 'content'::text, 'complaints'::text]))
);
CREATE INDEX send_holds_by_end ON send_holds USING btree (held_until);
CREATE INDEX send_holds_untold ON send_holds USING btree (user_id) WHERE (told_at IS NULL);

-- outbound/sending
CREATE TABLE send_receipts (
  user_id uuid not null,
  idempotency_key text not null,
  request_digest bytea not null,
  mail_id uuid not null,
  message_id text not null,
  created_at timestamp with time zone not null default now(),
  recipients integer not null default 1,
  constraint send_receipts_pkey PRIMARY KEY (user_id, idempotency_key)
);
CREATE INDEX send_receipts_by_age ON send_receipts USING btree (created_at);

-- imports/server-import
CREATE TABLE server_imports (
  user_id uuid not null,
  id uuid not null,
  status text not null default 'queued'::text,
  secret_sealed bytea,
  size_bytes bigint not null,
  has_folder_tags boolean not null,
  last_key text,
  total integer not null default 0,
  processed integer not null default 0,
  imported integer not null default 0,
  skipped integer not null default 0,
  failed integer not null default 0,
  errors jsonb not null default '[]'::jsonb,
  failure text,
  deaths integer not null default 0,
  leased_until timestamp with time zone,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  kind text not null,
  spent_ms bigint not null default 0,
  constraint server_imports_pkey PRIMARY KEY (user_id, id),
  constraint pst_imports_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint pst_imports_status_check CHECK (status = ANY (ARRAY['queued'::text, 'running'::text, 'done'::text, 'failed'::text, 'cancelled'::text])),
  constraint server_imports_kind_check CHECK (kind = ANY (ARRAY['pst'::text, 'imap'::text]))
);
CREATE UNIQUE INDEX server_imports_one_at_a_time ON server_imports USING btree (user_id) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text]));
CREATE INDEX server_imports_waiting ON server_imports USING btree (kind, created_at) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text]));

-- operator/server-key
CREATE TABLE server_key (
  id smallint not null default 1,
  fingerprint bytea not null,
  recorded_at timestamp with time zone not null default now(),
  constraint server_key_pkey PRIMARY KEY (id),
  constraint server_key_id_check CHECK (id = 1)
);

-- accounts/auth
CREATE TABLE sessions (
  token_hash bytea not null,
  user_id uuid not null,
  client_key_sealed bytea not null,
  family_id uuid,
  user_agent text not null default ''::text,
  created_at timestamp with time zone not null default now(),
  last_used_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  id uuid not null default gen_random_uuid(),
  address text not null default ''::text,
  ends_at timestamp with time zone not null default (now() + '90 days'::interval),
  is_used boolean,
  ended text,
  constraint sessions_pkey PRIMARY KEY (token_hash),
  constraint sessions_id_key UNIQUE (id)
);
CREATE INDEX sessions_by_expiry ON sessions USING btree (expires_at);
CREATE INDEX sessions_by_user ON sessions USING btree (user_id);
CREATE TRIGGER sessions_gone_from_push AFTER DELETE ON sessions FOR EACH ROW EXECUTE FUNCTION forget_push_of_session();

-- accounts/contacts
CREATE TABLE share_codes (
  code_hash bytea not null,
  user_id uuid not null,
  expires_at timestamp with time zone not null,
  kept_until timestamp with time zone,
  constraint share_codes_pkey PRIMARY KEY (code_hash)
);
CREATE INDEX share_codes_by_user ON share_codes USING btree (user_id, expires_at);

-- accounts/auth
CREATE TABLE shown_kits (
  user_id uuid not null,
  proof_hash bytea not null,
  main_key jsonb not null,
  created_at timestamp with time zone not null,
  constraint shown_kits_pkey PRIMARY KEY (user_id, proof_hash)
);

-- accounts/signatures
CREATE TABLE signatures (
  user_id uuid not null,
  id uuid not null,
  content_sealed bytea not null,
  is_default boolean not null default false,
  created_at timestamp with time zone not null default now(),
  constraint signatures_pkey PRIMARY KEY (user_id, id)
);
CREATE INDEX signatures_by_id ON signatures USING btree (id);
CREATE UNIQUE INDEX signatures_default ON signatures USING btree (user_id) WHERE is_default;

-- support/statistics
CREATE TABLE stat_changes (
  kind text not null,
  bucket bigint not null,
  amount bigint not null
);

-- support/statistics
CREATE TABLE stat_totals (
  kind text not null,
  bucket bigint not null,
  total bigint not null,
  constraint stat_totals_pkey PRIMARY KEY (kind, bucket)
);

-- operator/operations
CREATE TABLE storage_changes (
  id bigint not null generated always as identity,
  kind text not null,
  items bigint not null,
  size_bytes bigint not null,
  constraint storage_changes_pkey PRIMARY KEY (id)
);

-- operator/operations
CREATE TABLE storage_totals (
  kind text not null,
  items bigint not null,
  size_bytes bigint not null,
  constraint storage_totals_pkey PRIMARY KEY (kind)
);

-- reports/tls-policy
CREATE TABLE sts_policies (
  domain_digest bytea not null,
  policy_sealed bytea not null,
  fetched_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint sts_policies_pkey PRIMARY KEY (domain_digest)
);
CREATE INDEX sts_policies_by_expiry ON sts_policies USING btree (expires_at);

-- reading/tags
CREATE TABLE tags (
  user_id uuid not null,
  id uuid not null,
  name text not null,
  color text not null,
  constraint tags_pkey PRIMARY KEY (user_id, id),
  constraint tags_user_id_name_key UNIQUE (user_id, name)
);

-- accounts/users
CREATE TABLE users (
  id uuid not null,
  kdf_email text not null,
  email text not null,
  name text not null,
  login_hash text not null,
  main_key jsonb not null,
  plan text not null default 'free'::text,
  is_admin boolean not null default false,
  admin_level text,
  status text not null default 'active'::text,
  bonus_bytes bigint not null default 0,
  affiliate_code text,
  created_at timestamp with time zone not null default now(),
  last_active_at timestamp with time zone,
  first_contact_at timestamp with time zone,
  organization_joined integer not null default 0,
  constraint users_pkey PRIMARY KEY (id),
  constraint users_kdf_email_key UNIQUE (kdf_email),
  constraint users_admin_level_check CHECK (admin_level = ANY (ARRAY['readonly'::text, 'standard'::text, 'super'::text])),
  constraint users_plan_check CHECK (plan = ANY (ARRAY['free'::text, 'plus'::text, 'pro'::text])),
  constraint users_status_check CHECK (status = ANY (ARRAY['active'::text, 'suspended'::text]))
);
CREATE INDEX users_admins ON users USING btree (id) WHERE is_admin;
CREATE INDEX users_by_age ON users USING btree (created_at DESC, id DESC);
CREATE INDEX users_by_words_of_email ON users USING gin (lower(email) gin_trgm_ops);
CREATE INDEX users_by_words_of_name ON users USING gin (lower(name) gin_trgm_ops);
CREATE INDEX users_paying ON users USING btree (plan, created_at DESC, id DESC) WHERE (plan <> 'free'::text);
CREATE INDEX users_suspended ON users USING btree (created_at DESC, id DESC) WHERE (status = 'suspended'::text);
CREATE TRIGGER key_log_keys AFTER UPDATE OF main_key ON users FOR EACH ROW EXECUTE FUNCTION key_log_note_keys();
CREATE TRIGGER users_come_and_go AFTER INSERT OR DELETE ON users FOR EACH ROW EXECUTE FUNCTION count_user();
CREATE TRIGGER users_gone AFTER DELETE ON users FOR EACH ROW EXECUTE FUNCTION forget_user_of_addresses();
CREATE TRIGGER users_gone_from_audit AFTER DELETE ON users FOR EACH ROW EXECUTE FUNCTION forget_user_in_audit();
CREATE TRIGGER users_move AFTER UPDATE ON users FOR EACH ROW WHEN (old.plan IS DISTINCT FROM new.plan OR old.status IS DISTINCT FROM new.status OR old.created_at IS DISTINCT FROM new.created_at OR stat_hour(old.last_active_at) IS DISTINCT FROM stat_hour(new.last_active_at)) EXECUTE FUNCTION count_user();

CREATE OR REPLACE FUNCTION count_domain()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  declare
    claimed integer := 0;
    active integer := 0;
  begin
    if tg_op <> 'INSERT' then
      claimed := claimed - 1;
      active := active - (old.verified_at is not null and old.is_healthy is true)::int;
    end if;
    if tg_op <> 'DELETE' then
      claimed := claimed + 1;
      active := active + (new.verified_at is not null and new.is_healthy is true)::int;
    end if;
    if claimed <> 0 then insert into stat_changes values ('domains', 0, claimed); end if;
    if active <> 0 then insert into stat_changes values ('active_domains', 0, active); end if;
    return null;
  end $function$;

CREATE OR REPLACE FUNCTION count_storage()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  declare
    amount bigint := 0;
  begin
    if tg_op <> 'INSERT' then amount := amount - old.used_bytes; end if;
    if tg_op <> 'DELETE' then amount := amount + new.used_bytes; end if;
    if amount <> 0 then insert into stat_changes values ('storage', 0, amount); end if;
    return null;
  end $function$;

CREATE OR REPLACE FUNCTION count_user()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  begin
    insert into stat_changes (kind, bucket, amount)
    select kind, bucket, sum(amount) from (values
      ('plan:' || old.plan, 0::bigint, -1),
      ('joined', stat_day(old.created_at), -1),
      ('seen:' || old.status, stat_hour(old.last_active_at), -1),
      ('plan:' || new.plan, 0::bigint, 1),
      ('joined', stat_day(new.created_at), 1),
      ('seen:' || new.status, stat_hour(new.last_active_at), 1)
    ) as counted (kind, bucket, amount)
    where kind is not null and bucket is not null
    group by kind, bucket having sum(amount) <> 0;
    return null;
  end $function$;

CREATE OR REPLACE FUNCTION forget_push_of_family()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  begin
    delete from push_devices p where p.family_id = old.family_id and 
    not exists (select 1 from sessions s where s.id = p.session_id)
    and not exists (select 1 from sessions s where s.user_id = p.user_id and s.family_id = p.family_id)
    and not exists (select 1 from devices d where d.family_id = p.family_id and d.replaced_at is null);
    return null;
  end $function$;

CREATE OR REPLACE FUNCTION forget_push_of_session()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  begin
    delete from push_devices p
    where p.user_id = old.user_id and (p.session_id = old.id or p.family_id = old.family_id) and 
    not exists (select 1 from sessions s where s.id = p.session_id)
    and not exists (select 1 from sessions s where s.user_id = p.user_id and s.family_id = p.family_id)
    and not exists (select 1 from devices d where d.family_id = p.family_id and d.replaced_at is null);
    return null;
  end $function$;

CREATE OR REPLACE FUNCTION forget_user_in_audit()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  begin
    update audit_entries set actor_id = null where actor_id = old.id;
    update audit_entries set subject_id = null, details = details - 'reason' where subject_id = old.id;
    return null;
  end $function$;

CREATE OR REPLACE FUNCTION forget_user_of_addresses()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  begin
    update former_addresses set user_id = null where user_id = old.id;
    with gone as (delete from domains where user_id = old.id returning domain)
    delete from domain_keys where domain in (select domain from gone) and not exists (
      select from domains where domains.domain = domain_keys.domain and user_id <> old.id
    );
    return null;
  end $function$;

CREATE OR REPLACE FUNCTION key_log_note_address()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  begin
    if tg_op <> 'INSERT' then insert into key_log_notes (name) values (old.address); end if;
    if tg_op <> 'DELETE' and (tg_op = 'INSERT' or new.address <> old.address) then
      insert into key_log_notes (name) values (new.address);
    end if;
    return null;
  end $function$;

CREATE OR REPLACE FUNCTION key_log_note_keys()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  begin
    if new.main_key->>'dh_public_key' is distinct from old.main_key->>'dh_public_key'
      or new.main_key->>'mlkem_public_key' is distinct from old.main_key->>'mlkem_public_key' then
      insert into key_log_notes (name) select address from addresses where user_id = new.id;
    end if;
    return null;
  end $function$;

CREATE OR REPLACE FUNCTION lock_containers(wanted uuid[])
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
  declare
    one uuid;
    held integer := 0;
  begin
    for one in select distinct w.id from unnest(wanted) w (id) order by w.id loop
      perform 1 from blobs b where b.id = one for key share;
      if found then held := held + 1; end if;
    end loop;
    return held;
  end $function$;

CREATE OR REPLACE FUNCTION lock_mailboxes(wanted uuid[])
 RETURNS TABLE(user_id uuid, used_bytes bigint, last_arrival timestamp with time zone)
 LANGUAGE plpgsql
AS $function$
  declare
    one uuid;
  begin
    for one in select distinct w.id from unnest(wanted) w (id) order by w.id loop
      return query select m.user_id, m.used_bytes, m.last_arrival from mailboxes m where m.user_id = one for update;
    end loop;
  end $function$;

CREATE OR REPLACE FUNCTION note_blobs_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  begin
    insert into storage_changes (kind, items, size_bytes)
      values ('containers', 0, new.size_bytes - old.size_bytes);
    return null;
  end $function$;

CREATE OR REPLACE FUNCTION note_blobs_come()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  begin
    insert into storage_changes (kind, items, size_bytes) values ('containers', 1, new.size_bytes);
    return null;
  end $function$;

CREATE OR REPLACE FUNCTION note_blobs_gone()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  begin
    insert into storage_changes (kind, items, size_bytes) values ('containers', -1, -old.size_bytes);
    return null;
  end $function$;

CREATE OR REPLACE FUNCTION note_former_address()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  begin
    insert into former_addresses (digest, user_id)
    values (
      sha256(convert_to(old.address, 'UTF8')),
      (select id from users where id = old.user_id)
    )
    on conflict (digest) do update set user_id = excluded.user_id, given_up_at = now();
    return null;
  end $function$;

CREATE OR REPLACE FUNCTION note_search_segments_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  begin
    insert into storage_changes (kind, items, size_bytes)
      values ('search', 0, new.size_bytes - old.size_bytes);
    return null;
  end $function$;

CREATE OR REPLACE FUNCTION note_search_segments_come()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  begin
    insert into storage_changes (kind, items, size_bytes) values ('search', 1, new.size_bytes);
    return null;
  end $function$;

CREATE OR REPLACE FUNCTION note_search_segments_gone()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  begin
    insert into storage_changes (kind, items, size_bytes) values ('search', -1, -old.size_bytes);
    return null;
  end $function$;

CREATE OR REPLACE FUNCTION refuse_former_address()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  declare
    former uuid;
  begin
    if exists (select from users where kdf_email = new.address and id <> new.user_id) or exists (
      select from organization_invites
      where address = new.address and id <> new.user_id and expires_at > now()
    ) then
      raise exception 'An address is kept for somebody else' using errcode = 'unique_violation';
    end if;
    select user_id into former from former_addresses where digest = sha256(convert_to(new.address, 'UTF8'));
    if not found then
      return null;
    end if;
    if former is distinct from new.user_id and not exists (
      select from domains
      where domain = split_part(new.address, '@', -1) and user_id = new.user_id and verified_at is not null
    ) and not exists (
      select from organization_domains d join organization_members m on m.organization_id = d.organization_id
      where d.domain = split_part(new.address, '@', -1) and m.user_id = new.user_id
    ) then
      raise exception 'An address was given up by somebody else' using errcode = 'unique_violation';
    end if;
    delete from former_addresses where digest = sha256(convert_to(new.address, 'UTF8'));
    return null;
  end $function$;

CREATE OR REPLACE FUNCTION stat_day(at timestamp with time zone)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
RETURN (floor((EXTRACT(epoch FROM at) / (86400)::numeric)))::bigint;

CREATE OR REPLACE FUNCTION stat_hour(at timestamp with time zone)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
RETURN (floor((EXTRACT(epoch FROM at) / (3600)::numeric)))::bigint;
