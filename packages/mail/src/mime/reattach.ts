// Restores files that detach.ts removed, for view source, export, and server delivery to outside
// recipients. Streams, so that a message of 25 MB needs no second copy. Callers fetch and open the
// sealed files. See [Note: Inert references].

import { base64Lines, byteString, bytesOfLatin1, concatBytes, toBase64 } from '../bytes.ts';
import { MailError } from '../errors.ts';
import {
  ACCESS_TYPE,
  type ExternalFile,
  type ExternalPart,
  findReferences,
  type OriginalForm,
} from './external.ts';
import { readHeaderBlock } from './headers.ts';
import { MARKER, restoreInert } from './inert.ts';

/** Returns the decoded content of a referenced file, whole or in pieces. */
export type FetchFile = (
  file: ExternalFile,
) => Promise<Uint8Array | AsyncIterable<Uint8Array>> | AsyncIterable<Uint8Array>;

const USUAL_FORM: OriginalForm = { encoding: 'base64', line: 76, eol: 'crlf', tail: 0 };

/** Encodes whole content in this form; detach.ts also uses it for its check. */
export function encodeForm(bytes: Uint8Array, form: OriginalForm): Uint8Array {
  if (form.encoding === 'identity') return bytes;
  const eol = form.eol === 'lf' ? '\n' : '\r\n';
  const lines = base64Lines(bytes, form.line, eol);
  return form.tail === 0 ? lines : concatBytes([lines, bytesOfLatin1(eol.repeat(form.tail))]);
}

function wrap(text: string, line: number, eol: string, isFirst: boolean): string {
  if (!line || (isFirst && text.length <= line)) return text;
  const lines: string[] = [];
  for (let index = 0; index < text.length; index += line) lines.push(text.slice(index, index + line));
  return (isFirst ? '' : eol) + lines.join(eol);
}

const CHUNK_LINES = 4096;

async function* encodePieces(
  pieces: AsyncIterable<Uint8Array>,
  form: OriginalForm,
): AsyncGenerator<Uint8Array> {
  if (form.encoding === 'identity') {
    yield* pieces;
    return;
  }
  const eol = form.eol === 'lf' ? '\n' : '\r\n';
  // Whole lines only, so that every piece but the last ends on a group of three bytes and on a line
  // end.
  const unit = form.line ? (form.line / 4) * 3 * CHUNK_LINES : 3 * 65_536;
  let held: Uint8Array = new Uint8Array(0);
  let isFirst = true;
  for await (const piece of pieces) {
    const joined: Uint8Array = held.length ? concatBytes([held, piece]) : piece;
    // Holds the last line back: it may turn out to be the end.
    const ready = Math.floor(Math.max(0, joined.length - 1) / unit) * unit;
    if (ready) {
      yield bytesOfLatin1(wrap(toBase64(joined.subarray(0, ready)), form.line, eol, isFirst));
      isFirst = false;
    }
    held = joined.slice(ready);
  }
  if (held.length) yield bytesOfLatin1(wrap(toBase64(held), form.line, eol, isFirst));
  if (form.tail) yield bytesOfLatin1(eol.repeat(form.tail));
}

async function* checkedPieces(file: ExternalFile, fetchFile: FetchFile): AsyncGenerator<Uint8Array> {
  const content = await fetchFile(file);
  let length = 0;
  if (content instanceof Uint8Array) {
    length = content.length;
    yield content;
  } else {
    for await (const piece of content) {
      length += piece.length;
      yield piece;
    }
  }
  if (length !== file.sizeBytes) throw new MailError('bad_file');
}

// A reference written by a composer has no original: its inner fields become the part's fields, and
// Keyfold chooses the encoding.
function plainHeader(payload: Uint8Array, found: ExternalPart): Uint8Array {
  const { part } = found;
  const outer = part.parent
    ? []
    : part.fields
        .filter(field => field.key !== 'content-type')
        .map(field => payload.subarray(field.start, field.end));
  const inner = readHeaderBlock(payload, part.bodyStart, part.bodyEnd)
    .fields.filter(field => field.key !== 'content-transfer-encoding')
    .map(field => trimmedLine(payload.subarray(field.start, field.end)));
  return concatBytes([...outer, ...inner, bytesOfLatin1('Content-Transfer-Encoding: base64\r\n\r\n')]);
}

function trimmedLine(field: Uint8Array): Uint8Array {
  let end = field.length;
  while (end && (field[end - 1] === 0x0a || field[end - 1] === 0x0d)) end--;
  return concatBytes([field.subarray(0, end), bytesOfLatin1('\r\n')]);
}

/**
 * Yields the raw message of a payload in pieces, with every file fetched and restored. Fails with
 * `bad_file` when a file does not have the size that its reference states, and with any error of
 * `fetchFile`.
 */
export async function* reattachStream(payload: Uint8Array, fetchFile: FetchFile): AsyncGenerator<Uint8Array> {
  let position = 0;
  let atLineStart = true;
  for (const found of findReferences(payload)) {
    const { part, form, file } = found;
    yield restoreInert(payload.subarray(position, part.start), atLineStart);
    yield form ? restoreInert(payload.subarray(part.bodyStart, part.bodyEnd)) : plainHeader(payload, found);
    yield* encodePieces(checkedPieces(file, fetchFile), form ?? USUAL_FORM);
    position = part.bodyEnd;
    atLineStart = false;
  }
  yield restoreInert(payload.subarray(position), atLineStart);
}

/**
 * Returns the raw message of a payload in one array, or the payload itself. Fails like {@link
 * reattachStream}.
 */
export async function reattach(payload: Uint8Array, fetchFile: FetchFile): Promise<Uint8Array> {
  // Without these words there is neither a reference (external.ts) nor a marker: most messages need
  // no parsing.
  const text = byteString(payload);
  if (!text.includes(ACCESS_TYPE) && !text.includes(MARKER)) return payload;
  const chunks: Uint8Array[] = [];
  for await (const chunk of reattachStream(payload, fetchFile)) chunks.push(chunk);
  return concatBytes(chunks);
}
