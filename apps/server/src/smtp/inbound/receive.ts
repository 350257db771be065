/**
 * Reads one message from the DATA stream into memory, within bounds. Whatever is wrong with it, the stream is read to
 * its end first, so that the reply comes where the client expects it and the rest is never taken for commands.
 */
import type { SMTPServerDataStream } from 'smtp-server';
import type { ByteBudget } from './byte-budget.ts';
import { DATA_TIMEOUT_MS, HEADER_MAX_BYTES, PROGRESS_BYTES } from './limits.ts';
import { createLineCheck } from './line-check.ts';
import { type Refusal, refusal } from './replies.ts';

export type Received = {
  readonly raw: Buffer;
  /** Takes room for copies of the message too, as long as it is held; false, and nothing taken, when there is none. */
  readonly holdMore: (sizeBytes: number) => boolean;
  /** Gives the message's bytes back to the budget; call it once, when nothing refers to them any more. */
  readonly release: () => void;
};

export type ReceiveOptions = {
  readonly budget: ByteBudget;
  /** Called for every PROGRESS_BYTES that came in. */
  readonly onProgress: () => void;
  /** Whether octets are counted (BDAT), so that a bare LF is harmless: it becomes CR LF. */
  readonly isCounted?: boolean;
};

/** A piece of memory has a cost of its own: what comes in small pieces is put together. */
const SMALL_BYTES = 4 * 1024;
const BLOCK_BYTES = 64 * 1024;

/** The pieces of a message, of which none but the last is small. */
function createPieces() {
  const whole: Buffer[] = [];
  let block = Buffer.alloc(0);
  let used = 0;
  const closeBlock = (): void => {
    if (used > 0) whole.push(block.subarray(0, used));
    block = Buffer.alloc(0);
    used = 0;
  };
  return {
    add: (piece: Buffer): void => {
      if (used + piece.length > block.length) closeBlock();
      if (piece.length > SMALL_BYTES) {
        closeBlock();
        whole.push(piece);
        return;
      }
      if (block.length === 0) block = Buffer.allocUnsafe(BLOCK_BYTES);
      used += piece.copy(block, used);
    },
    drop: (): void => {
      whole.length = 0;
      used = 0;
    },
    join: (): Buffer => {
      closeBlock();
      return Buffer.concat(whole);
    },
  };
}

const CR = 0x0d;
const LF = 0x0a;

/** A message without bare CRs in which each of so many bare LFs is CR LF. */
function withWholeLineEnds(raw: Buffer, bareLfCount: number): Buffer {
  if (bareLfCount === 0) return raw;
  const whole = Buffer.allocUnsafe(raw.length + bareLfCount);
  let used = 0;
  for (let index = 0; index < raw.length; index++) {
    const byte = raw[index] as number;
    if (byte === LF && raw[index - 1] !== CR) whole[used++] = CR;
    whole[used++] = byte;
  }
  return whole.subarray(0, used);
}

/** The message, dot-stuffing undone. Throws SmtpRefusal, or the stream's error when the client went away. */
export async function receiveMessage(
  stream: SMTPServerDataStream,
  { budget, onProgress, isCounted = false }: ReceiveOptions,
): Promise<Received> {
  const lines = createLineCheck();
  const pieces = createPieces();
  let heldBytes = 0;
  let seenBytes = 0;
  let problem: Refusal | null = null;
  const drop = (reason: Refusal) => {
    problem = reason;
    pieces.drop();
    budget.give(heldBytes);
    heldBytes = 0;
  };
  const timer = setTimeout(() => stream.destroy(refusal('tooSlow')), DATA_TIMEOUT_MS);
  timer.unref();
  try {
    for await (const piece of stream) {
      const chunk = piece as Buffer;
      if (Math.floor(seenBytes / PROGRESS_BYTES) !== Math.floor((seenBytes + chunk.length) / PROGRESS_BYTES))
        onProgress();
      seenBytes += chunk.length;
      if (problem !== null) continue;
      lines.see(chunk);
      if (stream.sizeExceeded) drop('tooLarge');
      else if (lines.headerSizeBytes() > HEADER_MAX_BYTES) drop('headerTooLarge');
      else if (!budget.take(chunk.length)) drop('noSpace');
      else {
        heldBytes += chunk.length;
        pieces.add(chunk);
      }
    }
    // Told at the end, so that a message which is too large as well is refused for that first.
    const bareLfCount = lines.countBareLf();
    if (problem === null && (lines.hasBareCr() || (bareLfCount > 0 && !isCounted))) drop('bareLineEnd');
    if (problem === null && !budget.take(bareLfCount)) drop('noSpace');
    if (problem !== null) throw refusal(problem);
    let takenBytes = heldBytes + bareLfCount;
    return {
      raw: withWholeLineEnds(pieces.join(), bareLfCount),
      holdMore: sizeBytes => {
        if (!budget.take(sizeBytes)) return false;
        takenBytes += sizeBytes;
        return true;
      },
      release: () => budget.give(takenBytes),
    };
  } catch (error) {
    if (problem === null) budget.give(heldBytes);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
