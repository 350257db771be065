// A change of very many mails: fetched page by page, sent in chunks, with a count that can be watched and a stop
// (docs/interface.md#selection). One runs at a time; it lives on while other lists are looked at.

import { QUERY_COUNT_MAX } from '@keyfold/contract/limits';
import { useSyncExternalStore } from 'react';
import { mailClient } from '../../../session/calls/clients/mail.ts';
import type { MailQuery } from './folders.ts';
import type { Marked, Step } from './marks.ts';
import { sendSteps } from './mutations.ts';

const CHUNK_MAX = 500;
const CHUNK_MIN = 50;
/** A tenth at a time: the count moves, and Stop comes before everything is done. */
const chunkSizeOf = (total: number): number =>
  Math.min(CHUNK_MAX, Math.max(CHUNK_MIN, Math.ceil(total / 10)));

export type BulkProgress = {
  /** What is done, as in "Archive". */
  readonly label: string;
  readonly done: number;
  /** null while it is not known. */
  readonly total: number | null;
  readonly isStopping: boolean;
};

let progress: BulkProgress | null = null;
const listeners = new Set<() => void>();

function show(next: BulkProgress | null): void {
  progress = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The run that is under way, live; null when there is none. */
export const useBulkProgress = (): BulkProgress | null => useSyncExternalStore(subscribe, () => progress);

/** Ends the run after its present chunk. */
export function stopBulk(): void {
  if (progress !== null) show({ ...progress, isStopping: true });
}

/** Chunks of mails, and how many there will be in all once that is known. */
export type Chunks = AsyncIterable<{ readonly mails: readonly Marked[]; readonly total: number | null }>;

/** Every mail of a query but those of some conversations. */
export async function* mailsOfFolder(query: MailQuery, leftOut: ReadonlySet<string>): Chunks {
  let lastId: string | null = null;
  let kept: Marked[] = [];
  for (;;) {
    const start: MailQuery = lastId === null ? {} : { last_id: lastId };
    const { data, count } = await mailClient.query({
      ...query,
      ...start,
      count: QUERY_COUNT_MAX,
      view: 'summary',
    });
    lastId = data.at(-1)?.id ?? null;
    // Only what a change needs: the rest of a hundred thousand summaries would fill the memory.
    kept.push(...data.filter(mail => !leftOut.has(mail.thread_id)).map(slim));
    const isEnd = data.length < QUERY_COUNT_MAX || lastId === null;
    const chunkSize = chunkSizeOf(count);
    while (kept.length >= chunkSize || (isEnd && kept.length > 0)) {
      yield { mails: kept.slice(0, chunkSize), total: count };
      kept = kept.slice(chunkSize);
    }
    if (isEnd) return;
  }
}

const slim = ({
  id,
  read,
  starred,
  archived,
  flagged,
  deleted,
  draft,
  snoozed,
  snoozed_until,
  tags,
}: Marked): Marked => ({
  id,
  read,
  starred,
  archived,
  flagged,
  deleted,
  draft,
  snoozed,
  snoozed_until,
  tags,
});

/** Mails that are known already, in chunks. */
export async function* knownMails(mails: readonly Marked[]): Chunks {
  const chunkSize = chunkSizeOf(mails.length);
  for (let start = 0; start < mails.length; start += chunkSize)
    yield { mails: mails.slice(start, start + chunkSize), total: mails.length };
}

export type BulkResult = {
  /** The mails that were changed, as they were before. */
  readonly before: readonly Marked[];
  readonly isStopped: boolean;
  readonly error: unknown;
};

const isStopping = (): boolean => progress?.isStopping ?? false;

/** Whether one is under way. */
export const isBulkRunning = (): boolean => progress !== null;

/**
 * Sends the steps of each chunk; `onChunk` hears of each that was done. The next chunk is fetched before the present one
 * is changed, for what is removed cannot be continued after. Never rejects: the result says what happened.
 */
export async function runBulk(
  label: string,
  chunks: Chunks,
  stepsFor: (mails: readonly Marked[]) => readonly Step[],
  onChunk: (mails: readonly Marked[]) => void,
): Promise<BulkResult> {
  const before: Marked[] = [];
  show({ label, done: 0, total: null, isStopping: false });
  try {
    const source = chunks[Symbol.asyncIterator]();
    let next = await source.next();
    while (next.done !== true) {
      if (isStopping()) return { before, isStopped: true, error: null };
      const { mails, total } = next.value;
      show({ label, done: before.length, total, isStopping: false });
      next = await source.next();
      // The one at hand is left out even when none comes after it.
      if (isStopping()) return { before, isStopped: true, error: null };
      await sendSteps(stepsFor(mails));
      before.push(...mails);
      onChunk(mails);
      show({ label, done: before.length, total, isStopping: isStopping() });
    }
    return { before, isStopped: false, error: null };
  } catch (error) {
    return { before, isStopped: false, error };
  } finally {
    show(null);
  }
}
