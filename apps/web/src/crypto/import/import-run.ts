// One run of an import: reads, leaves out messages that the mailbox has, seals, and uploads
// batches, one in transit while the next is sealed. Progress is reported only after the server has
// stored the batch, so that a run can resume from there.
import { CallError } from '@keyfold/contract/client';
import { ImportError } from '@keyfold/import/errors';
import { type BringNeeds, createBringer, createSealer, Stopped, type Tally } from './import-bring.ts';
import type { Patience } from './import-calls.ts';
import type { OpenedFiles } from './import-files.ts';
import {
  addToBatch,
  advanceProgress,
  type Batch,
  emptyBatch,
  isFull,
  isSteppedOver,
  type RunProgress,
  startProgress,
} from './import-progress.ts';
import { folderKey, type ImportEnd } from './import-types.ts';

export type RunNeeds = BringNeeds & {
  readonly files: OpenedFiles;
  /** Resolves when the run may continue. */
  readonly gate: () => Promise<void>;
};

const noTally = (): Tally => ({ imported: 0, here: 0, bytes: 0 });

/** Creates a function that seals one batch while the previous one is being uploaded. */
function createFlush(needs: RunNeeds) {
  const { files, listener, signal, gate } = needs;
  const patience: Patience = { signal, onWaiting: listener.onWaiting };
  const tally = noTally();
  const seal = createSealer(needs, patience, tally);
  const bring = createBringer(needs, patience, tally);
  let under: Promise<void> = Promise.resolve();
  return {
    flush: async (batch: Batch, { done, start }: RunProgress): Promise<void> => {
      const share = files.share();
      const sealed = await seal(batch);
      await under;
      await gate();
      signal.throwIfAborted();
      under = (async () => {
        await bring(sealed, batch.skipped);
        const step = { done, start, share, ...tally, skipped: batch.skipped, cards: batch.cards };
        Object.assign(tally, noTally());
        await listener.onStep(step);
      })();
      // Awaited with the next batch, or at the end.
      under.catch(() => undefined);
    },
    settled: () => under,
  };
}

/** Reads all items and flushes batch after batch. */
async function readAll(
  { files, plan, signal, gate }: RunNeeds,
  flush: ReturnType<typeof createFlush>['flush'],
): Promise<void> {
  let progress = startProgress(plan);
  let batch = emptyBatch();
  const isWanted = (folder: readonly string[]) => plan.places[folderKey(folder)] !== undefined;
  for await (const read of files.items({ isWanted, signal }, plan.start ?? null)) {
    progress = advanceProgress(progress, read, files.share());
    if (isSteppedOver(progress)) continue;
    await gate();
    signal.throwIfAborted();
    addToBatch(batch, read.item);
    if (!isFull(batch)) continue;
    await flush(batch, progress);
    batch = emptyBatch();
  }
  await flush(batch, progress);
}

/** Runs an import to its end. Never rejects. */
export async function runImport(needs: RunNeeds): Promise<ImportEnd> {
  const { flush, settled } = createFlush(needs);
  try {
    await readAll(needs, flush);
    await settled();
    return { kind: 'done' };
  } catch (error) {
    await settled().catch(() => undefined);
    if (needs.signal.aborted) return { kind: 'cancelled' };
    if (error instanceof Stopped) return error.end;
    if (error instanceof ImportError) return { kind: 'file', text: error.code };
    return { kind: 'call', text: error instanceof CallError ? error.message : '' };
  }
}
