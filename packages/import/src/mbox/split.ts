// Splits an mbox file into messages in one pass: mboxo and mboxrd by their separator lines, mboxcl
// by Content-Length if it leads to the next separator.

import { concatBytes } from '../bytes.ts';
import { ImportError } from '../errors.ts';
import { LINE_MAX_BYTES, MESSAGE_MAX_BYTES } from '../limits.ts';
import {
  type Assembler,
  append,
  closeMessage,
  endHeader,
  type MboxMessage,
  openMessage,
  type Separator,
} from './assembler.ts';
import { beginsWithFrom, isSeparator, lineText } from './separator.ts';

export type SplitOptions = {
  /** Maximum size of one message. */
  maxBytes?: number;
  /** False for the offset of a message that is not needed. */
  isWanted?: (offset: number) => boolean;
  /** Offset of the bytes in the file; 0 when absent. */
  startOffset?: number;
};

type Splitter = {
  readonly assembler: Assembler;
  /** Bytes that are not processed yet. */
  rest: Uint8Array<ArrayBuffer>;
  /** Offset of `rest` in the file. */
  base: number;
  isAtLineStart: boolean;
  isAfterEmpty: boolean;
};

const LF = 0x0a;
const CR = 0x0d;

/** Appends the window's bytes from `from` to `to` to the open message. */
function flush({ assembler, rest }: Splitter, from: number, to: number): void {
  if (assembler.open !== null) append(assembler, assembler.open, rest.slice(from, to));
}

/**
 * Starts a message at a separator, or notes a candidate while the open message's Content-Length
 * covers it. Returns whether a message started.
 */
function handleSeparator(splitter: Splitter, separator: Separator, from: number, at: number): boolean {
  const { assembler } = splitter;
  const { open } = assembler;
  splitter.isAfterEmpty = false;
  if (open !== null && open.countedEnd !== null && separator.offset < open.countedEnd) {
    open.candidates.push(separator);
    return false;
  }
  flush(splitter, from, at);
  closeMessage(assembler);
  openMessage(assembler, separator);
  return true;
}

/** Processes `rest` line by line and keeps what needs more bytes. */
function processRest(splitter: Splitter, isEnd: boolean): void {
  const { assembler, base, rest } = splitter;
  /** Start of the bytes that the open message does not have yet. */
  let from = 0;
  let at = 0;
  while (at < rest.length) {
    const found = rest.indexOf(LF, at);
    if (found < 0 && !isEnd && rest.length - at < LINE_MAX_BYTES) break;
    const next = found < 0 ? rest.length : found + 1;
    if (splitter.isAtLineStart && beginsWithFrom(rest, at)) {
      const after = rest.indexOf(LF, next);
      if (after < 0 && !isEnd && rest.length - at < 2 * LINE_MAX_BYTES) break;
      const line = lineText(rest, at, next);
      const following = lineText(rest, next, after < 0 ? rest.length : after + 1);
      const { isAfterEmpty } = splitter;
      // The first line of a file may be any separator, regardless of the line after it.
      if ((assembler.open === null && isAfterEmpty) || isSeparator(line, following, isAfterEmpty)) {
        const separator = { offset: base + at, envelope: line, start: base + next };
        if (handleSeparator(splitter, separator, from, at)) from = next;
        at = next;
        continue;
      }
    }
    const isEmpty =
      splitter.isAtLineStart && (next - at === 1 || (next - at === 2 && rest[at] === CR)) && found >= 0;
    if (assembler.open === null && !isEmpty) throw new ImportError('not_this_format');
    if (isEmpty && assembler.open?.isInHeader) {
      flush(splitter, from, next);
      from = next;
      endHeader(assembler, assembler.open, base + next);
    }
    splitter.isAfterEmpty = isEmpty;
    splitter.isAtLineStart = found >= 0;
    at = next;
  }
  flush(splitter, from, at);
  splitter.rest = rest.slice(at);
  splitter.base += at;
}

function takeReady(assembler: Assembler): MboxMessage[] {
  const { ready } = assembler;
  assembler.ready = [];
  return ready;
}

/**
 * Yields the messages of an mbox file in order. Throws `not_this_format` when the file does not
 * begin with a separator.
 */
export async function* splitMbox(
  chunks: AsyncIterable<Uint8Array<ArrayBuffer>>,
  { maxBytes = MESSAGE_MAX_BYTES, isWanted = () => true, startOffset = 0 }: SplitOptions = {},
): AsyncGenerator<MboxMessage> {
  const assembler: Assembler = { maxBytes, isWanted, open: null, ready: [] };
  const splitter: Splitter = {
    assembler,
    rest: new Uint8Array(0),
    base: startOffset,
    isAtLineStart: true,
    isAfterEmpty: true,
  };
  for await (const chunk of chunks) {
    splitter.rest = splitter.rest.length === 0 ? chunk : concatBytes([splitter.rest, chunk]);
    processRest(splitter, false);
    yield* takeReady(assembler);
  }
  processRest(splitter, true);
  closeMessage(assembler);
  yield* takeReady(assembler);
}
