/**
 * Proof of a second factor, shared by several calls: a code, or the answer of a passkey or security
 * key (WebAuthn Level 3, the JSON forms of §5.1). Sizes are bounded here; the server verifies the
 * contents.
 */
import { z } from 'zod';

/** A code of the authenticator app, or a recovery code. */
export const factorCode = z.string().trim().min(6).max(32);

/** Bytes as base64url without padding, with at most this many characters. */
const base64Url = (maxCharacters: number) =>
  z
    .string()
    .min(1)
    .max(maxCharacters)
    .regex(/^[A-Za-z0-9_-]+$/);

const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;

/** Transports of a key; unknown ones are dropped. */
const transports = z
  .array(z.string().max(32))
  .max(16)
  .transform(list => TRANSPORTS.filter(one => list.includes(one)));

const credentialId = base64Url(1_400);

/** Extension results are neither requested nor read. */
const extensionResults = z.object({}).default({});

/** The result of `navigator.credentials.get`. */
export const passkeyAnswer = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64Url(4_000),
    authenticatorData: base64Url(2_000),
    /** An ML-DSA signature has up to 4,627 bytes. */
    signature: base64Url(8_000),
    userHandle: base64Url(200).optional(),
  }),
  clientExtensionResults: extensionResults,
});
export type PasskeyAnswer = z.infer<typeof passkeyAnswer>;

/** The result of `navigator.credentials.create`. */
export const newPasskey = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64Url(4_000),
    attestationObject: base64Url(32_000),
    transports: transports.optional(),
  }),
  clientExtensionResults: extensionResults,
});
export type NewPasskey = z.infer<typeof newPasskey>;

/** Options for the browser, passed through unchanged because the server created them. */
export const passkeyOptions = z.record(z.string(), z.unknown());

/** Fields that prove the second factor if one is enabled; a call has one of them. */
export const factorProof = {
  /** A code of the authenticator app, or a recovery code. */
  totp_code: factorCode.optional(),
  passkey: passkeyAnswer.optional(),
} as const;
