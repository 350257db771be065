/**
 * Reads the PST files that wait, one after the other: each thing comes from a process of its own, is sealed here at once as
 * arriving mail is, and stored in one transaction with the note of how far the import is. So a crash at any moment loses
 * nothing and brings nothing twice: whoever takes the file up goes on behind the last note.
 */
import { AppError } from '@keyfold/contract/errors';
import type { ImportItem, MailItem } from '@keyfold/import/items';
import type { Deps } from '../../deps.ts';
import { PST_DEATHS_MAX, PST_ERRORS_KEPT, PST_IMPORT_KEPT_MS, PST_LEASE_MS } from '../../limits.ts';
import { addressesOf, findOwnersOf, type Owner } from '../accounts/service.ts';
import { createBroughtMail } from '../ingest/service.ts';
import { createFolderTags, isInbox } from './folder-tags.ts';
import { listPstFiles, pstPath, removePstFile } from './pst-file.ts';
import { type PstReading, PstRefused, ReadingProcessDied, startReading } from './reader.ts';
import {
  deleteEndedImports,
  endImport,
  findNeededFiles,
  hasMessage,
  leaseImport,
  noteRunning,
  noteStep,
  type PstImport,
  releaseLapsed,
  type Step,
} from './store.ts';

/** A file that no row names is removed once nobody has written to it for this long. */
const LEFTOVER_MS = 60 * 60 * 1000;

/** The import was cancelled, or another process has it. */
class NoLongerOurs extends Error {
  override readonly name = 'NoLongerOurs';
}

/** How far one import is in this process. */
type Progress = {
  readonly job: PstImport;
  lastKey: string | null;
  processed: number;
  deaths: number;
  errorCount: number;
  total: number | null;
};

export type PstRunner = {
  /** Reads the file that has waited longest; false when none waits. Rejects only when the database fails. */
  readonly runNext: (signal: AbortSignal) => Promise<boolean>;
  /** Removes files that no import needs and forgets imports that ended long ago; gives how many of each. */
  readonly tidyUp: () => Promise<{ files: number; imports: number }>;
  readonly close: () => Promise<void>;
};

