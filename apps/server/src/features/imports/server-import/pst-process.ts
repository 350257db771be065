/**
 * Program of the process that reads one PST. It receives the open file and its key over its
 * channel, returns one item per request, and has no network, no database and no write access. The
 * content exists only in its memory. A file that makes it exceed its memory limit ends it.
 */
import { read } from 'node:fs';
import process from 'node:process';
import { promisify } from 'node:util';
import { ImportError } from '@keyfold/import/errors';
import type { ImportItem } from '@keyfold/import/items';
import { openPst } from '@keyfold/import/pst';
import { PST_PROCESS_MAX_BYTES } from '../../../base/import-limits.ts';
import { PST_DESCRIPTOR, sourceOfPst } from './pst-file.ts';

export type ReadingRequest =
  | {
      readonly kind: 'open';
      readonly sizeBytes: number;
      readonly key: Uint8Array;
      /** Last processed item; null at the beginning. */
      readonly after: string | null;
      /** Whether to skip the next item, because a process died while reading it. */
      readonly isNextLeftOut: boolean;
    }
  | { readonly kind: 'next' };

export type ReadingAnswer =
  | { readonly kind: 'opened'; readonly total: number }
  | { readonly kind: 'item'; readonly item: ImportItem }
  | { readonly kind: 'end' }
  | { readonly kind: 'failed'; readonly code: string };

function say(answer: ReadingAnswer): void {
  process.send?.(answer);
}

/** Skips items already processed; the order of items is the same at each reading. */
function stepOver(after: string | null) {
  let isBehind = after === null;
  return (key: string): boolean => {
    if (isBehind) return false;
    // Keys of a list's members begin with the key of the list.
    if (key === after || after?.startsWith(`${key}-`) === true) isBehind = true;
    return true;
  };
}

/** Reports the first unprocessed item as broken without reading it. */
function leaveOutNext(isDone: (key: string) => boolean) {
  let leftOut: string | null = null;
  return {
    isDone: (key: string): boolean => {
      if (isDone(key)) return true;
      if (leftOut !== null) return false;
      leftOut = key;
      return true;
    },
    find: (): string | null => leftOut,
  };
}

const readLater = promisify(read);
const readAt = async (into: Buffer, start: number, length: number, place: number): Promise<number> =>
  (await readLater(PST_DESCRIPTOR, into, start, length, place)).bytesRead;

async function* itemsOf(request: Extract<ReadingRequest, { kind: 'open' }>): AsyncGenerator<ImportItem> {
  const reader = await openPst(sourceOfPst(readAt, request.sizeBytes, request.key));
  const outline = await reader.outline();
  say({ kind: 'opened', total: outline.reduce((sum, { itemCount }) => sum + (itemCount ?? 0), 0) });
  const isDone = stepOver(request.after);
  const leaving = request.isNextLeftOut ? leaveOutNext(isDone) : { isDone, find: () => null };
  let isLeftOutTold = false;
  const broken = (key: string): ImportItem => ({
    kind: 'broken',
    key,
    folder: [],
    name: '',
    reason: 'damaged',
  });
  for await (const item of reader.items({ isDone: leaving.isDone })) {
    const leftOut = leaving.find();
    if (leftOut !== null && !isLeftOutTold) yield broken(leftOut);
    isLeftOutTold = leftOut !== null;
    yield item;
  }
  const leftOut = leaving.find();
  if (leftOut !== null && !isLeftOutTold) yield broken(leftOut);
}

let items: AsyncGenerator<ImportItem> | null = null;
/** Prefetched while the file is opened, which also determines the total. */
let first: Promise<IteratorResult<ImportItem>> | null = null;

/**
 * Returns the error code: errors of the file itself, or disk errors while reading it. Any other
 * error comes from an invalid reference in the file.
 */
function codeOf(error: unknown): string {
  if (error instanceof ImportError) return error.code;
  return error instanceof Error && 'syscall' in error ? 'lost' : 'damaged';
}

const fail = (error: unknown): void => say({ kind: 'failed', code: codeOf(error) });

async function answer(request: ReadingRequest): Promise<void> {
  try {
    if (request.kind === 'open') {
      items = itemsOf(request);
      first = items.next();
      // The error is reported when the first item is requested.
      first.catch(() => undefined);
      return;
    }
    const { done, value } = (await (first ?? items?.next())) ?? { done: true, value: undefined };
    first = null;
    // Off-heap memory is released late, so collect it: a large message already processed must not
    // count.
    if (process.memoryUsage.rss() > PST_PROCESS_MAX_BYTES / 2) globalThis.gc?.();
    if (process.memoryUsage.rss() > PST_PROCESS_MAX_BYTES) process.exit(1);
    say(done === true || value === undefined ? { kind: 'end' } : { kind: 'item', item: value });
  } catch (error) {
    fail(error);
  }
}

process.on('message', (request: ReadingRequest) => answer(request));
// The parent process is gone.
process.on('disconnect', () => process.exit(0));
