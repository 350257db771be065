/**
 * One turn of an import: stores each item, encrypted at once like arriving mail, in one transaction
 * with the record of how far the import is. So a crash at any moment neither loses nor duplicates a
 * message: the next turn resumes after the last record.
 */
import { findArrival, isPossibleTime } from '@keyfold/import/mail-state';
import { readHeaders } from '@keyfold/mail/mime/headers';
import { PST_ERRORS_KEPT, PST_LEASE_MS } from '../../../base/import-limits.ts';
import type { Deps } from '../../../context/deps.ts';
import { addressesOf, findOwnersOf, type Owner } from '../../accounts/users/index.ts';
import type { createImportedMail } from '../../inbound/ingest/index.ts';
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
import { type Held, isAnyWaiting, noteRunning, noteStep, type ServerImport, type Step } from './store.ts';

/** The import was canceled, or another process has leased it. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** What all imports of one kind share. */
export type ImportContext = {
  readonly deps: Deps;
  readonly source: ImportSource;
  readonly importedMail: ReturnType<typeof createImportedMail>;
};

/** State of one import during a turn. */
export type Progress = {
  readonly job: ServerImport;
  /**
   * Start of the turn, or of reading if a file had to be downloaded first: downloads do not count
   * as reading time.
   */
  begunAt: number;
  readonly tagsOf: (folder: FolderPath) => Promise<readonly string[]>;
  leasedUntil: Date;
  lastKey: string | null;
  processed: number;
  deaths: number;
  errorCount: number;
};

export const createProgress = (deps: Deps, job: ServerImport): Progress => ({
  job,
  begunAt: performance.now(),
  tagsOf: createFolderTags(deps, job.userId),
  leasedUntil: job.leasedUntil,
  lastKey: job.lastKey,
  processed: job.processed,
  deaths: job.deaths,
  errorCount: job.errors.length,
});

/** Reading time of an import, including this turn, in whole milliseconds. */
const spentMsOf = ({ job, begunAt }: Progress): number =>
  job.spentMs + Math.ceil(performance.now() - begunAt);

export const heldOf = ({ job, leasedUntil }: Progress): Held => ({
  userId: job.userId,
  id: job.id,
  leasedUntil,
});

const nextLease = ({ clock }: Deps): Date => new Date(clock.now().getTime() + PST_LEASE_MS);

/** The user whose import it is. Throws when the account is deleted or suspended. */
export async function requireOwner({ deps, source }: ImportContext, userId: string): Promise<Owner> {
  const [address] = await addressesOf(deps.db, userId);
  const owner = address === undefined ? undefined : (await findOwnersOf(deps.db, [address])).get(address);
  if (owner === undefined) throw new LeaseLost();
  if (owner.isSuspended) throw source.whileSuspended();
  return owner;
}

const stepFor = (
  { deps, source }: ImportContext,
  progress: Progress,
  item: SourceItem,
  outcome: Step['outcome'],
): Step => ({
  lastKey: item.key,
  outcome,
  leasedUntil: nextLease(deps),
  spentMs: spentMsOf(progress),
  ...(source.isForgiving ? { deaths: 0 } : {}),
  ...(item.kind === 'failed' && progress.errorCount < PST_ERRORS_KEPT
    ? { failure: { item: progress.processed + 1, reason: item.reason } }
    : {}),
});

function advance(progress: Progress, { lastKey, failure, leasedUntil, deaths }: Step): void {
  progress.leasedUntil = leasedUntil;
  progress.lastKey = lastKey;
  progress.processed += 1;
  if (deaths !== undefined) progress.deaths = deaths;
  if (failure !== undefined) progress.errorCount += 1;
}

async function tagsFor({ job, tagsOf }: Progress, { folders }: SourceMail): Promise<readonly string[]> {
  if (!job.hasFolderTags) return [];
  const names: string[] = [];
  for (const folder of folders) names.push(...(await tagsOf(folder)));
  return [...new Set(names)];
}

/**
 * When a message arrived. Mail without a valid date is old rather than new, and no date is in the
 * future.
 */
function arrivalOf({ receivedAt, raw }: SourceMail, now: Date): Date {
  if (receivedAt !== null && receivedAt <= now) return receivedAt;
  const isNew = receivedAt !== null && isPossibleTime(receivedAt, now.getTime());
  const arrival = isNew ? now : (findArrival(readHeaders(raw)) ?? new Date(0));
  return arrival > now ? now : arrival;
}

async function takeMail(context: ImportContext, progress: Progress, item: SourceMail): Promise<void> {
  const { job } = progress;
  const now = context.deps.clock.now();
  const message = {
    raw: item.raw,
    owner: await requireOwner(context, job.userId),
    receivedAt: arrivalOf(item, now),
    takenAt: now,
    flags: item.flags,
    tagNames: await tagsFor(progress, item),
    receiptDigest: item.receiptDigest,
  };
  let step = stepFor(context, progress, item, 'imported');
  await context.importedMail.take(
    message,
    (trx, identity) => hasMail(trx, job.userId, identity),
    async (trx, isStored) => {
      step = stepFor(context, progress, item, isStored ? 'imported' : 'skipped');
      if (!(await noteStep(trx, heldOf(progress), step))) throw new LeaseLost();
    },
  );
  advance(progress, step);
}

/** Ends the turn, or the import, when it has used its time. */
async function checkTime({ deps, source }: ImportContext, progress: Progress): Promise<void> {
  const { job, begunAt } = progress;
  if (spentMsOf(progress) > source.readingMs(job)) throw new SourceRefused('too_slow');
  if (performance.now() - begunAt <= source.turnMs) return;
  if (source.isTurnFirm || (await isAnyWaiting(deps.db, source.kind, deps.clock.now())))
    throw new Postponed(0);
}

async function take(
  context: ImportContext,
  progress: Progress,
  signal: AbortSignal,
  item: SourceItem,
): Promise<void> {
  if (item.kind === 'mail') await takeMail(context, progress, item);
  else {
    const step = stepFor(context, progress, item, item.kind);
    if (!(await noteStep(context.deps.db, heldOf(progress), step))) throw new LeaseLost();
    advance(progress, step);
  }
  signal.throwIfAborted();
  await checkTime(context, progress);
}

/** Records a change and extends the lease. Throws LeaseLost. */
export async function recordProgress(
  { deps }: ImportContext,
  progress: Progress,
  change: Parameters<Turn['note']>[0] & { readonly leasedUntil?: Date },
): Promise<void> {
  const noted = { leasedUntil: nextLease(deps), spentMs: spentMsOf(progress), ...change };
  if (!(await noteRunning(deps.db, heldOf(progress), noted))) throw new LeaseLost();
  progress.leasedUntil = noted.leasedUntil;
  if (change.deaths !== undefined) progress.deaths = change.deaths;
}

export const createTurn = (context: ImportContext, progress: Progress, signal: AbortSignal): Turn => ({
  job: progress.job,
  signal,
  lastKey: () => progress.lastKey,
  processed: () => progress.processed,
  deaths: () => progress.deaths,
  begin: () => {
    progress.begunAt = performance.now();
  },
  take: item => take(context, progress, signal, item),
  note: change => recordProgress(context, progress, change),
});
