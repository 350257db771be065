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
};

/** A piece of memory has a cost of its own: what comes in small pieces is put together. */
const SMALL_BYTES = 4 * 1024;
const BLOCK_BYTES = 64 * 1024;

/** The pieces of a message, of which none but the last is small. */
const createPieces = () => {
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
};

/** The message, dot-stuffing undone. Throws SmtpRefusal, or the stream's error when the client went away. */
export const receiveMessage = async (
  stream: SMTPServerDataStream,
  { budget, onProgress }: ReceiveOptions,
): Promise<Received> => {
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
    if (problem === null && lines.hasBareLineEnd()) drop('bareLineEnd');
    if (problem !== null) throw refusal(problem);
    let takenBytes = heldBytes;
    return {
      raw: pieces.join(),
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
};
