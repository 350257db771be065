// Locates the parts of a raw message, in bytes (RFC 2046), in one pass without copies or body
// decoding, for detaching, reattaching and the repairs before parsing. Reads boundaries as
// postal-mime does, so that both see the same tree. Nesting and part count are bounded (limits.ts)
// against mail made to exhaust the reader.

import { byteString, utf8 } from '../bytes.ts';
import { MIME_MAX_DEPTH, MIME_MAX_PARTS } from '../limits.ts';
import { findHeader, type HeaderField, readHeaderBlock } from './headers.ts';
import { parseStructured, type StructuredValue } from './parameters.ts';

/**
 * One part. Its header block is [start, bodyStart), including the blank line; its body is
 * [bodyStart, bodyEnd).
 */
export type MimePart = {
  start: number;
  headersEnd: number; // before the blank line
  bodyStart: number;
  bodyEnd: number; // before the line break that belongs to the next boundary
  fields: HeaderField[];
  contentType: StructuredValue; // `text/plain` when the part has no Content-Type
  disposition: StructuredValue; // value '' when absent
  encoding: string; // Content-Transfer-Encoding in lowercase, '' when absent
  depth: number;
  children: MimePart[];
  parent: MimePart | null;
};

/**
 * The tree. `truncated` means that there were more parts than the limit and the tree must not be
 * relied on.
 */
export type MimeStructure = {
  root: MimePart;
  truncated: boolean;
};

type Open = {
  part: MimePart;
  boundary: string | null; // null: not a multipart, or its closing delimiter has passed
};

// RFC 2046 allows 70; a longer line than this is not a boundary.
const BOUNDARY_LINE_MAX_BYTES = 1_000;

const DASH = 0x2d;
const LF = 0x0a;
const CR = 0x0d;

function readPart(raw: Uint8Array, start: number, parent: MimePart | null): MimePart {
  const inDigest = parent?.contentType.value === 'multipart/digest';
  const part: MimePart = {
    start,
    headersEnd: start,
    bodyStart: start,
    bodyEnd: raw.length,
    fields: [],
    contentType: { value: inDigest ? 'message/rfc822' : 'text/plain', params: new Map() },
    disposition: { value: '', params: new Map() },
    encoding: '',
    depth: parent ? parent.depth + 1 : 0,
    children: [],
    parent,
  };
  parent?.children.push(part);
  return part;
}

// Headers are read once their end is known: at the empty line, or at a boundary that cuts them
// short.
function settleHeaders(raw: Uint8Array, part: MimePart, limit: number): void {
  const block = readHeaderBlock(raw, part.start, limit);
  part.fields = block.fields;
  part.headersEnd = block.end;
  part.bodyStart = block.bodyStart;
  const type = findHeader(block.fields, 'content-type');
  const parsed = type ? parseStructured(type.value) : null;
  if (parsed?.value) part.contentType = parsed;
  const disposition = findHeader(block.fields, 'content-disposition');
  if (disposition) part.disposition = parseStructured(disposition.value);
  part.encoding = (findHeader(block.fields, 'content-transfer-encoding')?.value ?? '').trim().toLowerCase();
}

/** Reports whether the body of this part is read as a message rather than as a file. */
export function isInlineMessage(part: MimePart): boolean {
  const encoded = part.encoding.includes('base64') || part.encoding.includes('quoted-printable');
  return (
    part.contentType.value === 'message/rfc822' &&
    !encoded &&
    part.disposition.value !== 'attachment' &&
    part.parent?.contentType.value !== 'multipart/report'
  );
}

// Boundaries of the open multiparts, keyed by text, so that a line needs one lookup instead of a
// comparison with each.
class Boundaries {
  readonly #levels = new Map<string, number[]>();

  add(boundary: string, level: number): void {
    const levels = this.#levels.get(boundary);
    if (levels) levels.push(level);
    else this.#levels.set(boundary, [level]);
  }

  remove(boundary: string): void {
    const levels = this.#levels.get(boundary);
    levels?.pop();
    if (!levels?.length) this.#levels.delete(boundary);
  }

