// How far a run has read, as a reducer over the things of the files, and what of them waits in a batch. Knows neither keys
// nor the server.
import type { ImportItem, MailItem } from '@keyfold/import/items';
import type { ImportStart, Skipped } from './import-types.ts';

/** A batch is closed at so many mails, or bytes of them, or things looked at. */
const BATCH_MAILS = 100;
const BATCH_BYTES = 6 * 1024 * 1024;
const BATCH_LOOKED_AT = 1_000;
const SKIPPED_NAME_MAX = 200;

export type RunProgress = {
  /** Things of the files so far, with those that an earlier run dealt with. */
  readonly done: number;
  /** The last thing so far with which a reading can begin. */
  readonly start: ImportStart | null;
  /** How many things are stepped over: an earlier run dealt with them. */
  readonly stepOver: number;
  /** Where the reading was to begin, until its first thing came. */
  readonly planned: ImportStart | null;
};

export const startProgress = (plan: { done: number; start?: ImportStart | null }): RunProgress => ({
  done: 0,
  start: null,
  stepOver: plan.done,
  planned: plan.start ?? null,
});

/** What the first thing tells of where the reading began. */
function placeStart(progress: RunProgress, file: number, key: string): RunProgress {
  const { planned } = progress;
  if (planned === null) return progress;
  // Where the file has no such thing any more nothing is stepped over: what the mailbox has it does not get again.
  return planned.file === file && planned.key === key
    ? { ...progress, planned: null, done: planned.done }
    : { ...progress, planned: null, stepOver: 0 };
}

/** One thing more was read. */
export function advanceProgress(
  progress: RunProgress,
  { item, file }: { item: Pick<ImportItem, 'key' | 'canBegin'>; file: number },
  share: number,
): RunProgress {
  const placed = placeStart(progress, file, item.key);
  const { done } = placed;
  const start = item.canBegin ? { file, key: item.key, done, share } : placed.start;
  return { ...placed, start, done: done + 1 };
}

/** Whether the last thing was dealt with by an earlier run. */
export const isSteppedOver = ({ done, stepOver }: RunProgress): boolean => done <= stepOver;

/** What was read and not brought yet. */
export type Batch = {
  readonly mails: MailItem[];
  readonly skipped: Skipped[];
  readonly cards: string[];
  bytes: number;
  lookedAt: number;
};

export const emptyBatch = (): Batch => ({ mails: [], skipped: [], cards: [], bytes: 0, lookedAt: 0 });

/** Puts a thing into a batch; what cannot be imported is noted there by its name. */
export function addToBatch(batch: Batch, item: ImportItem): void {
  batch.lookedAt++;
  if (item.kind === 'contact') {
    batch.cards.push(item.vcard);
    batch.bytes += item.vcard.length;
  } else if (item.kind === 'mail') {
    batch.mails.push(item);
    batch.bytes += item.raw.length;
  } else {
    batch.bytes += item.raw?.length ?? 0;
    batch.skipped.push({
      name: item.name.slice(0, SKIPPED_NAME_MAX),
      folder: item.folder.join('/'),
      reason: item.kind === 'removed' ? 'removed' : item.reason,
      ...(item.raw === undefined ? {} : { raw: new Blob([item.raw]) }),
    });
  }
}

export const isFull = ({ mails, bytes, lookedAt }: Batch): boolean =>
  mails.length >= BATCH_MAILS || bytes >= BATCH_BYTES || lookedAt >= BATCH_LOOKED_AT;
