/**
 * Runs queued imports one after the other: leases the next one, gives it a turn, and decides from
 * what ended the turn whether the import is done, has failed or continues later. Storing its items
 * is import-turn.ts's.
 */
import { AppError } from '@keyfold/contract/errors';
import { PST_DEATHS_MAX, PST_LEASE_MS } from '../../../base/import-limits.ts';
import type { Deps } from '../../../context/deps.ts';
import { createImportedMail } from '../../inbound/ingest/index.ts';
import {
  createProgress,
  createTurn,
  heldOf,
  type ImportContext,
  LeaseLost,
  type Progress,
  recordProgress,
  requireOwner,
} from './import-turn.ts';
import { type ImportSource, Postponed, SourceRefused } from './source.ts';
import { endImport, leaseImport, type ServerImport } from './store.ts';

export type ImportRunner = {
  /**
   * Continues the import that has waited longest; false when none waits. Rejects only when the
   * database fails.
   */
  readonly runNext: (signal: AbortSignal) => Promise<boolean>;
  readonly close: () => Promise<void>;
};

/**
 * Counts an interruption that the source did not cause, such as a failure of the database or the
 * disk. The import resumes when its lease expires; one that is interrupted too often ends. Returns
 * the reason to end it, or null.
 */
async function countInterruption(
  context: ImportContext,
  progress: Progress,
  error: unknown,
): Promise<string | null> {
  const importId = progress.job.id;
  context.deps.logger.warn({ err: error, importId }, 'import interrupted');
  if (progress.deaths + 1 > PST_DEATHS_MAX) return 'lost';
  await recordProgress(context, progress, { deaths: progress.deaths + 1 });
  return null;
}

/**
 * Handles what ended a turn early. Returns the reason to end the import, or null when it continues
 * later.
 */
async function handleError(
  context: ImportContext,
  progress: Progress,
  error: unknown,
  signal: AbortSignal,
): Promise<string | null> {
  if (error instanceof SourceRefused) return error.code;
  if (error instanceof AppError && error.code === 'quota_exceeded') return error.code;
  if (error instanceof LeaseLost) return null;
  if (!signal.aborted && !(error instanceof Postponed)) return countInterruption(context, progress, error);
  const afterMs = error instanceof Postponed ? error.ms : 0;
  await recordProgress(context, progress, {
    leasedUntil: new Date(context.deps.clock.now().getTime() + afterMs),
  });
  return null;
}

async function runTurn(context: ImportContext, job: ServerImport, signal: AbortSignal): Promise<void> {
  const { deps, source } = context;
  const progress = createProgress(deps, job);
  const end = async (change: { status: 'done' | 'failed'; failure?: string }) => {
    if (await endImport(deps.db, heldOf(progress), { ...change, now: deps.clock.now() }))
      await source.forget(job.id);
  };
  try {
    await requireOwner(context, job.userId);
    await source.read(createTurn(context, progress, signal));
    await end({ status: 'done' });
  } catch (error) {
    const failure = await handleError(context, progress, error, signal).catch((failed: unknown) => {
      if (!(failed instanceof LeaseLost)) throw failed;
      return null;
    });
    if (failure !== null) await end({ status: 'failed', failure });
  }
}

/** Runs imports of one kind. */
export function createRunner(deps: Deps, source: ImportSource): ImportRunner {
  const importedMail = createImportedMail(deps);
  const context: ImportContext = { deps, source, importedMail };
  return {
    runNext: async signal => {
      await deps.clock.whenSure?.();
      const job = await leaseImport(deps.db, source.kind, deps.clock.now(), PST_LEASE_MS);
      if (job === undefined) return false;
      await runTurn(context, job, signal);
      return true;
    },
    close: () => importedMail.close(),
  };
}
