/**
 * Codes of an authenticator app (RFC 6238: SHA-1, six digits, 30 seconds) and their secret, which
 * is stored sealed under the master key. Does not detect reused codes; codes.ts does.
 */
import { Secret, TOTP } from 'otpauth';
import { TOTP_SECRET_BYTES, TOTP_STEP_SECONDS, TOTP_STEPS_ASIDE } from '../../../base/limits.ts';
import type { MasterKey } from '../../../base/master-key.ts';

const PURPOSE = 'totp secret';
const DIGITS = 6;

/** Copies the bytes into a separate buffer, as the library requires. */
const secretOf = (bytes: Uint8Array): Secret => new Secret({ buffer: new Uint8Array(bytes).buffer });

const totpOf = (secret: Uint8Array, label: string): TOTP =>
  new TOTP({
    issuer: 'Keyfold',
    label,
    secret: secretOf(secret),
    algorithm: 'SHA1',
    digits: DIGITS,
    period: TOTP_STEP_SECONDS,
  });

/** Returns a secret of 160 bits, as RFC 4226 §4 recommends. */
export const makeSecret = (): Buffer => Buffer.from(new Secret({ size: TOTP_SECRET_BYTES }).bytes);

/** Returns the secret for manual entry and for a QR code. */
export const showSecret = (secret: Uint8Array, address: string) => ({
  secret: secretOf(secret).base32,
  uri: totpOf(secret, address).toString(),
});

export const sealSecret = (masterKey: MasterKey, userId: string, secret: Uint8Array): Buffer =>
  masterKey.seal(PURPOSE, userId, secret);

/** Inverse of sealSecret. Throws when it was sealed for another user. */
export const openSecret = (masterKey: MasterKey, userId: string, sealed: Uint8Array): Buffer =>
  masterKey.open(PURPOSE, userId, sealed);

/** Returns whether a text has the form of an authenticator code. Ignores whitespace. */
export const isTotpShaped = (code: string): boolean => /^\d{6}$/.test(code.replace(/\s/g, ''));

/**
 * Returns the time step of a code, if it is the current step or an adjacent one; otherwise null.
 */
export function findStep(secret: Uint8Array, code: string, now: Date): number | null {
  // The library throws for six characters that are not six bytes.
  if (!isTotpShaped(code)) return null;
  const token = code.replace(/\s/g, '');
  const timestamp = now.getTime();
  const aside = totpOf(secret, '').validate({ token, timestamp, window: TOTP_STEPS_ASIDE });
  return aside === null ? null : TOTP.counter({ period: TOTP_STEP_SECONDS, timestamp }) + aside;
}
