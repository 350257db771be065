/**
 * The token in an invitation that Keyfold sent (docs/interpretations.md#78): an HMAC under the master key over UID, guest,
 * sequence, organiser and expiry, with these beside it in a form that only we can open, so that a link names nobody and nothing
 * is stored before somebody answers.
 */
import { timingSafeEqual } from 'node:crypto';
import type { MasterKey } from '../../../base/master-key.ts';

export type TokenClaims = {
  readonly attendee: string;
  readonly organizer: string;
  /** Whose event it is: an address may change hands before the event. */
  readonly userId: string;
  readonly sequence: number;
  /** Milliseconds since 1970. */
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

/** What a token claims; null when it was not made by us for this event. Its expiry is for the caller to look at. */
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
