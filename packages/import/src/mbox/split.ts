// Cuts an mbox file into its messages while it is read from front to back: mboxo and mboxrd by their separator lines, mboxcl
// by Content-Length where that leads to the next separator. No more than one message is in memory.

import { concatBytes } from '../bytes.ts';
import { ImportError } from '../errors.ts';
import { LINE_MAX_BYTES, MESSAGE_MAX_BYTES } from '../limits.ts';
import { beginsWithFrom, isSeparator, lineText } from './separator.ts';

/** One message as it stands in the file. */
export type MboxMessage = {
  /** Where its separator line begins. */
  offset: number;
  /** The separator line. */
  envelope: string;
  /** What follows it, still quoted; null when it is larger than is taken into memory. */
  bytes: Uint8Array<ArrayBuffer> | null;
  /** Whether its Content-Length, which counts what is not quoted, held. */
  isCounted: boolean;
  /** Whether a splitter that starts here cuts as this one did: not within what another message's count spoke for. */
  canBegin: boolean;
};

export type SplitOptions = {
  /** Most bytes of one message. */
  maxBytes?: number;
  /** False for the offset of a message that need not be gathered. */
  isWanted?: (offset: number) => boolean;
  /** Where in the file the bytes begin; 0 when absent. */
  startOffset?: number;
};

type Mark = {
  offset: number;
  envelope: string;
  /** Where the message's first line begins. */
  start: number;
};

type Open = Mark & {
  pieces: Uint8Array<ArrayBuffer>[];
  size: number;
  isSkipped: boolean;
  isTooLarge: boolean;
  isInHeader: boolean;
  /** Where the body ends by Content-Length. */
  countedEnd: number | null;
  /** What looks like separators before that. */
  doubtful: Mark[];
};

const LF = 0x0a;
const CR = 0x0d;
/** Bytes of an empty line, which may follow a counted body. */
const EMPTY_LINE_MAX = 2;
const OWN_EXPORT = /^x-keyfold-export:/i;
const CONTENT_LENGTH = /^content-length:[ \t]*(\d{1,12})[ \t]*\r?$/im;

/** Without the one empty line that the file has between a message and the next separator. */
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

/** Where the header of a message ends, its empty line among it; null when there is none. */
function findHeaderEnd(bytes: Uint8Array): number | null {
  for (let at = 0; ; ) {
    const found = bytes.indexOf(LF, at);
    if (found < 0) return null;
    if (found === at || (found === at + 1 && bytes[at] === CR)) return found + 1;
    at = found + 1;
  }
}

