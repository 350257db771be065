/**
 * Builds the message for external recipients, who have no keys: opens it with the message key from
 * the request, restores its sealed files, and rebuilds its header. All of this happens in memory,
 * for the duration of one request (docs/wire-format.md#plaintext-recipients,
 * docs/wire-format.md#payload). The result is queued sealed.
 */
import { AppError } from '@keyfold/contract/errors';
import { openAttachment } from '@keyfold/crypto/attachment';
import { CryptoError } from '@keyfold/crypto/errors';
import { openWithMessageKey } from '@keyfold/crypto/message';
import { formatMailbox } from '@keyfold/mail/addresses';
import { encodeWords } from '@keyfold/mail/mime/encoded-words';
import { type ExternalFile, listExternal } from '@keyfold/mail/mime/external';
import { reattachStream } from '@keyfold/mail/mime/reattach';
import { formatHeader } from '@keyfold/mail/mime/stored-headers';
import type { BlobStore } from '../../../adapters/blobs.ts';
import { OUTGOING_MAX_BYTES } from '../../../base/sending-limits.ts';
import { type Outgoing, rebuildHeader } from './outgoing-headers.ts';
import type { OutgoingMessage } from './outgoing-message.ts';

export type OutgoingInput = Outgoing & {
  readonly message: OutgoingMessage;
  /** The sealed summary as sent. It proves that key and body belong together. */
  readonly summary: string;
  readonly messageKey: Uint8Array;
  /** The actual subject, for a payload without its own headers. */
  readonly subject: string;
  readonly senderName: string;
  /** Encrypted blobs that the sender may include in this message. */
  readonly allowedContainers: ReadonlySet<string>;
};

export type BuiltOutgoing = {
  /** With CRLF line ends. The caller wipes it. */
  readonly message: Buffer;
  readonly usedContainers: readonly string[];
};

const refuse = (path: string, message: string, cause?: unknown): AppError =>
  new AppError('message_refused', { problems: [{ path, message }], cause });

async function openPayload(input: OutgoingInput): Promise<Uint8Array> {
  try {
    return await openWithMessageKey(input.message.body, input.messageKey, {
      binding: input.message.binding,
      summary: input.summary,
    });
  } catch (error) {
    throw refuse('encryption_key', 'Does not decrypt the message', error);
  }
}

/** Adds the headers from the request to a payload that has none of its own. */
function asMessage(payload: Uint8Array, input: OutgoingInput): Uint8Array {
  const { message: mail } = input;
  if (mail.isWhole) return payload;
  const head = [
    formatHeader('From', formatMailbox({ name: input.senderName, address: input.usedAddress })),
    formatHeader('Subject', encodeWords(input.subject)),
    mail.inReplyTo === null ? '' : formatHeader('In-Reply-To', mail.inReplyTo),
    mail.references.length === 0 ? '' : formatHeader('References', mail.references.join(' ')),
    formatHeader('Content-Type', mail.contentType),
    '\r\n',
  ];
  return Buffer.concat([Buffer.from(head.join('')), payload]);
}

const openFile = async function* (blobs: BlobStore, file: ExternalFile): AsyncGenerator<Uint8Array> {
  const key = Buffer.from(file.key, 'base64');
  try {
    const source = await blobs.get(file.id).catch(cause => {
      throw new AppError('unavailable', { cause });
    });
    yield* openAttachment(key, source);
  } finally {
    key.fill(0);
  }
};

/**
 * Returns whether every CR is followed by LF and every LF preceded by CR. Uses native search,
 * because messages are large.
 */
function hasOnlyCrlf(bytes: Buffer): boolean {
  for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, at + 1))
    if (bytes[at - 1] !== 0x0d) return false;
  for (let at = bytes.indexOf(0x0d); at >= 0; at = bytes.indexOf(0x0d, at + 2))
    if (bytes[at + 1] !== 0x0a) return false;
  return true;
}

/**
 * Makes every line end in CRLF. Some readers treat a lone CR or LF as a line end, so it becomes one
 * for all. Returns the same buffer when nothing has to change.
 */
export function withCrlf(given: Uint8Array): Buffer {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
  if (hasOnlyCrlf(bytes)) return bytes;
  const isLone = (at: number): boolean =>
    (bytes[at] === 0x0a && bytes[at - 1] !== 0x0d) || (bytes[at] === 0x0d && bytes[at + 1] !== 0x0a);
  let lone = 0;
  for (let at = 0; at < bytes.length; at++) if (isLone(at)) lone++;
  const whole = Buffer.allocUnsafe(bytes.length + lone);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (isLone(at)) {
      whole[length++] = 0x0d;
      whole[length++] = 0x0a;
    } else whole[length++] = bytes[at] as number;
  }
  return whole;
}

async function reattached(raw: Uint8Array, blobs: BlobStore): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const piece of reattachStream(raw, file => openFile(blobs, file))) {
      length += piece.length;
      if (length > OUTGOING_MAX_BYTES) throw new AppError('too_large');
      pieces.push(piece);
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (error instanceof CryptoError) throw refuse('body', 'An attachment cannot be decrypted', error);
    throw refuse('body', 'An attachment does not match its reference', error);
  }
  const joined = Buffer.concat(pieces);
  const whole = withCrlf(joined);
  if (whole.buffer !== joined.buffer) joined.fill(0);
  return whole;
}

/**
 * Builds the outgoing message. Throws message_refused (wrong key, foreign From, blobs that are not
 * the sender's), too_large, or unavailable when the blobs cannot be read.
 */
export async function buildOutgoing(blobs: BlobStore, input: OutgoingInput): Promise<BuiltOutgoing> {
  const payload = await openPayload(input);
  let raw: Uint8Array = payload;
  let whole: Buffer | null = null;
  try {
    raw = asMessage(payload, input);
    const files = listExternal(raw);
    if (files.some(({ id }) => !input.allowedContainers.has(id)))
      throw refuse('forwarded_attachments', 'The message refers to an attachment that it does not include');
    if (files.reduce((sum, { sizeBytes }) => sum + sizeBytes, raw.length) > OUTGOING_MAX_BYTES)
      throw new AppError('too_large');
    whole = await reattached(raw, blobs);
    const { header, bodyStart } = rebuildHeader(whole, input);
    return {
      message: Buffer.concat([header, whole.subarray(bodyStart)]),
      usedContainers: files.map(({ id }) => id),
    };
  } finally {
    payload.fill(0);
    raw.fill(0);
    whole?.fill(0);
  }
}
