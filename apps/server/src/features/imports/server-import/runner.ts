/**
 * Does the imports that wait, one after the other: each thing comes from the import's source, is sealed here at once as
 * arriving mail is, and stored in one transaction with the note of how far the import is. So a crash at any moment loses
 * nothing and brings nothing twice: whoever takes the import up goes on behind the last note.
 */
import { AppError } from '@keyfold/contract/errors';
import { findArrival, isPossibleTime } from '@keyfold/import/mail-state';
import { readHeaders } from '@keyfold/mail/mime/headers';
import { PST_DEATHS_MAX, PST_ERRORS_KEPT, PST_LEASE_MS } from '../../../base/limits.ts';
import type { Deps } from '../../../context/deps.ts';
import { addressesOf, findOwnersOf, type Owner } from '../../accounts/users/index.ts';
import { createImportedMail } from '../../inbound/ingest/index.ts';
import { hasMail } from '../../mailbox/messages/index.ts';
import { createFolderTags } from './folder-tags.ts';
import {
  type FolderPath,
  type ImportSource,
  Postponed,
  type SourceItem,
  type SourceMail,
  SourceRefused,
  type Turn,
} from './source.ts';
import {
  endImport,
  type Held,
  isAnyWaiting,
  leaseImport,
  noteRunning,
  noteStep,
  type ServerImport,
  type Step,
} from './store.ts';

/** The import was cancelled, or another process has it. */
class NoLongerOurs extends Error {
  override readonly name = 'NoLongerOurs';
}

/** How far one import is in this process, and in this turn of it. */
type Progress = {
  readonly job: ServerImport;
  /** When its turn began: later, where something had to be brought here first, which is brought anew each turn and counts for none. */
  begunAt: number;
  readonly tagsOf: (folder: FolderPath) => Promise<readonly string[]>;
  leasedUntil: Date;
  lastKey: string | null;
  processed: number;
  deaths: number;
  errorCount: number;
};

export type ImportRunner = {
  /** Goes on with the import that has waited longest; false when none waits. Rejects only when the database fails. */
  readonly runNext: (signal: AbortSignal) => Promise<boolean>;
  readonly close: () => Promise<void>;
};

/** How long an import has been done in all, this turn included, whole milliseconds. */
const spentMsOf = ({ job, begunAt }: Progress): number =>
  job.spentMs + Math.ceil(performance.now() - begunAt);

const heldOf = ({ job, leasedUntil }: Progress): Held => ({ userId: job.userId, id: job.id, leasedUntil });

