/**
 * The tables about getting into an account, as Kysely types: sessions, devices, sign-ins, known browsers, recovery kits,
 * second factors.
 */
import type { ColumnType, Generated } from 'kysely';

type Instant = ColumnType<Date, Date | string, Date | string>;
type InstantOrNull = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
type WithDefault<T> = ColumnType<T, T | undefined, T>;

/** Why a session was ended from elsewhere. */
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
  /** client_key sealed with a key derived from the token, so that a copied database opens no stored vault. */
  client_key_sealed: Buffer;
  family_id: WithDefault<string | null>;
  user_agent: WithDefault<string>;
  created_at: Generated<Date>;
  last_used_at: WithDefault<Date>;
  expires_at: Instant;
  /** What the session is called in lists; the token's hash stays here. */
  id: Generated<string>;
  /** Network of the last use. */
  address: WithDefault<string>;
  /** Its end, however much it is used. */
  ends_at: WithDefault<Date>;
  /** Whether it was used since it began; null of one that the release before began. */
  is_used: WithDefault<boolean | null>;
  /** Why it was ended from elsewhere; such a row has expired and is kept for a day to say so. */
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
  /** When the family began, with a login. */
  started_at: WithDefault<Date>;
  ends_at: WithDefault<Date>;
  /** Whether it is the token behind a phone's biometrics, which stays the same. */
  is_biometric: WithDefault<boolean>;
  /** Of the key of the restore that replaced the token, SHA-256; a repeat under it is the same use for a minute. */
  repeat_digest: WithDefault<Buffer | null>;
  /** client_key sealed under the token and that key. */
  repeat_key_sealed: WithDefault<Buffer | null>;
  /** What that restore gave: a device and a session. */
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
  /** SHA-256 of the proof, which is 256 random bits: no slow hash is needed. */
  proof_hash: Buffer;
  main_key: ColumnType<import('@keyfold/contract').MainKey, string, string>;
  created_at: Instant;
};

type RetiredKeysTable = {
  user_id: string;
  key_id: string;
  /** Which of the user's keys they were, counted from 1. */
  generation: number;
  /** Private keys, sealed by the client under those in use. */
  sealed: Buffer;
  /** Mails of the mailbox when they were replaced. */
  mails: number;
  retired_at: Instant;
  /** Since when their owner has had them destroyed; null while they stay. */
  ending_since: InstantOrNull;
};

type SecondFactorsTable = {
  user_id: string;
  /** The authenticator app's secret, sealed under the master key; null while there is none. */
  secret_sealed: WithDefault<Buffer | null>;
  activated_at: InstantOrNull;
  /** The time step of the last code that was taken: neither it nor an older one counts again. */
  last_step: WithDefault<number>;
  /** A secret that no code was seen of yet, sealed likewise, and until when one counts. */
  pending_sealed: WithDefault<Buffer | null>;
  pending_until: InstantOrNull;
  /** Wrong codes since the last right one, and until when none is looked at. */
  wrong_codes: WithDefault<number>;
  wait_until: InstantOrNull;
};

type RecoveryCodesTable = {
  user_id: string;
  /** HMAC of the code under the master key. A code that was used is gone. */
  code_hash: Buffer;
  /** Codes that were made together and not confirmed; null for confirmed ones. */
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
  /** The owner's own word for it, sealed under the master key. */
  name_sealed: Buffer;
  is_synced: boolean;
  created_at: Instant;
  last_used_at: InstantOrNull;
};

/** What a key was asked to sign: for the session or the half-done sign-in whose token this is, once. */
export type PasskeyChallengesTable = {
  user_id: string;
  token_hash: Buffer;
  purpose: 'add' | 'prove';
  challenge: string;
  expires_at: Instant;
};

/** Half-done sign-ins and recoveries, which wait for the second factor. */
export type MfaPendingSessionsTable = {
  token_hash: Buffer;
  user_id: string;
  purpose: 'login' | 'recovery';
  tries: WithDefault<number>;
  expires_at: Instant;
};

/** These tables by name. */
export type AccessTables = {
  devices: DevicesTable;
  known_browsers: KnownBrowsersTable;
  logins: LoginsTable;
  recovery_kits: RecoveryKitsTable;
  /** Kits whose words were shown and not confirmed. */
  shown_kits: RecoveryKitsTable;
  retired_keys: RetiredKeysTable;
  sessions: SessionsTable;
  second_factors: SecondFactorsTable;
  recovery_codes: RecoveryCodesTable;
  passkeys: PasskeysTable;
  passkey_challenges: PasskeyChallengesTable;
  half_sessions: MfaPendingSessionsTable;
};
