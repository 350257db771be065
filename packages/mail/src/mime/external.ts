// Writes and reads the reference to a sealed file inside a payload: the `message/external-body;
// access-type="x-keyfold"` part of docs/wire-format.md#attachments. Besides ID, size and key it may
// carry `encoding`, `line`, `eol` and `tail`, which describe the file's original form so that
// reattach.ts can restore it byte for byte. Without them the file is written as base64 in CRLF
// lines of 76. Does not fetch files.

import { byteString } from '../bytes.ts';
import { MailError } from '../errors.ts';
import { decodeWords } from './encoded-words.ts';
import { findHeader, findHeaderText, readHeaderBlock } from './headers.ts';
import { parseStructured } from './parameters.ts';
import { leafParts, type MimePart, scanStructure } from './structure.ts';

/**
 * Data that gives access to a sealed file: its container ID and the base64 of its 32-byte file key.
 */
export type FileReference = {
  id: string;
  key: string;
};

/**
 * Original form of a file in the message it was detached from. `line` 0 means one unbroken line.
 */
export type OriginalForm = {
  encoding: 'base64' | 'identity';
  line: number; // characters per line
  eol: 'crlf' | 'lf';
  tail: number; // line ends after the last line
};

/** A parsed reference of a payload. */
export type ExternalFile = FileReference & {
  sizeBytes: number;
  name: string | null;
  type: string;
  disposition: string | null;
  contentId: string | null;
};

/**
 * A reference and the part it was read from; `form` is null when the part does not request exact
 * restoration.
 */
export type ExternalPart = {
  file: ExternalFile;
  form: OriginalForm | null;
  part: MimePart;
};

/** Access type of every reference, as written in its field. */
export const ACCESS_TYPE = 'x-keyfold';

const ID = /^[A-Za-z0-9_-]{1,128}$/;
const KEY = /^[A-Za-z0-9+/]{43}=$/;

/**
 * Returns the header block of a reference, including the blank line. Fails with `bad_reference` on
 * a malformed ID or key.
 */
export function formatReferenceHeader(
  reference: FileReference,
  sizeBytes: number,
  form: OriginalForm | null,
): string {
  const { id, key } = reference;
  if (!ID.test(id) || !KEY.test(key) || !Number.isSafeInteger(sizeBytes))
    throw new MailError('bad_reference');
  const exact = form
    ? `;\r\n encoding=${form.encoding}; line=${form.line}; eol=${form.eol}; tail=${form.tail}`
    : '';
  return (
    'Content-Type: message/external-body; access-type="x-keyfold";\r\n' +
    ` id="${id}"; size=${sizeBytes};\r\n key="${key}"${exact}\r\n\r\n`
  );
}

function readForm(params: Map<string, string>): OriginalForm | null {
  const encoding = params.get('encoding');
  const line = Number(params.get('line'));
  const eol = params.get('eol');
  const tail = Number(params.get('tail'));
  const known = (encoding === 'base64' || encoding === 'identity') && (eol === 'crlf' || eol === 'lf');
  if (!known || !Number.isInteger(line) || line < 0 || line > 998 || line % 4) return null;
  return Number.isInteger(tail) && tail >= 0 && tail <= 64 ? { encoding, line, eol, tail } : null;
}

/** Returns the reference in a leaf part of a payload, or null for an ordinary part. */
export function findReference(payload: Uint8Array, part: MimePart): ExternalPart | null {
  const { value, params } = part.contentType;
  if (value !== 'message/external-body' || params.get('access-type') !== ACCESS_TYPE || part.encoding)
    return null;
  // The field must contain the literal words, its name at the very start of a line, and no lone CR:
  // inert.ts guarantees to disarm exactly those in foreign mail.
  const found = findHeader(part.fields, 'content-type');
  const field = found ? byteString(payload.subarray(found.start, found.end)) : '';
  if (!/^content-type[ \t]*:/i.test(field) || /\r(?!\n)/.test(field)) return null;
  if (!/external-body/i.test(field) || !field.includes(ACCESS_TYPE) || /access-type\s*\*/i.test(field))
    return null;
  const id = params.get('id') ?? '';
  const key = params.get('key') ?? '';
  const size = params.get('size') ?? '';
  if (!ID.test(id) || !KEY.test(key) || !/^\d{1,15}$/.test(size)) return null;
  const inner = readHeaderBlock(payload, part.bodyStart, part.bodyEnd).fields;
  const type = parseStructured(findHeader(inner, 'content-type')?.value ?? '');
  const disposition = parseStructured(findHeader(inner, 'content-disposition')?.value ?? '');
  const name = disposition.params.get('filename') ?? type.params.get('name');
  return {
    file: {
      id,
      key,
      sizeBytes: Number(size),
      name: name ? decodeWords(name) : null,
      type: type.value || 'application/octet-stream',
      disposition: disposition.value || null,
      contentId: findHeaderText(inner, 'content-id'),
    },
    form: readForm(params),
    part,
  };
}

/** Returns every reference of a payload with its part, in document order. */
export function findReferences(payload: Uint8Array): ExternalPart[] {
  return leafParts(scanStructure(payload).root)
    .map(part => findReference(payload, part))
    .filter(found => found !== null);
}

/** Returns every file that a payload refers to, in document order. Never fails. */
export function listExternal(payload: Uint8Array): ExternalFile[] {
  return findReferences(payload).map(found => found.file);
}
