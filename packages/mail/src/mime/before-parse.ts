// Prepares a message for postal-mime: sealed files get a placeholder, inert lines are restored, and
// parts that postal-mime would misread (rare character sets, file names whose encoded words split a
// character; docs/reliability.md#hostile-input) are rewritten as UTF-8. The rewritten copy is for
// reading only and never leaves this layer.

import { bytesOfLatin1, concatBytes, randomHex, toBase64, utf8 } from '../bytes.ts';
import { PARSE_MAX_LINES, PARSE_MAX_MESSAGES, PART_MAX_LINES } from '../limits.ts';
import { boundGuesses, decodeText, findMetaCharset, isPlainUtf8 } from './charsets.ts';
import { findLocatedParts, type LocatedParts } from './content-location.ts';
import { decodeWords, encodeWords } from './encoded-words.ts';
import { type ExternalFile, findReference } from './external.ts';
import { isFlowed, readFlowed } from './flowed.ts';
import { findHeader, type HeaderField, readHeaderBlock } from './headers.ts';
import { restoreInert } from './inert.ts';
import { formatParameter, parseStructured, type StructuredValue } from './parameters.ts';
import { decodeTextBody, findPlainTail } from './plain-tail.ts';
import { formatHeader } from './stored-headers.ts';
import { leafParts, type MimePart, scanStructure } from './structure.ts';
import { decodeTransfer } from './transfer.ts';

/** The message to parse, and the placeholder text of each sealed file. */
export type Prepared = {
  raw: Uint8Array;
  files: ReadonlyMap<string, ExternalFile>;
  partEnd: string | null; // terminates each text of a message that has several
  located: LocatedParts | null; // pictures that HTML may reference by their Content-Location
  isReadable: boolean; // false when it has too many parts or lines to parse
};

type Replacement = {
  part: MimePart;
  bytes: Uint8Array;
};

const REWRITTEN = new Set([
  'content-type',
  'content-disposition',
  'content-transfer-encoding',
  'content-description',
]);

/** Returns the readable copy, or the same bytes when nothing needs repair. Never fails. */
export const prepareForParsing = (raw: Uint8Array, isPayload: boolean): Prepared =>
  boundGuesses(() => prepare(raw, isPayload));

function prepare(raw: Uint8Array, isPayload: boolean): Prepared {
  const files = new Map<string, ExternalFile>();
  const replacements: Replacement[] = [];
  const { root, truncated } = scanStructure(raw);
  const leaves = truncated ? [] : leafParts(root);
  // Random, so that no sender can forge it.
  const partEnd = hasSeveralTexts(leaves) ? `keyfold-part-${randomHex(16)}` : null;
  for (const part of leaves) {
    const reference = isPayload ? findReference(raw, part) : null;
    if (reference) {
      const placeholder = `keyfold-file-${randomHex(16)}`;
      files.set(placeholder, reference.file);
      replacements.push({ part, bytes: placeholderPart(raw, part, placeholder) });
    } else {
      const bytes = mendPart(raw, part, partEnd);
      if (bytes) replacements.push({ part, bytes });
    }
  }
  const chunks: Uint8Array[] = [];
  let position = 0;
  for (const { part, bytes } of replacements) {
    chunks.push(raw.subarray(position, part.start), bytes);
    position = part.bodyEnd;
  }
  chunks.push(raw.subarray(position));
  const mended = chunks.length === 1 ? raw : concatBytes(chunks);
  const isReadable = !truncated && countLines(mended) * (1 + countMessageLevels(root)) <= PARSE_MAX_LINES;
  return {
    raw: isPayload ? restoreInert(mended) : mended,
    files,
    partEnd,
    located: findLocatedParts(leaves),
    isReadable,
  };
}

/**
 * Reports whether the part is shown as message text, which the parser joins with the other texts.
 */
function isShownText({ contentType: { value }, disposition }: MimePart): boolean {
  return (value === 'text/plain' || value === 'text/html') && disposition.value !== 'attachment';
}