/** Does imports of one kind. */
export function createRunner(deps: Deps, source: ImportSource): ImportRunner {
  const brought = createImportedMail(deps);
  const leasedUntil = () => new Date(deps.clock.now().getTime() + PST_LEASE_MS);

  const getOwner = async (userId: string): Promise<Owner> => {
    const [address] = await addressesOf(deps.db, userId);
    const owner = address === undefined ? undefined : (await findOwnersOf(deps.db, [address])).get(address);
    if (owner === undefined) throw new NoLongerOurs();
    if (owner.isSuspended) throw source.whileSuspended();
    return owner;
  };

  const stepFor = (progress: Progress, item: SourceItem, outcome: Step['outcome']): Step => ({
    lastKey: item.key,
    outcome,
    leasedUntil: leasedUntil(),
    spentMs: spentMsOf(progress),
    ...(source.isForgiving ? { deaths: 0 } : {}),
    ...(item.kind === 'failed' && progress.errorCount < PST_ERRORS_KEPT
      ? { failure: { item: progress.processed + 1, reason: item.reason } }
      : {}),
  });

  const advance = (progress: Progress, { lastKey, failure, leasedUntil, deaths }: Step): void => {
    progress.leasedUntil = leasedUntil;
    progress.lastKey = lastKey;
    progress.processed += 1;
    if (deaths !== undefined) progress.deaths = deaths;
    if (failure !== undefined) progress.errorCount += 1;
  };

  const tagsFor = async ({ job, tagsOf }: Progress, { folders }: SourceMail): Promise<readonly string[]> => {
    if (!job.hasFolderTags) return [];
    const names: string[] = [];
    for (const folder of folders) names.push(...(await tagsOf(folder)));
    return [...new Set(names)];
  };

  /** Old mail is not dated today for want of a date, nor for one to come. */
  const arrivalOf = ({ receivedAt, raw }: SourceMail, now: Date): Date => {
    if (receivedAt !== null && receivedAt <= now) return receivedAt;
    const isNew = receivedAt !== null && isPossibleTime(receivedAt, now.getTime());
    const told = isNew ? now : (findArrival(readHeaders(raw)) ?? new Date(0));
    return told > now ? now : told;
  };

  const takeMail = async (progress: Progress, item: SourceMail): Promise<void> => {
    const { job } = progress;
    const now = deps.clock.now();
    const message = {
      raw: item.raw,
      owner: await getOwner(job.userId),
      receivedAt: arrivalOf(item, now),
      takenAt: now,
      flags: item.flags,
      tagNames: await tagsFor(progress, item),
      receiptDigest: item.receiptDigest,
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

  /** Throws when this import was read long enough, for now or for good. */
  const checkTime = async (progress: Progress): Promise<void> => {
    const { job, begunAt } = progress;
    if (spentMsOf(progress) > source.readingMs(job)) throw new SourceRefused('too_slow');
    if (performance.now() - begunAt <= source.turnMs) return;
    if (source.isTurnFirm || (await isAnyWaiting(deps.db, source.kind, deps.clock.now())))
      throw new Postponed(0);
  };

  const take = async (progress: Progress, signal: AbortSignal, item: SourceItem): Promise<void> => {
    if (item.kind === 'mail') await takeMail(progress, item);
    else {
      const step = stepFor(progress, item, item.kind);
      if (!(await noteStep(deps.db, heldOf(progress), step))) throw new NoLongerOurs();
      advance(progress, step);
    }
    signal.throwIfAborted();
    await checkTime(progress);
  };

  const note = async (
    progress: Progress,
    change: Parameters<Turn['note']>[0] & { readonly leasedUntil?: Date },
  ): Promise<void> => {
    const noted = { leasedUntil: leasedUntil(), spentMs: spentMsOf(progress), ...change };
    if (!(await noteRunning(deps.db, heldOf(progress), noted))) throw new NoLongerOurs();
    progress.leasedUntil = noted.leasedUntil;
    if (change.deaths !== undefined) progress.deaths = change.deaths;
  };

  const turnOf = (progress: Progress, signal: AbortSignal): Turn => ({
    job: progress.job,
    signal,
    lastKey: () => progress.lastKey,
    processed: () => progress.processed,
    deaths: () => progress.deaths,
    begin: () => {
      progress.begunAt = performance.now();
    },
    take: item => take(progress, signal, item),
    note: change => note(progress, change),
  });

  /**
   * Counts what was not the source's failure but ours, the database's or the disk's. The lease runs out and the import is
   * taken up again; what happens each time ends it. Gives the reason to end it with, or null.
   */
  const countFailure = async (progress: Progress, error: unknown): Promise<string | null> => {
    const importId = progress.job.id;
    deps.logger.warn({ err: error, importId }, 'an import was interrupted');
    if (progress.deaths + 1 > PST_DEATHS_MAX) return 'lost';
    await note(progress, { deaths: progress.deaths + 1 });
    return null;
  };

  /** Does what an error asks for; gives the reason to end the import with, or null when it goes on later. */
  const bear = async (progress: Progress, error: unknown, signal: AbortSignal): Promise<string | null> => {
    if (error instanceof SourceRefused) return error.code;
    if (error instanceof AppError && error.code === 'quota_exceeded') return error.code;
    if (error instanceof NoLongerOurs) return null;
    if (!signal.aborted && !(error instanceof Postponed)) return countFailure(progress, error);
    const afterMs = error instanceof Postponed ? error.ms : 0;
    await note(progress, { leasedUntil: new Date(deps.clock.now().getTime() + afterMs) });
    return null;
  };

  const run = async (job: ServerImport, signal: AbortSignal): Promise<void> => {
    const progress: Progress = {
      job,
      begunAt: performance.now(),
      tagsOf: createFolderTags(deps, job.userId),
      leasedUntil: job.leasedUntil,
      lastKey: job.lastKey,
      processed: job.processed,
      deaths: job.deaths,
      errorCount: job.errors.length,
    };
    const end = async (change: { status: 'done' | 'failed'; failure?: string }) => {
      if (await endImport(deps.db, heldOf(progress), { ...change, now: deps.clock.now() }))
        await source.forget(job.id);
    };
    try {
      await getOwner(job.userId);
      await source.read(turnOf(progress, signal));
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
      await deps.clock.whenSure?.();
      const job = await leaseImport(deps.db, source.kind, deps.clock.now(), PST_LEASE_MS);
      if (job === undefined) return false;
      await run(job, signal);
      return true;
    },
    close: () => brought.close(),
  };
}
