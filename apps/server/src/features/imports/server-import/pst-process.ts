/**
 * The program of the process that reads one PST: it gets the file open and its key over its channel, gives one thing at a
 * time when it is asked for it, and has no network, no database and no right to write. What it reads is in its memory alone. A file that
 * makes it grow beyond its share ends it.
 */
import { read } from 'node:fs';
import process from 'node:process';
import { promisify } from 'node:util';
import { ImportError } from '@keyfold/import/errors';
import type { ImportItem } from '@keyfold/import/items';
import { openPst } from '@keyfold/import/pst';
import { PST_PROCESS_MAX_BYTES } from '../../../base/limits.ts';
import { PST_DESCRIPTOR, sourceOfPst } from './pst-file.ts';

/** What the process is asked. */
export type ReadingRequest =
  | {
      readonly kind: 'open';
      readonly sizeBytes: number;
      readonly key: Uint8Array;
      /** The last thing that was dealt with; null from the beginning. */
      readonly after: string | null;
      /** Whether the thing behind it is to be left out: a process died of it. */
      readonly isNextLeftOut: boolean;
    }
  | { readonly kind: 'next' };

/** What it answers. */
export type ReadingAnswer =
  | { readonly kind: 'opened'; readonly total: number }
  | { readonly kind: 'item'; readonly item: ImportItem }
  | { readonly kind: 'end' }
  | { readonly kind: 'failed'; readonly code: string };

function say(answer: ReadingAnswer): void {
  process.send?.(answer);
}

/** Steps over what was dealt with; the order of things is the same at each reading. */
function stepOver(after: string | null) {
  let isBehind = after === null;
  return (key: string): boolean => {
    if (isBehind) return false;
    // Members of one list have keys that begin with that of the list.
    if (key === after || after?.startsWith(`${key}-`) === true) isBehind = true;
    return true;
  };
}

/** Names the first thing that is not to be stepped over as broken, without reading it. */
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
/** The first thing is looked for while the file is opened, which tells how many there are. */
let first: Promise<IteratorResult<ImportItem>> | null = null;

/** An error of the file's, or of the disk's that does not give it; any other is for a number that led nowhere. */
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
      // Told when the first thing is asked for.
      first.catch(() => undefined);
      return;
    }
    const { done, value } = (await (first ?? items?.next())) ?? { done: true, value: undefined };
    first = null;
    // Bytes outside of the heap are given back late: a large mail that is gone counts no more.
    if (process.memoryUsage.rss() > PST_PROCESS_MAX_BYTES / 2) globalThis.gc?.();
    if (process.memoryUsage.rss() > PST_PROCESS_MAX_BYTES) process.exit(1);
    say(done === true || value === undefined ? { kind: 'end' } : { kind: 'item', item: value });
  } catch (error) {
    fail(error);
  }
}

process.on('message', (request: ReadingRequest) => answer(request));
// Whoever asked is gone.
process.on('disconnect', () => process.exit(0));
