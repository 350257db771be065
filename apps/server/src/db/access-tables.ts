/**
 * Kysely types of the tables for account access: sessions, devices, sign-ins, known browsers,
 * recovery kits, second factors.
 */
import type { ColumnType, Generated } from 'kysely';

type Instant = ColumnType<Date, Date | string, Date | string>;
type InstantOrNull = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
type WithDefault<T> = ColumnType<T, T | undefined, T>;

/** Why a session was ended from another session or by the server. */
export type SessionEnd =
  | 'keys_replaced'
  | 'password_changed'
  | 'reset_begun'
  | 'signed_out'
  | 'suspended'
  | 'too_many';

type SessionsTable = {
  token_hash: Buffer;
  user_id: string;
  /**
   * client_key sealed with a key derived from the token, so that a copied database cannot open
   * stored vaults.
   */
  client_key_sealed: Buffer;
  family_id: WithDefault<string | null>;
  user_agent: WithDefault<string>;
  created_at: Generated<Date>;
  last_used_at: WithDefault<Date>;
  expires_at: Instant;
  /** The session's ID in lists; the token's hash never leaves the server. */
  id: Generated<string>;
  /** Network of the last use. */
  address: WithDefault<string>;
  /** Absolute expiry, regardless of use. */
  ends_at: WithDefault<Date>;
  /**
   * Whether the session has been used since it began; null for a session that the previous release
   * began.
   */
  is_used: WithDefault<boolean | null>;
  /**
   * Why the session was ended from elsewhere. Such a row has expired and is kept for one day to
   * report the reason.
   */
  ended: WithDefault<SessionEnd | null>;
};

type DevicesTable = {
  token_hash: Buffer;
  family_id: string;
  user_id: string;
  client_key_sealed: Buffer;
  created_at: Generated<Date>;
  expires_at: Instant;
  /** When the token was used and replaced; a second use ends the family. */
  replaced_at: InstantOrNull;
  user_agent: WithDefault<string>;
  address: WithDefault<string>;
  /** When a sign-in began the family. */
  started_at: WithDefault<Date>;
  ends_at: WithDefault<Date>;
  /** Whether this is the token behind a phone's biometrics, which is never replaced. */
  is_biometric: WithDefault<boolean>;
  /**
   * SHA-256 of the repeat key of the restore that replaced the token. For one minute, a repeat with
   * that key counts as the same use.
   */
  repeat_digest: WithDefault<Buffer | null>;
  /** client_key sealed under the token and the repeat key. */
  repeat_key_sealed: WithDefault<Buffer | null>;
  /** The device and the session that the restore created. */
  successor_hash: WithDefault<Buffer | null>;
  successor_session_hash: WithDefault<Buffer | null>;
};

export type LoginsTable = {
  user_id: string;
  id: string;
  outcome: 'signed_in' | 'wrong_password' | 'wrong_code' | 'recovered';
  browser: string | null;
  system: string | null;
  address: string;
  created_at: Instant;
};

type KnownBrowsersTable = { user_id: string; token_hash: Buffer; seen_at: Instant };

type RecoveryKitsTable = {
  user_id: string;
  /** SHA-256 of the proof. The proof is 256 random bits, so no slow hash is needed. */
  proof_hash: Buffer;
  main_key: ColumnType<import('@keyfold/contract').MainKey, string, string>;
  created_at: Instant;
};

type RetiredKeysTable = {
  user_id: string;
  key_id: string;
  /** Which of the user's key generations this was, counted from 1. */
  generation: number;
  /** Private keys, sealed by the client under the keys in use. */
  sealed: Buffer;
  /** Number of messages in the mailbox when the keys were replaced. */
  mails: number;
  retired_at: Instant;
  /** When the owner requested destruction of the keys; null while they are kept. */
  ending_since: InstantOrNull;
};

type SecondFactorsTable = {
  user_id: string;
  /** The authenticator app's secret, sealed under the master key; null if there is none. */
  secret_sealed: WithDefault<Buffer | null>;
  activated_at: InstantOrNull;
  /** Time step of the last accepted code; that code and older ones are rejected. */
  last_step: WithDefault<number>;
  /**
   * A sealed secret not yet confirmed by a code, and the time until which a code can confirm it.
   */
  pending_sealed: WithDefault<Buffer | null>;
  pending_until: InstantOrNull;
  /** Wrong codes since the last correct one, and the time until which no code is checked. */
  wrong_codes: WithDefault<number>;
  wait_until: InstantOrNull;
};

type RecoveryCodesTable = {
  user_id: string;
  /** HMAC of the code under the master key. A used code is deleted. */
  code_hash: Buffer;
  /**
   * Set of codes that were generated together and are not confirmed yet; null for confirmed codes.
   */
  shown_set: WithDefault<string | null>;
};

type PasskeysTable = {
  user_id: string;
  id: string;
  credential_id: Buffer;
  /** COSE key. */
  public_key: Buffer;
  counter: number;
  transports: string[];
  /** The owner's name for the key, sealed under the master key. */
  name_sealed: Buffer;
  is_synced: boolean;
  created_at: Instant;
  last_used_at: InstantOrNull;
};

/**
 * One-time challenges for a passkey or security key, bound to the session or MFA-pending session
 * that has this token.
 */
export type PasskeyChallengesTable = {
  user_id: string;
  token_hash: Buffer;
  purpose: 'add' | 'prove';
  challenge: string;
  expires_at: Instant;
};

/** MFA-pending sessions: sign-ins and recoveries that wait for the second factor. */
export type MfaPendingSessionsTable = {
  token_hash: Buffer;
  user_id: string;
  purpose: 'login' | 'recovery';
  tries: WithDefault<number>;
  expires_at: Instant;
};

export type AccessTables = {
  devices: DevicesTable;
  known_browsers: KnownBrowsersTable;
  logins: LoginsTable;
  recovery_kits: RecoveryKitsTable;
  /** Recovery kits whose words were shown but not confirmed. */
  shown_kits: RecoveryKitsTable;
  retired_keys: RetiredKeysTable;
  sessions: SessionsTable;
  second_factors: SecondFactorsTable;
  recovery_codes: RecoveryCodesTable;
  passkeys: PasskeysTable;
  passkey_challenges: PasskeyChallengesTable;
  half_sessions: MfaPendingSessionsTable;
};
