// Assembles the messages of an mbox file from the parts that the splitter passes on. Content-Length
// decides whether lines that look like separators belong to a message (mboxcl). No more than one
// message is in memory.

import { concatBytes } from '../bytes.ts';
import { LINE_MAX_BYTES } from '../limits.ts';

/** One message as it is in the file. */
export type MboxMessage = {
  /** Offset of its separator line. */
  offset: number;
  /** The separator line. */
  envelope: string;
  /** The bytes after the separator line, still quoted; null when they exceed the size limit. */
  bytes: Uint8Array<ArrayBuffer> | null;
  /** Whether its Content-Length, which counts unquoted bytes, was correct. */
  isCounted: boolean;
  /**
   * Whether reading can resume here: false inside a range that another message's Content-Length
   * covered.
   */
  canBegin: boolean;
};

/** A line that looks like a separator. */
export type Separator = {
  offset: number;
  envelope: string;
  /** Offset of the message's first line. */
  start: number;
};

/** A message whose end is not known yet. */
type OpenMessage = Separator & {
  pieces: Uint8Array<ArrayBuffer>[];
  size: number;
  isSkipped: boolean;
  isTooLarge: boolean;
  isInHeader: boolean;
  /** End of the body according to Content-Length. */
  countedEnd: number | null;
  /** Possible separators before that end. */
  candidates: Separator[];
};

export type Assembler = {
  readonly maxBytes: number;
  readonly isWanted: (offset: number) => boolean;
  open: OpenMessage | null;
  ready: MboxMessage[];
};

const LF = 0x0a;
const CR = 0x0d;
/** Bytes of an empty line, which may follow a counted body. */
const EMPTY_LINE_MAX = 2;
const OWN_EXPORT = /^x-keyfold-export:/i;
const CONTENT_LENGTH = /^content-length:[ \t]*(\d{1,12})[ \t]*\r?$/im;

/** Removes the empty line that separates a message from the next separator. */
function withoutLastEmptyLine(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const end = bytes.length;
  if (bytes[end - 1] !== LF) return bytes;
  const before = bytes[end - 2] === CR ? end - 2 : end - 1;
  return before > 0 && bytes[before - 1] === LF ? bytes.subarray(0, before) : bytes;
}

function textOf(pieces: readonly Uint8Array[]): string {
  let text = '';
  for (const piece of pieces)
    for (let at = 0; at < piece.length; at += LINE_MAX_BYTES / 2)
      text += String.fromCharCode(...piece.subarray(at, at + LINE_MAX_BYTES / 2));
  return text;
}

/** End of a message's header, including the empty line; null when there is no empty line. */
function findHeaderEnd(bytes: Uint8Array): number | null {
  for (let at = 0; ; ) {
    const found = bytes.indexOf(LF, at);
    if (found < 0) return null;
    if (found === at || (found === at + 1 && bytes[at] === CR)) return found + 1;
    at = found + 1;
  }
}

/** Starts a message. Close the one before first. */
export function openMessage(assembler: Assembler, { offset, envelope, start }: Separator): OpenMessage {
  const opened: OpenMessage = {
    offset,
    envelope,
    start,
    pieces: [],
    size: 0,
    isSkipped: !assembler.isWanted(offset),
    isTooLarge: false,
    isInHeader: true,
    countedEnd: null,
    candidates: [],
  };
  assembler.open = opened;
  return opened;
}

/** Emits one message whose end is known. */
function emit(
  { maxBytes, isWanted, ready }: Assembler,
  { offset, envelope }: Separator,
  part: Uint8Array<ArrayBuffer>,
  { isCounted, canBegin }: Pick<MboxMessage, 'isCounted' | 'canBegin'>,
): void {
  if (!isWanted(offset)) return;
  const bytes = part.length > maxBytes ? null : withoutLastEmptyLine(part);
  ready.push({ offset, envelope, bytes, isCounted, canBegin });
}

/**
 * Splits a message at each candidate: its Content-Length exceeds the largest message, so it is
 * wrong.
 */
function rejectCount(assembler: Assembler, message: OpenMessage): void {
  const { start, candidates } = message;
  const bytes = concatBytes(message.pieces);
  let first: Separator = message;
  for (const candidate of candidates) {
    const part = bytes.subarray(first.start - start, candidate.offset - start);
    emit(assembler, first, part, { isCounted: false, canBegin: first === message });
    first = candidate;
  }
  const last = openMessage(assembler, first);
  const part = bytes.slice(first.start - start);
  const headerLength = findHeaderEnd(part);
  append(assembler, last, part.subarray(0, headerLength ?? part.length));
  if (headerLength === null) return;
  endHeader(assembler, last, last.start + headerLength);
  append(assembler, last, part.subarray(headerLength));
}

/** Appends bytes to an open message. May split it, which leaves another message open. */
export function append(assembler: Assembler, message: OpenMessage, piece: Uint8Array<ArrayBuffer>): void {
  message.size += piece.length;
  // The header of a skipped message is needed for its Content-Length; with one, a candidate may
  // start a wanted message.
  const isNeeded = !message.isSkipped || message.isInHeader || message.countedEnd !== null;
  if (isNeeded && !message.isTooLarge && piece.length > 0) message.pieces.push(piece);
  if (message.size <= assembler.maxBytes) return;
  if (message.candidates.length > 0) {
    rejectCount(assembler, message);
    return;
  }
  message.isTooLarge = true;
  message.countedEnd = null;
  message.pieces = [];
}

/**
 * Reads Content-Length when the header is complete. From then on the whole body is kept, in case it
 * has candidates.
 */
export function endHeader({ maxBytes }: Assembler, message: OpenMessage, headerEnd: number): void {
  message.isInHeader = false;
  const header = textOf(message.pieces);
  // Keyfold's own export quotes separators; a Content-Length in it is the original sender's.
  const count = OWN_EXPORT.test(header) ? undefined : CONTENT_LENGTH.exec(header)?.[1];
  if (count !== undefined && Number(count) > 0 && Number(count) <= maxBytes)
    message.countedEnd = headerEnd + Number(count);
}

/** Emits the open message, split at its candidates when its Content-Length was wrong. */
export function closeMessage(assembler: Assembler): void {
  const message = assembler.open;
  if (message === null) return;
  const { offset, envelope, start, pieces, countedEnd, candidates, isTooLarge, isSkipped, size } = message;
  const end = start + size;
  const isCounted = countedEnd !== null && end >= countedEnd && end - countedEnd <= EMPTY_LINE_MAX;
  if (isSkipped && (isCounted || candidates.length === 0)) return;
  if (isTooLarge) {
    assembler.ready.push({ offset, envelope, bytes: null, isCounted: false, canBegin: true });
    return;
  }
  const bytes = concatBytes(pieces);
  const separators = isCounted ? [] : candidates;
  for (const [index, separator] of [message, ...separators].entries()) {
    const next = separators[index];
    const part = bytes.subarray(
      separator.start - start,
      next === undefined ? undefined : next.offset - start,
    );
    emit(assembler, separator, part, {
      isCounted: isCounted && candidates.length > 0,
      canBegin: index === 0,
    });
  }
}
