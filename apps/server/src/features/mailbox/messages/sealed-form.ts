/**
 * Checks that data a client sent has the form of sealed bytes (docs/wire-format.md#sealing). Does
 * not open it.
 */
import { AppError } from '@keyfold/contract/errors';

const BODY_IV_BYTES = 16;
const CIPHER_BLOCK_BYTES = 16;
/** IV and tag of an empty AES-GCM ciphertext. */
const SUMMARY_MIN_BYTES = 12 + 16;

const refuse = (path: string, message: string): AppError =>
  new AppError('message_refused', { problems: [{ path, message }] });

/**
 * Reads a sealed body: IV and at least one cipher block. Throws message_refused, naming the field.
 */
export function readSealedBody(text: string, path = 'body'): Buffer {
  const body = Buffer.from(text, 'base64');
  const cipherBytes = body.length - BODY_IV_BYTES;
  if (cipherBytes < CIPHER_BLOCK_BYTES || cipherBytes % CIPHER_BLOCK_BYTES !== 0)
    throw refuse(path, 'Invalid encrypted body');
  return body;
}

/** Reads a sealed summary. Throws message_refused, naming the field. */
export function readSealedSummary(text: string, path = 'summary'): Buffer {
  const summary = Buffer.from(text, 'base64');
  if (summary.length < SUMMARY_MIN_BYTES) throw refuse(path, 'Invalid encrypted summary');
  return summary;
}