  /** Returns the innermost multipart that this line (without its line end) delimits, or null. */
  find(line: Uint8Array): { level: number; isClosing: boolean } | null {
    if (!this.#levels.size || line.length > BOUNDARY_LINE_MAX_BYTES) return null;
    const text = byteString(line.subarray(2)).replace(/[ \t]+$/, '');
    const opening = this.#levels.get(text)?.at(-1) ?? -1;
    const closing = text.endsWith('--') ? (this.#levels.get(text.slice(0, -2))?.at(-1) ?? -1) : -1;
    if (opening < 0 && closing < 0) return null;
    return { level: Math.max(opening, closing), isClosing: closing > opening };
  }
}

/** Finds the parts of a raw message. Never fails, for any bytes. */
export function scanStructure(raw: Uint8Array): MimeStructure {
  const root = readPart(raw, 0, null);
  const stack: Open[] = [{ part: root, boundary: null }];
  let reading: 'headers' | 'body' | 'nothing' = 'headers';
  let parts = 1;
  const boundaries = new Boundaries();
  let position = 0;

  const enterBody = (open: Open, bodyStart: number) => {
    const { part } = open;
    settleHeaders(raw, part, bodyStart);
    reading = 'body';
    if (part.depth >= MIME_MAX_DEPTH) return;
    const boundary = part.contentType.params.get('boundary');
    if (part.contentType.value.startsWith('multipart/') && boundary) {
      open.boundary = byteString(utf8(boundary)).replace(/[ \t]+$/, '');
      boundaries.add(open.boundary, stack.length - 1);
    } else if (isInlineMessage(part) && part.bodyStart < raw.length) {
      stack.push({ part: readPart(raw, part.bodyStart, part), boundary: null });
      parts++;
      reading = 'headers';
    }
  };
  // Ends every part above `keep` on the stack, at the boundary line that starts at `lineStart`.
  const closeAbove = (keep: number, lineStart: number) => {
    let bodyEnd = lineStart;
    if (raw[bodyEnd - 1] === LF) bodyEnd -= raw[bodyEnd - 2] === CR ? 2 : 1;
    while (stack.length > keep + 1) {
      const { part, boundary } = stack.pop() as Open;
      if (boundary !== null) boundaries.remove(boundary);
      if (reading === 'headers') settleHeaders(raw, part, lineStart);
      reading = 'nothing';
      part.bodyEnd = Math.max(part.bodyStart, bodyEnd);
    }
  };

  while (position < raw.length) {
    const found = raw.indexOf(LF, position);
    const lineEnd = found < 0 ? raw.length : found + 1;
    let textEnd = lineEnd;
    while (textEnd > position && (raw[textEnd - 1] === LF || raw[textEnd - 1] === CR)) textEnd--;
    let isBoundary = false;
    if (raw[position] === DASH && raw[position + 1] === DASH && textEnd - position > 2) {
      const found = boundaries.find(raw.subarray(position, textEnd));
      if (found) {
        isBoundary = true;
        const open = stack[found.level] as Open;
        if (!found.isClosing && parts >= MIME_MAX_PARTS) return { root, truncated: true };
        closeAbove(found.level, position);
        if (found.isClosing) {
          boundaries.remove(open.boundary as string);
          open.boundary = null;
          reading = 'nothing';
        } else {
          stack.push({ part: readPart(raw, lineEnd, open.part), boundary: null });
          parts++;
          reading = 'headers';
        }
      }
    }
    if (!isBoundary && reading === 'headers' && textEnd === position) {
      enterBody(stack.at(-1) as Open, lineEnd);
    }
    position = lineEnd;
  }
  if (reading === 'headers') settleHeaders(raw, (stack.at(-1) as Open).part, raw.length);
  for (const { part } of stack) part.bodyEnd = Math.max(part.bodyStart, raw.length);
  return { root, truncated: false };
}

/** Returns every part that holds content rather than other parts, in document order. */
export function leafParts(root: MimePart): MimePart[] {
  const leaves: MimePart[] = [];
  const pending = [root];
  while (pending.length) {
    const part = pending.pop() as MimePart;
    if (!part.children.length) leaves.push(part);
    else
      for (let index = part.children.length - 1; index >= 0; index--)
        pending.push(part.children[index] as MimePart);
  }
  return leaves;
}
