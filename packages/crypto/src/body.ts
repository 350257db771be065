// The message body: IV (16 bytes) || AES-256-CBC with PKCS#7, under the message key
// (docs/crypto.md#message). Never used alone: message.ts and opener.ts check the binding first
// ([Note: Binding] in message.ts).

import { concatBytes, decodeBase64, requireSize } from './bytes.ts';
import { AES_BLOCK_BYTES, CBC_IV_BYTES, MESSAGE_KEY_BYTES } from './params.ts';
import type { Bytes } from './platform.ts';
import type { Primitives } from './primitives/port.ts';

/** Returns the raw body and its binding SHA-256(body). */
export async function sealBody(
  primitives: Primitives,
  payload: Uint8Array,
  messageKey: Uint8Array,
): Promise<{ readonly body: Bytes; readonly binding: Bytes }> {
  requireSize(messageKey, MESSAGE_KEY_BYTES, 'Message key');
  const iv = primitives.random(CBC_IV_BYTES);
  const body = concatBytes(iv, await primitives.aesCbcEncrypt(messageKey, iv, payload));
  return { body, binding: await primitives.sha256(body) };
}

/** Returns the payload of a raw body. Throws on a wrong size or padding. */
export async function openBody(
  primitives: Primitives,
  body: Uint8Array,
  messageKey: Uint8Array,
): Promise<Bytes> {
  requireSize(messageKey, MESSAGE_KEY_BYTES, 'Message key');
  if (body.length < CBC_IV_BYTES + AES_BLOCK_BYTES || body.length % AES_BLOCK_BYTES !== 0)
    throw new RangeError('Body is not whole blocks');
  const iv = body.subarray(0, CBC_IV_BYTES);
  return primitives.aesCbcDecrypt(messageKey, iv, body.subarray(CBC_IV_BYTES));
}

/** Returns a body as bytes, from base64 or raw input. */
export function toBodyBytes(body: string | Uint8Array): Uint8Array {
  return typeof body === 'string' ? decodeBase64(body) : requireBytes(body);
}

function requireBytes(value: unknown): Uint8Array {
  if (!(value instanceof Uint8Array)) throw new TypeError('Body is missing');
  return value;
}
