/**
 * Reads the PST files that wait, one after the other: each thing comes from a process of its own, is sealed here at once as
 * arriving mail is, and stored in one transaction with the note of how far the import is. So a crash at any moment loses
 * nothing and brings nothing twice: whoever takes the file up goes on behind the last note.
 */
import { AppError } from '@keyfold/contract/errors';
import type { ImportItem, MailItem } from '@keyfold/import/items';
import type { Deps } from '../../deps.ts';
import {
  PST_DEATHS_MAX,
  PST_ERRORS_KEPT,
  PST_IMPORT_KEPT_MS,
  PST_LEASE_MS,
  PST_READING_MS,
  PST_READING_PER_GIB_MS,
  PST_SUSPENDED_MS,
  PST_TURN_MS,
} from '../../limits.ts';
import { addressesOf, findOwnersOf, type Owner } from '../accounts/service.ts';
import { createBroughtMail } from '../ingest/service.ts';
import { hasMail } from '../mailbox/service.ts';
import { createFolderTags, isInbox } from './folder-tags.ts';
import { listPstFiles, pstPath, removePstFile } from './pst-file.ts';
import { type PstReading, PstRefused, ReadingProcessDied, startReading } from './reader.ts';
import {
  deleteEndedImports,
  endImport,
  findNeededFiles,
  type Held,
  isAnyWaiting,
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

/** The import waits without having failed: for its next turn, or for its owner, who is suspended. */
class Postponed extends Error {
  override readonly name = 'Postponed';
  readonly ms: number;

  constructor(ms: number) {
    super('The import waits');
    this.ms = ms;
  }
}

/** How far one import is in this process, and in this turn of it. */
type Progress = {
  readonly job: PstImport;
  readonly begunAt: number;
  leasedUntil: Date;
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

export type PstRunnerOptions = {
  /** How long a file is read while others wait. */
  readonly turnMs?: number;
  /** How long a file of so many bytes is read in all. */
  readonly readingMs?: (sizeBytes: number) => number;
};

const usualReadingMs = (sizeBytes: number): number =>
  PST_READING_MS + PST_READING_PER_GIB_MS * (sizeBytes / 1024 ** 3);

/** How long a file has been read in all, this turn included, whole milliseconds. */
const spentMsOf = ({ job, begunAt }: Progress): number =>
  job.spentMs + Math.ceil(performance.now() - begunAt);

const heldOf = ({ job, leasedUntil }: Progress): Held => ({ userId: job.userId, id: job.id, leasedUntil });

export const createPstRunner = (
  deps: Deps,
  { turnMs = PST_TURN_MS, readingMs = usualReadingMs }: PstRunnerOptions = {},
): PstRunner => {
  const brought = createBroughtMail(deps);
  const { dataDir } = deps.config;
  const leasedUntil = () => new Date(deps.clock.now().getTime() + PST_LEASE_MS);

  const getOwner = async (userId: string): Promise<Owner> => {
    const [address] = await addressesOf(deps.db, userId);
    const owner = address === undefined ? undefined : (await findOwnersOf(deps.db, [address])).get(address);
    if (owner === undefined) throw new NoLongerOurs();
    if (owner.isSuspended) throw new Postponed(PST_SUSPENDED_MS);
    return owner;
  };

  const stepFor = (progress: Progress, item: ImportItem, outcome: Step['outcome']): Step => ({
    lastKey: item.key,
    outcome,
    leasedUntil: leasedUntil(),
    spentMs: spentMsOf(progress),
    ...(item.kind === 'broken' && progress.errorCount < PST_ERRORS_KEPT
      ? { failure: { item: progress.processed + 1, reason: item.reason } }
      : {}),
  });

  const advance = (progress: Progress, { lastKey, failure, leasedUntil }: Step): void => {
    progress.leasedUntil = leasedUntil;
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
      (trx, identity) => hasMail(trx, job.userId, identity),
      async (trx, isStored) => {
        step = stepFor(progress, item, isStored ? 'imported' : 'skipped');
        if (!(await noteStep(trx, heldOf(progress), step))) throw new NoLongerOurs();
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
    if (!(await noteStep(deps.db, heldOf(progress), step))) throw new NoLongerOurs();
    advance(progress, step);
  };

  /** Notes what changed, and moves the lease on. Throws when the import is not ours any more. */
  const note = async (
    progress: Progress,
    change: { readonly total?: number; readonly deaths?: number; readonly leasedUntil?: Date },
  ): Promise<void> => {
    const noted = { leasedUntil: leasedUntil(), spentMs: spentMsOf(progress), ...change };
    if (!(await noteRunning(deps.db, heldOf(progress), noted))) throw new NoLongerOurs();
    progress.leasedUntil = noted.leasedUntil;
  };

  /** Throws when this file was read long enough, for now or for good. */
  const checkTime = async (progress: Progress): Promise<void> => {
    const { job, begunAt } = progress;
    if (spentMsOf(progress) > readingMs(job.sizeBytes)) throw new PstRefused('too_slow');
    if (performance.now() - begunAt > turnMs && (await isAnyWaiting(deps.db, deps.clock.now())))
      throw new Postponed(0);
  };

  /** Reads with one process until the file's end. Throws what ends it before. */
  const readOn = async (progress: Progress, reading: PstReading, signal: AbortSignal): Promise<void> => {
    const tagsOf = createFolderTags(deps, progress.job.userId);
    for (let item = await reading.next(); item !== null; item = await reading.next()) {
      signal.throwIfAborted();
      const total = reading.total();
      if (total !== progress.total && total !== null) {
        progress.total = total;
        await note(progress, { total });
      }
      await takeItem(progress, item, tagsOf);
      signal.throwIfAborted();
      await checkTime(progress);
    }
  };

  /** Reads a file to its end, with a new process where one died. Throws what ends it before. */
  const read = async (progress: Progress, signal: AbortSignal): Promise<void> => {
    const { job } = progress;
    if (job.keySealed === null) throw new PstRefused('lost');
    const key = deps.masterKey.open('pst-import', job.id, job.keySealed);
    await getOwner(job.userId);
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
        await note(progress, { deaths: progress.deaths });
        diedBehind = progress.lastKey;
      } finally {
        signal.removeEventListener('abort', stop);
        reading.close();
      }
    }
  };

  /** Lets others have a file after so long. */
  const letGo = (progress: Progress, afterMs: number): Promise<void> =>
    note(progress, { leasedUntil: new Date(deps.clock.now().getTime() + afterMs) });

  /**
   * Counts what was not the file's failure but ours, the database's or the disk's. The lease runs out and the file is taken up
   * again; what happens each time ends it. Gives the reason to end it with, or null.
   */
  const countFailure = async (progress: Progress, error: unknown): Promise<string | null> => {
    const importId = progress.job.id;
    deps.logger.warn({ err: error, importId }, 'an import was interrupted');
    progress.deaths += 1;
    if (progress.deaths > PST_DEATHS_MAX) return 'lost';
    await note(progress, { deaths: progress.deaths });
    return null;
  };

  /** Does what an error asks for; gives the reason to end the import with, or null when it goes on later. */
  const bear = async (progress: Progress, error: unknown, signal: AbortSignal): Promise<string | null> => {
    if (error instanceof PstRefused) return error.code;
    if (error instanceof AppError && error.code === 'quota_exceeded') return error.code;
    if (error instanceof NoLongerOurs) return null;
    if (!signal.aborted && !(error instanceof Postponed)) return countFailure(progress, error);
    await letGo(progress, error instanceof Postponed ? error.ms : 0);
    return null;
  };

  const run = async (job: PstImport, signal: AbortSignal): Promise<void> => {
    const progress: Progress = {
      job,
      begunAt: performance.now(),
      leasedUntil: job.leasedUntil,
      lastKey: job.lastKey,
      processed: job.processed,
      deaths: job.deaths,
      errorCount: job.errors.length,
      total: null,
    };
    const end = async (change: { status: 'done' | 'failed'; failure?: string }) => {
      if (await endImport(deps.db, heldOf(progress), { ...change, now: deps.clock.now() }))
        await removePstFile(dataDir, job.id);
    };
    try {
      await read(progress, signal);
      await end({ status: 'done' });
    } catch (error) {
      const failure = await bear(progress, error, signal).catch((again: unknown) => {
        if (!(again instanceof NoLongerOurs)) throw again;
        return null;
      });
      if (failure !== null) await end({ status: 'failed', failure });
    }
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
