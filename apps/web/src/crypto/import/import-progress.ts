// Read progress of a run, as a reducer over the items of the files, and the items that wait in a
// batch. Independent of keys and the server.
import type { ImportItem, MailItem } from '@keyfold/import/items';
import type { ImportStart, Skipped } from './import-types.ts';

/** A batch is closed at this number of messages, bytes of messages, or examined items. */
const BATCH_MAILS = 100;
const BATCH_BYTES = 6 * 1024 * 1024;
const BATCH_LOOKED_AT = 1_000;
const SKIPPED_NAME_MAX = 200;

export type RunProgress = {
  /** Number of items of the files so far, including those that an earlier run processed. */
  readonly done: number;
  /** The last item so far at which reading can start. */
  readonly start: ImportStart | null;
  /** Number of items to skip because an earlier run processed them. */
  readonly stepOver: number;
  /** The planned start of reading, until its first item arrives. */
  readonly planned: ImportStart | null;
};

export const startProgress = (plan: { done: number; start?: ImportStart | null }): RunProgress => ({
  done: 0,
  start: null,
  stepOver: plan.done,
  planned: plan.start ?? null,
});

/** Determines from the first item where reading began. */
function placeStart(progress: RunProgress, file: number, key: string): RunProgress {
  const { planned } = progress;
  if (planned === null) return progress;
  // If the file no longer has such an item, nothing is skipped; messages already in the mailbox are
  // not imported twice.
  return planned.file === file && planned.key === key
    ? { ...progress, planned: null, done: planned.done }
    : { ...progress, planned: null, stepOver: 0 };
}

/** Returns the progress after one more item. */
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

/** Returns whether an earlier run processed the last item. */
export const isSteppedOver = ({ done, stepOver }: RunProgress): boolean => done <= stepOver;

/** Items that were read but not uploaded yet. */
export type Batch = {
  readonly mails: MailItem[];
  readonly skipped: Skipped[];
  readonly cards: string[];
  bytes: number;
  lookedAt: number;
};

export const emptyBatch = (): Batch => ({ mails: [], skipped: [], cards: [], bytes: 0, lookedAt: 0 });

/** Adds an item to a batch; an item that cannot be imported is recorded there by its name. */
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
