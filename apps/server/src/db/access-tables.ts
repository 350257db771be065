/**
 * The tables about getting into an account, as Kysely types: sessions, devices, sign-ins, known browsers, recovery kits.
 */
import type { ColumnType, Generated } from 'kysely';

type Instant = ColumnType<Date, Date | string, Date | string>;
type InstantOrNull = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
type WithDefault<T> = ColumnType<T, T | undefined, T>;

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
  /** What the session is called in lists; the token's hash stays here. */
  id: Generated<string>;
  /** Network of the last use. */
  address: WithDefault<string>;
  /** Its end, however much it is used. */
  ends_at: WithDefault<Date>;
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
  user_agent: WithDefault<string>;
  address: WithDefault<string>;
  /** When the family began, with a login. */
  started_at: WithDefault<Date>;
  ends_at: WithDefault<Date>;
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

export type KnownBrowsersTable = { user_id: string; token_hash: Buffer; seen_at: Instant };

export type RecoveryKitsTable = {
  user_id: string;
  /** SHA-256 of the proof, which is 256 random bits: no slow hash is needed. */
  proof_hash: Buffer;
  main_key: ColumnType<import('@keyfold/contract').MainKey, string, string>;
  created_at: Instant;
};

export type RetiredKeysTable = {
  user_id: string;
  key_id: string;
  /** Which of the user's keys they were, counted from 1. */
  generation: number;
  /** Private keys, sealed by the client under those in use. */
  sealed: Buffer;
  /** Mails of the mailbox when they were replaced. */
  mails: number;
  retired_at: Instant;
};
