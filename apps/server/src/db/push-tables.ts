/** Kysely types of the tables for push notifications. */
import type { PushPreferences, PushType } from '@keyfold/contract';
import type { ColumnType } from 'kysely';

type Instant = ColumnType<Date, Date | string, Date | string>;
type InstantOrNull = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
type WithDefault<T> = ColumnType<T, T | undefined, T>;

type PushDevicesTable = {
  user_id: string;
  id: string;
  kind: 'fcm' | 'apns' | 'webpush' | 'unifiedpush';
  /** Keyed digest of the token, which identifies a device that registers again. */
  token_hash: Buffer;
  token_sealed: Buffer;
  /** The device's description of itself, as sealed JSON. */
  words_sealed: Buffer;
  /** The session that registered the device, and the kept device behind that session. */
  session_id: string;
  family_id: string | null;
  preferences: ColumnType<PushPreferences, string, string>;
  created_at: Instant;
  seen_at: Instant;
  sent_at: InstantOrNull;
  /** Since when the push service has rejected everything for this device. */
  failing_since: InstantOrNull;
  /** Until when nothing is sent to the device. */
  blocked_until: InstantOrNull;
  /** Start of the current count of individually notified messages, and the count since then. */
  burst_since: Instant;
  burst_size: WithDefault<number>;
};

/** How far a user's mailbox has been scanned for messages to push. */
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
  /** End of the lease; afterwards another worker may claim the job. */
  leased_until: InstantOrNull;
};

/** Messages for which a device shows a notification, as far as the server knows. */
type PushShownTable = { device_id: string; mail_id: string; user_id: string; shown_at: Instant };

/** The numbers that clients showed last. `group_hash` is empty for the number on the icon. */
type PushCountsTable = {
  user_id: string;
  platform: string;
  group_hash: Buffer;
  count: number;
  updated_at: Instant;
};

/** The server's own keys for push services. */
type PushKeysTable = { name: string; private_sealed: Buffer; public_key: string; created_at: Instant };

export type PushTables = {
  push_devices: PushDevicesTable;
  push_users: PushUsersTable;
  push_jobs: PushJobsTable;
  push_shown: PushShownTable;
  push_counts: PushCountsTable;
  push_keys: PushKeysTable;
};
