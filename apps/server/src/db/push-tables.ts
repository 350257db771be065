/**
 * The tables of push notifications.
 */
import type { PushPreferences, PushType } from '@keyfold/contract';
import type { ColumnType } from 'kysely';

type Instant = ColumnType<Date, Date | string, Date | string>;
type InstantOrNull = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
type WithDefault<T> = ColumnType<T, T | undefined, T>;

type PushDevicesTable = {
  user_id: string;
  id: string;
  kind: 'fcm' | 'apns' | 'webpush' | 'unifiedpush';
  /** Keyed digest of the token: the same device is known again. */
  token_hash: Buffer;
  token_sealed: Buffer;
  /** What the device says of itself, JSON, sealed. */
  words_sealed: Buffer;
  /** The session that registered it, and the kept device behind that one. */
  session_id: string;
  family_id: string | null;
  preferences: ColumnType<PushPreferences, string, string>;
  created_at: Instant;
  seen_at: Instant;
  sent_at: InstantOrNull;
  /** Since when its push service has taken nothing. */
  failing_since: InstantOrNull;
  /** Until when nothing is sent to it. */
  blocked_until: InstantOrNull;
  /** When the mails that are told one by one began to be counted, and how many there were since. */
  burst_since: Instant;
  burst_size: WithDefault<number>;
};

/** How far a user's mailbox has been looked through for what is to be pushed. */
type PushUsersTable = { user_id: string; version: number; pushed_until: Instant };

type PushJobsTable = {
  id: string;
  user_id: string;
  device_id: string;
  type: PushType;
  mail_id: string | null;
  created_at: Instant;
  next_attempt_at: Instant;
  attempts: WithDefault<number>;
  /** Until when a worker is at it; then another may take it up. */
  leased_until: InstantOrNull;
};

/** Mails that a device shows a notification of, as far as the server knows. */
type PushShownTable = { device_id: string; mail_id: string; user_id: string; shown_at: Instant };

/** The last numbers that clients showed. `group_hash` is empty for the number on the icon. */
type PushCountsTable = {
  user_id: string;
  platform: string;
  group_hash: Buffer;
  count: number;
  updated_at: Instant;
};

/** The server's own keys towards push services. */
type PushKeysTable = { name: string; private_sealed: Buffer; public_key: string; created_at: Instant };

/** These tables by name. */
export type PushTables = {
  push_devices: PushDevicesTable;
  push_users: PushUsersTable;
  push_jobs: PushJobsTable;
  push_shown: PushShownTable;
  push_counts: PushCountsTable;
  push_keys: PushKeysTable;
};