export const createPstRunner = (deps: Deps): PstRunner => {
  const brought = createBroughtMail(deps);
  const { dataDir } = deps.config;
  const leasedUntil = () => new Date(deps.clock.now().getTime() + PST_LEASE_MS);

  const getOwner = async (userId: string): Promise<Owner> => {
    const [address] = await addressesOf(deps.db, userId);
    const owner = address === undefined ? undefined : (await findOwnersOf(deps.db, [address])).get(address);
    if (owner === undefined) throw new NoLongerOurs();
    return owner;
  };

  const stepFor = (progress: Progress, item: ImportItem, outcome: Step['outcome']): Step => ({
    lastKey: item.key,
    outcome,
    leasedUntil: leasedUntil(),
    ...(item.kind === 'broken' && progress.errorCount < PST_ERRORS_KEPT
      ? { failure: { item: progress.processed + 1, reason: item.reason } }
      : {}),
  });

  const advance = (progress: Progress, { lastKey, failure }: Step): void => {
    progress.lastKey = lastKey;
    progress.processed += 1;
    if (failure !== undefined) progress.errorCount += 1;
  };

  const takeMail = async (
    progress: Progress,
    item: MailItem,
    tagsOf: (folder: readonly string[]) => Promise<readonly string[]>,
  ): Promise<void> => {
    const { job } = progress;
    const { isRead, isStarred, isSent } = item.flags;
    const now = deps.clock.now();
    const receivedAt = item.receivedAt === null || item.receivedAt > now ? now : item.receivedAt;
    const message = {
      raw: item.raw,
      owner: await getOwner(job.userId),
      receivedAt,
      flags: {
        read: isRead,
        starred: isStarred,
        sent: isSent,
        archived: !isSent && !isInbox(item.folder),
      },
      tagNames: job.hasFolderTags && !isSent ? await tagsOf(item.folder) : [],
      receiptDigest: deps.masterKey.digest('pst-import', job.id, item.key),
    };
    let step = stepFor(progress, item, 'imported');
    await brought.take(
      message,
      (trx, messageId) => hasMessage(trx, job.userId, messageId),
      async (trx, isStored) => {
        step = stepFor(progress, item, isStored ? 'imported' : 'skipped');
        if (!(await noteStep(trx, job, step))) throw new NoLongerOurs();
      },
    );
    advance(progress, step);
  };

  const takeItem = async (
    progress: Progress,
    item: ImportItem,
    tagsOf: (folder: readonly string[]) => Promise<readonly string[]>,
  ): Promise<void> => {
    if (item.kind === 'mail') return takeMail(progress, item, tagsOf);
    const step = stepFor(progress, item, item.kind === 'broken' ? 'failed' : 'skipped');
    if (!(await noteStep(deps.db, progress.job, step))) throw new NoLongerOurs();
    advance(progress, step);
  };

  /** Reads with one process until the file's end. Throws what ends it before. */
  const readOn = async (progress: Progress, reading: PstReading, signal: AbortSignal): Promise<void> => {
    const tagsOf = createFolderTags(deps, progress.job.userId);
    for (let item = await reading.next(); item !== null; item = await reading.next()) {
      signal.throwIfAborted();
      const total = reading.total();
      if (total !== progress.total && total !== null) {
        progress.total = total;
        const isOurs = await noteRunning(deps.db, progress.job, { total, leasedUntil: leasedUntil() });
        if (!isOurs) throw new NoLongerOurs();
      }
      await takeItem(progress, item, tagsOf);
      signal.throwIfAborted();
    }
  };

  /** Reads a file to its end, with a new process where one died. Throws what ends it before. */
  const read = async (job: PstImport, signal: AbortSignal): Promise<void> => {
    if (job.keySealed === null) throw new PstRefused('lost');
    const key = deps.masterKey.open('pst-import', job.id, job.keySealed);
    const progress: Progress = {
      job,
      lastKey: job.lastKey,
      processed: job.processed,
      deaths: job.deaths,
      errorCount: job.errors.length,
      total: null,
    };
    /** Behind what the last process died. */
    let diedBehind: string | null | undefined;
    for (;;) {
      const reading = startReading({
        path: pstPath(dataDir, job.id),
        sizeBytes: job.sizeBytes,
        key,
        after: progress.lastKey,
        // The first death may be bad luck; the second at the same place is the thing behind it.
        isNextLeftOut: diedBehind === progress.lastKey,
      });
      const stop = () => reading.close();
      signal.addEventListener('abort', stop);
      try {
        return await readOn(progress, reading, signal);
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof ReadingProcessDied)) throw error;
        progress.deaths += 1;
        if (progress.deaths > PST_DEATHS_MAX) throw new PstRefused('too_slow');
        const isOurs = await noteRunning(deps.db, job, {
          deaths: progress.deaths,
          leasedUntil: leasedUntil(),
        });
        if (!isOurs) throw new NoLongerOurs();
        diedBehind = progress.lastKey;
      } finally {
        signal.removeEventListener('abort', stop);
        reading.close();
      }
    }
  };

  const run = async (job: PstImport, signal: AbortSignal): Promise<void> => {
    const end = async (change: { status: 'done' | 'failed'; failure?: string }) => {
      if (await endImport(deps.db, job, { ...change, now: deps.clock.now() }))
        await removePstFile(dataDir, job.id);
    };
    try {
      await read(job, signal);
      await end({ status: 'done' });
    } catch (error) {
      if (error instanceof PstRefused) await end({ status: 'failed', failure: error.code });
      else if (error instanceof AppError && error.code === 'quota_exceeded')
        await end({ status: 'failed', failure: 'quota_exceeded' });
      else if (signal.aborted) await letGo(job);
      else if (!(error instanceof NoLongerOurs)) {
        // Ours, the database's, the disk's: the lease runs out and the file is taken up again.
        deps.logger.warn({ err: error, importId: job.id }, 'an import was interrupted');
      }
    }
  };

  /** Lets the next process have a file at once. */
  const letGo = async (job: PstImport): Promise<void> => {
    await noteRunning(deps.db, job, { leasedUntil: new Date(0) });
  };

  return {
    runNext: async signal => {
      const job = await leaseImport(deps.db, deps.clock.now(), PST_LEASE_MS);
      if (job === undefined) return false;
      await run(job, signal);
      return true;
    },
    tidyUp: async () => {
      for (const id of await releaseLapsed(deps.db, deps.clock.now())) await removePstFile(dataDir, id);
      const lying = await listPstFiles(dataDir, LEFTOVER_MS);
      const needed = await findNeededFiles(deps.db);
      const leftover = lying.filter(id => !needed.has(id));
      for (const id of leftover) await removePstFile(dataDir, id);
      const before = new Date(deps.clock.now().getTime() - PST_IMPORT_KEPT_MS);
      return { files: leftover.length, imports: await deleteEndedImports(deps.db, before) };
    },
    close: () => brought.close(),
  };
};
