// Edits the header block of a raw message without touching its body: prepends and removes fields.
// The server uses it at ingest and before delivery (docs/wire-format.md#payload).

import { parseAddressList } from '../addresses.ts';
import { concatBytes, utf8 } from '../bytes.ts';
import { decodeUnlabeled } from './charsets.ts';
import { findHeader, findHeaderText, findIsoDate, parseReferences, readHeaderBlock } from './headers.ts';
import { buildStoredHeaders, lineEndOf, type StoredHeaderInput } from './stored-headers.ts';

/**
 * Returns the message without the named header fields, including folded lines; the same array when
 * there were none.
 */
export function removeHeaders(raw: Uint8Array, names: readonly string[]): Uint8Array {
  const unwanted = new Set(names.map(name => name.toLowerCase()));
  // Reads to the very end: a field left in because the block is long would be a leak.
  const block = readHeaderBlock(raw, 0, raw.length, Number.POSITIVE_INFINITY);
  const fields = block.fields.filter(field => unwanted.has(field.key));
  if (!fields.length) return raw;
  const chunks: Uint8Array[] = [];
  let position = 0;
  for (const field of fields) {
    chunks.push(raw.subarray(position, field.start));
    position = field.end;
  }
  chunks.push(raw.subarray(position));
  return concatBytes(chunks);
}

/** Returns the message without Bcc and Resent-Bcc, as it may be sent to others. */
export function stripBcc(raw: Uint8Array): Uint8Array {
  return removeHeaders(raw, ['bcc', 'resent-bcc']);
}

/**
 * Returns the message with a block of whole fields (each ending in a line end) prepended, using the
 * message's line ends.
 */
export function prependHeaders(raw: Uint8Array, block: string): Uint8Array {
  if (!block) return raw;
  const lines = block.replace(/[\r\n]+$/, '').split(/\r\n|\n/);
  const eol = lineEndOf(raw);
  return concatBytes([utf8(lines.join(eol) + eol), raw]);
}

/**
 * Returns the stored header block for a raw message at ingest; `authenticationResults` are the
 * receiving server's verdicts.
 */
export function storedHeadersOf(raw: Uint8Array, authenticationResults: readonly string[] = []): string {
  const { fields } = readHeaderBlock(raw);
  const list = (key: string) =>
    parseAddressList(
      fields
        .filter(field => field.key === key)
        .map(field => field.value)
        .join(', '),
    ).filter(mailbox => mailbox.address && isWritable(mailbox.address));
  const input: StoredHeaderInput = {
    from: parseAddressList(findHeader(fields, 'from')?.value ?? '').filter(box => isWritable(box.address)),
    to: list('to'),
    cc: list('cc'),
    date: findIsoDate(findHeaderText(fields, 'date') ?? ''),
    messageId: findHeader(fields, 'message-id')?.value ?? null,
    inReplyTo: findHeader(fields, 'in-reply-to')?.value ?? null,
    references: parseReferences(findHeader(fields, 'references')?.value ?? ''),
    authenticationResults,
  };
  return buildStoredHeaders(input);
}

// A hostile address with a bracket or control character is omitted rather than rejected: the
// message itself is kept.
function isWritable(address: string): boolean {
  return !/[\p{Cc}<>]/u.test(address);
}

/** Returns a header block as text, with line folds as in the message, for "view headers". */
export function headerText(raw: Uint8Array): string {
  return decodeUnlabeled(raw.subarray(0, readHeaderBlock(raw).end));
}
