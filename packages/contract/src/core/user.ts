/**
 * The user and account data as calls carry them: main key, contacts, tags, plan (docs/spec-map.md
 * 3.01, 3.04, 3.08, docs/api-conventions.md).
 */
import { z } from 'zod';
import { base64Bytes, emailAddress } from './fields.ts';
import { ADMIN_LEVELS, TAG_COLORS } from './limits.ts';
import { PLANS } from './plans.ts';
import { rowsOf } from './rows.ts';

/** Login hash of docs/wire-format.md#passwords: 32 bytes as lowercase hex. */
export const loginHash = z.string().regex(/^[0-9a-f]{64}$/, 'Invalid login hash');

/**
 * Keys of the account: public keys in the clear, private keys and sent_key sealed with the vault
 * key (docs/wire-format.md#keys).
 */
export const mainKey = z.object({
  mlkem_public_key: base64Bytes(1568),
  mlkem_private_key_encrypted: base64Bytes(12 + 64 + 16),
  dh_public_key: base64Bytes(32),
  dh_private_key_encrypted: base64Bytes(12 + 32 + 16),
  sent_key: base64Bytes(12 + 32 + 16),
  key_id: base64Bytes(20),
});
export type MainKey = z.infer<typeof mainKey>;

/** Retired private keys, sealed under the current ones (docs/crypto.md, Retired keys). */
const retiredKey = z.object({
  key_id: z.string(),
  /** Generation of the account's keys, counted from 1. */
  generation: z.number(),
  sealed: z.string(),
});
export type RetiredKey = z.infer<typeof retiredKey>;

/**
 * Recovery kit as the server stores it: a proof of the phrase, and the keys wrapped by the phrase
 * (docs/crypto.md).
 */
export const recoveryKit = z.object({
  /** 32 bytes as lowercase hex. */
  proof: z.string().regex(/^[0-9a-f]{64}$/, 'Invalid proof'),
  main_key: mainKey,
});

export const contact = z.object({
  name: z.string(),
  email: z.string(),
  mlkem_public: base64Bytes(1568),
  dh_public: base64Bytes(32),
  fingerprint: base64Bytes(20),
  verified: z.boolean().optional(),
});
export type Contact = z.infer<typeof contact>;

/** One of the eight colors; an unknown color becomes gray. */
export const tagColor = z.enum(TAG_COLORS).catch('gray');

export const tag = z.object({ name: z.string().min(1).max(64), color: tagColor });
export type Tag = z.infer<typeof tag>;

export const user = z.object({
  email: emailAddress,
  kdf_email: emailAddress,
  name: z.string(),
  role: z.object({ is_admin: z.boolean(), admin_level: z.enum(ADMIN_LEVELS).nullable() }),
  primary_domain: z.string().optional(),
  domains: z.array(z.string()).default([]),
  /** All addresses except the main one, which is `email`. */
  addresses: z.array(z.string()),
  /** Default sender address of new messages, when it is not the main address. */
  default_address: z.string().optional(),
  /** Disabled addresses, which receive no mail. */
  off_addresses: z.array(z.string()).default([]),
  tags: rowsOf(tag),
  totp_active: z.boolean().default(false),
  /**
   * Number of passkeys and security keys. With at least one, or with TOTP, the account requires a
   * second factor.
   */
  passkeys: z.number().default(0),
  contacts: rowsOf(contact).default([]),
  plan: z.enum(PLANS),
  plan_config: z.object({ domain_limit: z.number(), address_limit: z.number(), storage_limit: z.number() }),
  storage_used: z.number(),
  main_key: mainKey,
  /** Retired keys that still open mail, oldest first. */
  retired_keys: z.array(retiredKey).default([]),
  /**
   * 32 random bytes that seal the client's local storage; valid as long as the session
   * (docs/api-conventions.md#sessions).
   */
  client_key: base64Bytes(32),
  /** When the confirmed recovery kit was created; null without one. */
  recovery_at: z.string().nullable().default(null),
  /**
   * When the words of an unconfirmed kit that opens the account were last shown; null without one.
   */
  recovery_shown_at: z.string().nullable().default(null),
  /** Present for new accounts only: the client shows a checklist of first steps. */
  first_steps: z.boolean().optional(),
  /** Seconds of inactivity after which the server ends the session. */
  session_seconds: z.number().optional(),
});
export type User = z.infer<typeof user>;

/**
 * Public keys of one address, or a statement that it has none here (docs/api-conventions.md#mail).
 * `unknown`: its domain is hosted here but the address does not exist, so mail to it bounces.
 */
export const addressKeys = z.union([
  z.object({
    email: z.string(),
    mlkem_public: base64Bytes(1568),
    dh_public: base64Bytes(32),
    fingerprint: base64Bytes(20),
  }),
  z.object({ email: z.string(), plaintext: z.literal(true), unknown: z.literal(true).optional() }),
]);
export type AddressKeys = z.infer<typeof addressKeys>;
