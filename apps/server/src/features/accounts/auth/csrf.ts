/**
 * The token that admin requests carry beside the cookie (docs/api-conventions.md#csrf): an expiry
 * and an HMAC over the expiry and the session. Nothing is stored, and a token of another session is
 * invalid.
 */
import { timingSafeEqual } from 'node:crypto';
import { CSRF_LIFETIME_MS } from '../../../base/limits.ts';
import type { MasterKey } from '../../../base/master-key.ts';

const EXPIRY_BYTES = 6;
const MAC_BYTES = 32;

const macOf = (masterKey: MasterKey, sessionHash: Buffer, expiry: Buffer): Buffer =>
  masterKey.digest('csrf', sessionHash, expiry);

/** Creates a token for this session, valid for CSRF_LIFETIME_MS. */
export function createCsrfToken(masterKey: MasterKey, sessionHash: Buffer, now: Date): string {
  const expiry = Buffer.alloc(EXPIRY_BYTES);
  expiry.writeUIntBE(now.getTime() + CSRF_LIFETIME_MS, 0, EXPIRY_BYTES);
  return Buffer.concat([expiry, macOf(masterKey, sessionHash, expiry)]).toString('base64url');
}

/** Returns whether a token was created for this session and has not expired. */
export function isCsrfToken(
  masterKey: MasterKey,
  sessionHash: Buffer,
  token: string | undefined,
  now: Date,
): boolean {
  const bytes = Buffer.from(token ?? '', 'base64url');
  if (bytes.length !== EXPIRY_BYTES + MAC_BYTES) return false;
  const expiry = bytes.subarray(0, EXPIRY_BYTES);
  const isOurs = timingSafeEqual(bytes.subarray(EXPIRY_BYTES), macOf(masterKey, sessionHash, expiry));
  return isOurs && expiry.readUIntBE(0, EXPIRY_BYTES) > now.getTime();
}
