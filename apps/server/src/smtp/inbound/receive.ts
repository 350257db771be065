/**
 * Reads one message from the DATA stream into memory, within limits. Always reads the stream to its
 * end, even when the message is invalid, so that the reply arrives where the client expects it and
 * the remaining bytes are never parsed as commands.
 */
import type { SMTPServerDataStream } from 'smtp-server';
import type { ByteBudget } from './byte-budget.ts';
import { DATA_TIMEOUT_MS, HEADER_MAX_BYTES, PROGRESS_BYTES } from './limits.ts';
import { createLineCheck } from './line-check.ts';
import { type Refusal, refusal } from './replies.ts';

export type Received = {
  readonly raw: Buffer;
  /**
   * Also reserves memory for copies of the message, for as long as the message is held. Returns
   * false and reserves nothing when the budget is exhausted.
   */
  readonly holdMore: (sizeBytes: number) => boolean;
  /**
   * Returns the message's bytes to the budget. Must be called once, when nothing refers to them any
   * more.
   */
  readonly release: () => void;
};

export type ReceiveOptions = {
  readonly budget: ByteBudget;
  /** Called for every PROGRESS_BYTES received. */
  readonly onProgress: () => void;
  /** Whether octets are counted (BDAT). A bare LF is then harmless and is converted to CR LF. */
  readonly isCounted?: boolean;
};

/** Every buffer has a fixed overhead, so smaller pieces are merged. */
const SMALL_BYTES = 4 * 1024;
const BLOCK_BYTES = 64 * 1024;

/** Collects the pieces of a message. Only the last one can be small. */
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

/**
 * Returns a message that has no bare CRs, with each of its `bareLfCount` bare LFs converted to CR
 * LF.
 */
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

/**
 * Returns the message with dot-stuffing undone. Throws SmtpRefusal, or the stream's error when the
 * client disconnected.
 */
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
    // Reported at the end, so that a message that is also too large is refused for its size first.
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
