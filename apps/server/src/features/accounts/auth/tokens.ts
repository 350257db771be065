/**
 * Secrets in cookies. A token is 32 random bytes; only its SHA-256 is stored, and the client key is
 * sealed under a key derived from the token. A copy of the database therefore neither signs in nor
 * opens a stored vault (docs/api-conventions.md#sessions).
 */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;
const CLIENT_KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Purpose of a token. A token of one kind is invalid as any other kind. */
export type TokenKind = 'session' | 'device' | 'biometric' | 'browser' | 'pending' | 'repeat';

/** Returns a new token in base64url, the form sent to clients. */
export const createToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

/** Returns a new client key of 32 bytes. */
export const createClientKey = (): Buffer => randomBytes(CLIENT_KEY_BYTES);

/** Returns whether a text has the form of a token. */
export const isToken = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text);

/** Returns the hash under which a token is stored. */
export const hashToken = (kind: TokenKind, token: string): Buffer =>
  createHash('sha256').update(kind).update(Buffer.from(token, 'base64url')).digest();

const sealingKey = (kind: TokenKind, token: string): Buffer =>
  Buffer.from(hkdfSync('sha256', Buffer.from(token, 'base64url'), '', `keyfold ${kind} client key`, 32));

/**
 * Returns a client key in stored form: IV12 || AES-256-GCM under a key derived from the token ||
 * tag.
 */
export function sealClientKey(kind: TokenKind, token: string, clientKey: Uint8Array): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', sealingKey(kind, token), iv);
  return Buffer.concat([iv, cipher.update(clientKey), cipher.final(), cipher.getAuthTag()]);
}

/** Inverse of sealClientKey. Throws when the token does not match. */
export function openClientKey(kind: TokenKind, token: string, sealed: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', sealingKey(kind, token), sealed.subarray(0, IV_BYTES), {
    authTagLength: TAG_BYTES,
  }).setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
  return Buffer.concat([
    decipher.update(sealed.subarray(IV_BYTES, sealed.length - TAG_BYTES)),
    decipher.final(),
  ]);
}