/** Returns the part itself, or the multipart/alternative that contains it. */
function alternativeAround(part: MimePart): MimePart {
  for (let around = part.parent; around; around = around.parent)
    if (around.contentType.value === 'multipart/alternative') return around;
  return part;
}

/** Reports whether there is HTML with other message text before or after it. */
function hasSeveralTexts(leaves: readonly MimePart[]): boolean {
  const texts = leaves.filter(isShownText);
  const html = texts.filter(({ contentType }) => contentType.value === 'text/html');
  return html.length > 1 || (html.length > 0 && new Set(texts.map(alternativeAround)).size > 1);
}

// Returns the number of messages around the innermost part: each one reads every line once more.
function countMessageLevels(root: MimePart): number {
  let deepest = 0;
  for (const leaf of leafParts(root)) {
    let levels = 0;
    for (let part = leaf.parent; part; part = part.parent)
      if (part.contentType.value === 'message/rfc822') levels++;
    deepest = Math.max(deepest, levels);
  }
  return Math.min(deepest, PARSE_MAX_MESSAGES);
}

function countLines(bytes: Uint8Array): number {
  let count = 0;
  for (let index = 0; index < bytes.length; index++) if (bytes[index] === 0x0a) count++;
  return count;
}

function keptFields(
  raw: Uint8Array,
  fields: readonly HeaderField[],
  dropped: (key: string) => boolean,
): Uint8Array {
  const lines = fields
    .filter(field => !dropped(field.key))
    .map(field => {
      let end = field.end;
      while (end > field.start && (raw[end - 1] === 0x0a || raw[end - 1] === 0x0d)) end--;
      return concatBytes([raw.subarray(field.start, end), bytesOfLatin1('\r\n')]);
    });
  return concatBytes(lines);
}

function placeholderPart(raw: Uint8Array, part: MimePart, placeholder: string): Uint8Array {
  const inner = readHeaderBlock(raw, part.bodyStart, part.bodyEnd);
  // The outer fields of a whole-message reference are also in the inner ones if the sender wrote
  // them.
  const innerKeys = new Set(inner.fields.map(field => field.key));
  const outer = part.parent
    ? new Uint8Array(0)
    : keptFields(raw, part.fields, key => key.startsWith('content-') || innerKeys.has(key));
  const headers = writeFields(raw, inner.fields, type => type);
  const asFile = findHeader(inner.fields, 'content-disposition') ? '' : 'Content-Disposition: attachment\r\n';
  return concatBytes([
    outer,
    headers,
    bytesOfLatin1(`${asFile}Content-Transfer-Encoding: 7bit\r\n\r\n${placeholder}`),
  ]);
}

// Returns the header fields of a part with rewritten content fields, in an unambiguous form.
function writeFields(
  raw: Uint8Array,
  fields: readonly HeaderField[],
  mendType: (type: StructuredValue) => StructuredValue,
): Uint8Array {
  let block = '';
  const write = (name: string, structured: StructuredValue, limit: RegExp) => {
    const params = [...structured.params].map(([key, value]) =>
      limit.test(key)
        ? formatParameter(key, key === 'filename' || key === 'name' ? decodeWords(value) : value)
        : '',
    );
    block += formatHeader(name, [structured.value, ...params.filter(Boolean)].join('; '));
  };
  const type = findHeader(fields, 'content-type');
  if (type) write('Content-Type', mendType(parseStructured(type.value)), /^[\w.-]{1,40}$/);
  const disposition = findHeader(fields, 'content-disposition');
  if (disposition) write('Content-Disposition', parseStructured(disposition.value), /^filename$/);
  const description = findHeader(fields, 'content-description');
  if (description) block += formatHeader('Content-Description', encodeWords(decodeWords(description.value)));
  return concatBytes([keptFields(raw, fields, key => REWRITTEN.has(key)), bytesOfLatin1(block)]);
}

const READ_AS_TEXT = new Set(['text/plain', 'text/html', 'text/calendar', 'application/ics']);

/**
 * Returns the text of a part, decoded by its own label, the label in the HTML page, or detection
 * from the bytes.
 */
