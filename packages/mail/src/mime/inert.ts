// [Note: Inert references] A part of type message/external-body with access type x-keyfold, found
// in a payload, is trusted as a Keyfold reference. An external message could contain such a part.
// Before a foreign message becomes a payload, every line that any reader might take for that
// Content-Type gets the prefix "X-Keyfold-Inert-", which turns it into an unknown header field. To
// make this step exactly reversible, lines that already begin with the marker get it once more. The
// test works by lines over the whole message, never by structure: it does not depend on readers
// agreeing about where the parts are, and it holds beyond all nesting limits.
// docs/wire-format.md#attachments.

import { byteString, bytesOfLatin1, concatBytes } from '../bytes.ts';
import { stripComments } from './parameters.ts';

/** Prefix that disarms a line. */
export const MARKER = 'X-Keyfold-Inert-';
const MARKER_BYTES = bytesOfLatin1(MARKER);

// A lone CR begins a line for some readers, so it does here. Only such lines are examined closely.
const CANDIDATE = /(?<![^\r\n])(?:content-type[ \t]*:|X-Keyfold-Inert-)/gi;
const ONE_FIELD = /[^\r\n]*(?:(?:\r\n|\r|\n)[ \t][^\r\n]*)*/y;
const FIELD_MAX_CHARACTERS = 65_536;
const FIELD_MIN_CHARACTERS = 'content-type:message/external-body;'.length;

function isSuspicious(field: string): boolean {
  // Comments, quoting, percent-encoding and folding are removed in every combination that a reader
  // might choose.
  const unfolded = field.slice(field.indexOf(':') + 1).replace(/[\r\n]+/g, '');
  return [unfolded, stripComments(unfolded)].some(text => {
    const plain = text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    const [type = ''] = plain.split(';', 1);
    return (
      lettersOf(type).includes('messageexternalbody') &&
      (lettersOf(plain).includes('keyfold') || /access-type\s*\*/i.test(plain))
    );
  });
}

const lettersOf = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, '');

/**
 * Returns the offsets at which a marker must be inserted so that no part of this message passes for
 * a Keyfold reference.
 */
export function findInertOffsets(raw: Uint8Array): number[] {
  const text = byteString(raw);
  const offsets: number[] = [];
  for (const match of text.matchAll(CANDIDATE)) {
    if (match[0].startsWith(MARKER)) {
      offsets.push(match.index);
      continue;
    }
    if (match[0].toLowerCase() === MARKER.toLowerCase()) continue;
    ONE_FIELD.lastIndex = match.index;
    const field = ONE_FIELD.exec(text)?.[0] ?? '';
    if (field.length < FIELD_MIN_CHARACTERS) continue;
    // A field too long to examine is made inert unconditionally: no real Content-Type is that long.
    if (field.length > FIELD_MAX_CHARACTERS || isSuspicious(field)) offsets.push(match.index);
  }
  return offsets;
}

/**
 * Returns the message with every potential reference made inert; the same array when there is none.
 */
export function neutralizeReferences(raw: Uint8Array): Uint8Array {
  const offsets = findInertOffsets(raw);
  if (!offsets.length) return raw;
  const chunks: Uint8Array[] = [];
  let position = 0;
  for (const offset of offsets) {
    chunks.push(raw.subarray(position, offset), MARKER_BYTES);
    position = offset;
  }
  chunks.push(raw.subarray(position));
  return concatBytes(chunks);
}

const MARKED = /(?<![^\r\n])X-Keyfold-Inert-/g;

/**
 * Undoes {@link neutralizeReferences}; the same array when nothing was marked. `atLineStart` says
 * whether the first byte begins a line.
 */
export function restoreInert(bytes: Uint8Array, atLineStart = true): Uint8Array {
  const text = byteString(bytes);
  const chunks: Uint8Array[] = [];
  let position = 0;
  for (const match of text.matchAll(MARKED)) {
    if (match.index === 0 && !atLineStart) continue;
    chunks.push(bytes.subarray(position, match.index));
    position = match.index + MARKER.length;
  }
  if (!chunks.length) return bytes;
  chunks.push(bytes.subarray(position));
  return concatBytes(chunks);
}
