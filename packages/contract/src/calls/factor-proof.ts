/**
 * What proves a second factor, as several calls carry it: a code, or the answer of a passkey or security key (WebAuthn
 * Level 3, the JSON forms of §5.1). Sizes are bounded; what the bytes mean is the server's to check.
 */
import { z } from 'zod';

/** A code of the authenticator app, or one of the recovery codes. */
export const factorCode = z.string().trim().min(6).max(32);

/** Bytes as base64url without padding, at most so many characters. */
const base64Url = (maxCharacters: number) =>
  z
    .string()
    .min(1)
    .max(maxCharacters)
    .regex(/^[A-Za-z0-9_-]+$/);

const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;

/** Ways to reach a key; those that are not known are left out. */
const transports = z
  .array(z.string().max(32))
  .max(16)
  .transform(list => TRANSPORTS.filter(one => list.includes(one)));

const credentialId = base64Url(1_400);

/** Extension results are not asked for and not looked at. */
const extensionResults = z.object({}).default({});

/** What `navigator.credentials.get` answered. */
export const passkeyAnswer = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64Url(4_000),
    authenticatorData: base64Url(2_000),
    /** Of ML-DSA up to 4,627 bytes. */
    signature: base64Url(8_000),
    userHandle: base64Url(200).optional(),
  }),
  clientExtensionResults: extensionResults,
});
export type PasskeyAnswer = z.infer<typeof passkeyAnswer>;

/** What `navigator.credentials.create` answered. */
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

/** Options for the browser, handed on as they are: the server made them. */
export const passkeyOptions = z.record(z.string(), z.unknown());

/** The fields by which a call proves the second factor where one is on; one of them. */
export const factorProof = {
  /** A code of the authenticator app, or a recovery code. */
  totp_code: factorCode.optional(),
  passkey: passkeyAnswer.optional(),
} as const;
