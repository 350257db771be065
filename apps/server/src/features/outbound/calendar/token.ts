/**
 * Token in an invitation that Keyfold sent (docs/interpretations.md#78): an HMAC under the master
 * key over UID, guest, sequence, organizer and expiry, followed by the same values sealed by the
 * server. A link therefore identifies no person, and nothing is stored before a guest answers.
 */
import { timingSafeEqual } from 'node:crypto';
import type { MasterKey } from '../../../base/master-key.ts';

export type TokenClaims = {
  readonly attendee: string;
  readonly organizer: string;
  /** The user who owns the event. The address may change hands before the event. */
  readonly userId: string;
  readonly sequence: number;
  /** Unix time in milliseconds. */
  readonly expiresAt: number;
};

const MAC_BYTES = 32;
const PURPOSE = 'rsvp token';

const macOf = (masterKey: MasterKey, eventId: string, claims: TokenClaims): Buffer =>
  masterKey.digest(
    PURPOSE,
    eventId,
    claims.attendee,
    String(claims.sequence),
    claims.organizer,
    claims.userId,
    String(claims.expiresAt),
  );

export function createToken(masterKey: MasterKey, eventId: string, claims: TokenClaims): string {
  const sealed = masterKey.seal(PURPOSE, eventId, Buffer.from(JSON.stringify(claims)));
  return Buffer.concat([macOf(masterKey, eventId, claims), sealed]).toString('base64url');
}

/**
 * Returns the claims of a token, or null when this service did not issue it for this event. The
 * caller must check the expiry.
 */
export function readToken(masterKey: MasterKey, eventId: string, token: string): TokenClaims | null {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length <= MAC_BYTES) return null;
  let claims: TokenClaims;
  try {
    claims = JSON.parse(
      masterKey.open(PURPOSE, eventId, bytes.subarray(MAC_BYTES)).toString(),
    ) as TokenClaims;
  } catch {
    return null;
  }
  return timingSafeEqual(bytes.subarray(0, MAC_BYTES), macOf(masterKey, eventId, claims)) ? claims : null;
}