export function textOfPart(bytes: Uint8Array, { contentType: { value, params } }: MimePart): string {
  return decodeText(bytes, params.get('charset'), value === 'text/html' ? findMetaCharset(bytes) : null);
}

// Returns the text of a part whose character set postal-mime may get wrong, or null when it is
// correctly labeled plain UTF-8 or ASCII.
function findMendedText(raw: Uint8Array, part: MimePart): string | null {
  if (!READ_AS_TEXT.has(part.contentType.value) || part.disposition.value === 'attachment') return null;
  const body = raw.subarray(part.bodyStart, part.bodyEnd);
  const bytes = decodeTextBody(body, part.encoding, part.contentType.value);
  return isPlainUtf8(bytes, part.contentType.params.get('charset')) ? null : textOfPart(bytes, part);
}

// Produces few lines, because the parser pays for each line, once more per enclosing message.
function longLines(bytes: Uint8Array): string {
  const text = toBase64(bytes);
  const lines: string[] = [];
  for (let index = 0; index < text.length; index += 65_536) lines.push(text.slice(index, index + 65_536));
  return lines.join('\r\n');
}

function findMarkedText(raw: Uint8Array, part: MimePart, partEnd: string | null): string | null {
  const mended = findMendedText(raw, part);
  if (!isShownText(part)) return mended;
  const body = raw.subarray(part.bodyStart, part.bodyEnd);
  const isMisread = isFlowed(part.contentType) || findPlainTail(body, part.encoding) >= 0;
  if (partEnd === null && !isMisread) return mended;
  const bytes = decodeTextBody(body, part.encoding, part.contentType.value);
  const text = mended ?? textOfPart(bytes, part);
  const joined = readFlowed(text, part.contentType);
  return partEnd === null ? joined : `${joined.replaceAll('\r\n', '\n')}\n${partEnd}`;
}

/**
 * Reports whether the part is an unencoded file, whose line ends are ordinary bytes: the parser
 * would rewrite them.
 */
const isBareFile = ({ contentType: { value }, encoding }: MimePart, body: Uint8Array): boolean =>
  /^(?!text\/|message\/|multipart\/)./.test(value) &&
  !READ_AS_TEXT.has(value) &&
  !/base64|quoted-printable|uuencode/i.test(encoding) &&
  body.length > 0;

function mendPart(raw: Uint8Array, part: MimePart, partEnd: string | null): Uint8Array | null {
  if (part.bodyStart === part.headersEnd) return null;
  const body = raw.subarray(part.bodyStart, part.bodyEnd);
  const text = findMarkedText(raw, part, partEnd);
  const hasWords = part.fields.some(
    field => REWRITTEN.has(field.key) && /=\?|\*\s*=|[\u0080-\uffff]/.test(field.value),
  );
  // The parts of a base64-encoded message are not scanned, so it must not be split later either:
  // treat it as a file.
  const isHiddenMessage =
    part.contentType.value === 'message/rfc822' && part.disposition.value !== 'attachment';
  const isLong = body.length > PART_MAX_LINES && countLines(body) > PART_MAX_LINES;
  const isBare = isBareFile(part, body);
  if (text === null && !hasWords && !isHiddenMessage && !isLong && !isBare) return null;
  const headers = writeFields(raw, part.fields, type => {
    if (text !== null) {
      type.params.set('charset', 'utf-8');
      type.params.delete('format');
    }
    return type;
  });
  const typed = findHeader(part.fields, 'content-type') || text === null;
  let tail = typed ? '' : 'Content-Type: text/plain; charset=utf-8\r\n';
  if (isHiddenMessage) tail += 'Content-Disposition: attachment\r\n';
  const rewritten =
    text !== null ? utf8(text) : isLong || isBare ? decodeTransfer(body, part.encoding) : null;
  tail += formatHeader('Content-Transfer-Encoding', rewritten ? 'base64' : part.encoding || '8bit');
  const content = rewritten ? bytesOfLatin1(longLines(rewritten)) : body;
  return concatBytes([headers, bytesOfLatin1(`${tail}\r\n`), content]);
}