/** Takes a stream of bytes apart; `take` gives what is complete, `end` what is left. */
function createSplitter({
  maxBytes = MESSAGE_MAX_BYTES,
  isWanted = () => true,
  startOffset = 0,
}: SplitOptions) {
  let rest: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  /** Offset of `rest` in the file. */
  let base = startOffset;
  let isAtLineStart = true;
  let isAfterEmpty = true;
  let open: Open | null = null;
  let ready: MboxMessage[] = [];

  const begin = (mark: Mark): Open => ({
    ...mark,
    pieces: [],
    size: 0,
    isSkipped: !isWanted(mark.offset),
    isTooLarge: false,
    isInHeader: true,
    countedEnd: null,
    doubtful: [],
  });
  /** Gives out one message whose end is known. */
  const put = (mark: Mark, part: Uint8Array<ArrayBuffer>, isCounted: boolean, canBegin: boolean): void => {
    if (!isWanted(mark.offset)) return;
    const bytes = part.length > maxBytes ? null : withoutLastEmptyLine(part);
    ready.push({ offset: mark.offset, envelope: mark.envelope, bytes, isCounted, canBegin });
  };
  /** A count that leads past the largest message does not hold: each separator before its end begins a message. */
  const giveUpCount = (message: Open): void => {
    const { start, doubtful } = message;
    const bytes = concatBytes(message.pieces);
    let first: Mark = message;
    for (const mark of doubtful) {
      put(first, bytes.subarray(first.start - start, mark.offset - start), false, first === message);
      first = mark;
    }
    const last = begin({ offset: first.offset, envelope: first.envelope, start: first.start });
    open = last;
    const part = bytes.slice(first.start - start);
    const headerLength = findHeaderEnd(part);
    gather(last, part.subarray(0, headerLength ?? part.length));
    if (headerLength === null) return;
    readCount(last, last.start + headerLength);
    gather(last, part.subarray(headerLength));
  };
  const gather = (message: Open, piece: Uint8Array<ArrayBuffer>): void => {
    message.size += piece.length;
    // Of one that is not wanted the header says whether what looks like separators is part of it, and then all is needed.
    const isNeeded = !message.isSkipped || message.isInHeader || message.countedEnd !== null;
    if (isNeeded && !message.isTooLarge && piece.length > 0) message.pieces.push(piece);
    if (message.size <= maxBytes) return;
    if (message.doubtful.length > 0) {
      giveUpCount(message);
      return;
    }
    message.isTooLarge = true;
    message.countedEnd = null;
    message.pieces = [];
  };
  const close = (message: Open): void => {
    const { offset, envelope, start, pieces, countedEnd, doubtful, isTooLarge, isSkipped, size } = message;
    const end = start + size;
    const isCounted = countedEnd !== null && end >= countedEnd && end - countedEnd <= EMPTY_LINE_MAX;
    if (isSkipped && (isCounted || doubtful.length === 0)) return;
    if (isTooLarge) {
      ready.push({ offset, envelope, bytes: null, isCounted: false, canBegin: true });
      return;
    }
    const bytes = concatBytes(pieces);
    const marks = isCounted ? [] : doubtful;
    for (const [index, mark] of [{ offset, envelope, start }, ...marks].entries()) {
      const next = marks[index];
      const part = bytes.subarray(mark.start - start, next === undefined ? undefined : next.offset - start);
      put(mark, part, isCounted && doubtful.length > 0, index === 0);
    }
  };
  const closeOpen = (): void => {
    if (open !== null) close(open);
  };
  /** Content-Length may keep what looks like separators together: then all of it has to be at hand. */
  const readCount = (message: Open, headerEnd: number): void => {
    message.isInHeader = false;
    const header = textOf(message.pieces);
    // Our own export quotes whatever looks like a separator; a count in it is the sender's.
    const count = OWN_EXPORT.test(header) ? undefined : CONTENT_LENGTH.exec(header)?.[1];
    if (count !== undefined && Number(count) > 0 && Number(count) <= maxBytes)
      message.countedEnd = headerEnd + Number(count);
  };

  /** Goes through `rest` and keeps what needs more bytes to be understood. */
  const work = (isEnd: boolean): void => {
    const window = rest;
    /** Where the part of the open message that is not gathered yet begins. */
    let from = 0;
    let at = 0;
    const flush = (to: number): void => {
      if (open !== null) gather(open, window.slice(from, to));
      from = to;
    };
    while (at < window.length) {
      const found = window.indexOf(LF, at);
      if (found < 0 && !isEnd && window.length - at < LINE_MAX_BYTES) break;
      const next = found < 0 ? window.length : found + 1;
      if (isAtLineStart && beginsWithFrom(window, at)) {
        const after = window.indexOf(LF, next);
        if (after < 0 && !isEnd && window.length - at < 2 * LINE_MAX_BYTES) break;
        const line = lineText(window, at, next);
        const following = lineText(window, next, after < 0 ? window.length : after + 1);
        // A file that begins so is an mbox, whatever follows.
        if ((open === null && isAfterEmpty) || isSeparator(line, following, isAfterEmpty)) {
          const mark = { offset: base + at, envelope: line, start: base + next };
          const before: Open | null = open;
          if (before !== null && before.countedEnd !== null && mark.offset < before.countedEnd) {
            before.doubtful.push(mark);
          } else {
            flush(at);
            closeOpen();
            open = begin(mark);
            from = next;
          }
          isAfterEmpty = false;
          at = next;
          continue;
        }
      }
      const isEmpty =
        isAtLineStart && (next - at === 1 || (next - at === 2 && window[at] === CR)) && found >= 0;
      if (open === null && !isEmpty) throw new ImportError('not_this_format');
      if (isEmpty && open?.isInHeader) {
        flush(next);
        readCount(open, base + next);
      }
      isAfterEmpty = isEmpty;
      isAtLineStart = found >= 0;
      at = next;
    }
    flush(at);
    rest = window.slice(at);
    base += at;
  };

  const takeReady = (): MboxMessage[] => {
    const taken = ready;
    ready = [];
    return taken;
  };
  return {
    take: (chunk: Uint8Array<ArrayBuffer>): MboxMessage[] => {
      rest = rest.length === 0 ? chunk : concatBytes([rest, chunk]);
      work(false);
      return takeReady();
    },
    end: (): MboxMessage[] => {
      work(true);
      closeOpen();
      return takeReady();
    },
  };
}

/** The messages of an mbox file in their order. Throws `not_this_format` when it begins with anything but a separator. */
export async function* splitMbox(
  chunks: AsyncIterable<Uint8Array<ArrayBuffer>>,
  options: SplitOptions = {},
): AsyncGenerator<MboxMessage> {
  const splitter = createSplitter(options);
  for await (const chunk of chunks) yield* splitter.take(chunk);
  yield* splitter.end();
}
