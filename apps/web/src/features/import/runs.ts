// The import of this tab: opened, chosen, running, paused, ended. It belongs to the page and not to
// the import screen, so that it continues while the user reads mail. One at a time, in one tab at a
// time.
import { useSyncExternalStore } from 'react';
import type {
  ImportEnd,
  ImportPlan,
  ImportStep,
  ImportStop,
  OpenedImport,
} from '../../crypto/import/import-types.ts';
import { type RunningImport, startImporter } from '../../crypto/import-client.ts';
import { callback } from '../../crypto/key-client.ts';
import { endWithSession } from '../../crypto/worker/session-end.ts';
import { randomId } from '../../lib/random-id.ts';
import { handlesOf, reopenFiles } from '../../platform/file-handles.ts';
import { finishFirstStep } from '../../session/state/first-steps.ts';
import { bringCards } from './bring-cards.ts';
import { dropJournal, type ImportFile, type Journal, keepJournal, NAMED_MAX } from './journal.ts';
import { dropHandles, keepHandles } from './kept-handles.ts';
import { createTagMaker } from './tag-maker.ts';

/** Maximum total size of unreadable messages retained for saving, in bytes. */
const RAW_MAX_BYTES = 256 * 1024 * 1024;

export type LiveRun = {
  readonly journal: Journal;
  readonly phase: 'running' | 'paused' | 'stopped' | 'finished' | 'cancelled';
  /** The server does not respond. */
  readonly isWaiting: boolean;
  readonly stop: ImportStop | null;
  /** Estimated remaining time in milliseconds, and items per minute. */
  readonly leftMs: number | null;
  readonly perMinute: number | null;
  readonly raws: readonly { readonly name: string; readonly content: Blob }[];
};

export type ImportState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'opening'; readonly files: readonly ImportFile[] }
  | {
      readonly kind: 'choosing';
      readonly files: readonly ImportFile[];
      readonly opened: OpenedImport;
      /** Handles to reopen the files; null where the browser does not support them. */
      readonly handles: readonly FileSystemFileHandle[] | null;
    }
  | { readonly kind: 'run'; readonly run: LiveRun };

/** Reason why a requested import cannot start; the screen has the texts. */
export type ImportProblem =
  | 'other_files'
  | 'other_tab'
  | 'not_reopened'
  | 'failed'
  /** None of the files can be read. */
  | { readonly refused: OpenedImport['refused'] };

let state: ImportState = { kind: 'idle' };
let worker: RunningImport | null = null;
/** True while an import is about to start. */
let isBeginning = false;
/** Aborted when the import is canceled. */
let ended = new AbortController();
const listeners = new Set<() => void>();

function set(next: ImportState): void {
  state = next;
  for (const listener of listeners) listener();
}

function change(part: Partial<LiveRun>): void {
  if (state.kind === 'run') set({ kind: 'run', run: { ...state.run, ...part } });
}

/** Returns the import, live. */
export const useImport = (): ImportState =>
  useSyncExternalStore(
    listener => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => state,
  );

function endWorker(): void {
  worker?.end();
  worker = null;
}

/**
 * Returns to the initial state, also at the end of a session. An import with a journal can be
 * resumed.
 */
export function closeImport(): void {
  endWorker();
  set({ kind: 'idle' });
}

const factsOf = (files: readonly File[]): ImportFile[] => files.map(({ name, size }) => ({ name, size }));

function isSame(a: readonly ImportFile[], b: readonly ImportFile[]): boolean {
  const names = (list: readonly ImportFile[]) => list.map(({ name, size }) => `${size} ${name}`).sort();
  return JSON.stringify(names(a)) === JSON.stringify(names(b));
}

/** Sorts the files independently of the order of selection, because resuming relies on it. */
const inOrder = (files: readonly File[]): File[] =>
  files.toSorted((a, b) => a.name.localeCompare(b.name, 'en') || a.size - b.size);

/** Opens files, so that the user can choose what to import. */
export async function openImport(files: readonly File[]): Promise<ImportProblem | null> {
  const ordered = inOrder(files);
  endWorker();
  set({ kind: 'opening', files: factsOf(ordered) });
  const begun = startImporter();
  worker = begun;
  endWithSession(closeImport);
  try {
    const opened = await begun.ask(remote => remote.open(ordered));
    if (opened.folders.length === 0) {
      closeImport();
      return { refused: opened.refused };
    }
    set({ kind: 'choosing', files: factsOf(ordered), opened, handles: handlesOf(ordered) });
    return null;
  } catch {
    // The user canceled, or the session has ended.
    if (worker !== begun) return null;
    closeImport();
    return 'failed';
  }
}

/** Prevents other tabs from importing at the same time; returns false when one already is. */
async function claim(work: () => Promise<void>): Promise<boolean> {
  if (navigator.locks === undefined) {
    void work();
    return true;
  }
  return new Promise(resolve => {
    navigator.locks
      .request('import', { ifAvailable: true }, async lock => {
        resolve(lock !== null);
        if (lock !== null) await work();
      })
      .catch(() => resolve(false));
  });
}

/** Records a step of the import. */
async function takeStep(
  step: ImportStep,
  begun: { at: number; share: number; done: number },
  signal: AbortSignal,
): Promise<void> {
  if (state.kind !== 'run') return;
  const { journal, raws } = state.run;
  const { added, leftOut } = await bringCards(step.cards, signal);
  const named = step.skipped.map(({ name, folder, reason }) => ({ name, folder, reason }));
  const next: Journal = {
    ...journal,
    plan: { ...journal.plan, done: step.done, start: step.start },
    share: step.share,
    imported: journal.imported + step.imported,
    here: journal.here + step.here,
    bytes: journal.bytes + step.bytes,
    contacts: journal.contacts + added,
    cards: (journal.cards ?? 0) + step.cards.length,
    contactsLeft: (journal.contactsLeft ?? 0) + leftOut,
    skippedCount: journal.skippedCount + step.skipped.length,
    skipped: [...journal.skipped, ...named].slice(0, NAMED_MAX),
  };
  const passedMs = Date.now() - begun.at;
  const progress = (next.total === null ? step.share : step.done / Math.max(1, next.total)) - begun.share;
  let rawBytes = raws.reduce((sum, { content }) => sum + content.size, 0);
  const kept = step.skipped.flatMap(({ name, raw }, index) => {
    if (raw === undefined || rawBytes + raw.size > RAW_MAX_BYTES) return [];
    rawBytes += raw.size;
    return [{ name: `${step.done - index} ${name.slice(0, 80)}.eml`, content: raw }];
  });
  const left = 1 - progress - begun.share;
  change({
    journal: next,
    raws: [...raws, ...kept],
    leftMs: progress > 0 ? (passedMs * Math.max(0, left)) / progress : null,
    perMinute: passedMs > 0 ? ((step.done - begun.done) / passedMs) * 60_000 : null,
  });
  await keepJournal(next);
}

async function finish(end: ImportEnd): Promise<void> {
  if (state.kind !== 'run') return;
  const { journal } = state.run;
  const clear = { isWaiting: false, leftMs: null };
  if (end.kind === 'done' || end.kind === 'cancelled') {
    const phase = end.kind === 'done' ? 'finished' : 'cancelled';
    const ended: Journal = { ...journal, state: phase, share: end.kind === 'done' ? 1 : journal.share };
    await keepJournal(ended);
    await dropHandles(ended.id);
    change({ ...clear, journal: ended, phase });
    endWorker();
    return;
  }
  change({ ...clear, phase: 'stopped', stop: end });
}

/**
 * Runs the journal's plan in the background with the files that the worker has open. File handles,
 * if any, are stored once the import has started and has a journal, so that an import blocked by
 * another tab leaves nothing behind.
 */
async function runJournal(
  journal: Journal,
  handles: readonly FileSystemFileHandle[] | null = null,
): Promise<ImportProblem | null> {
  const active = worker;
  if (active === null) return 'failed';
  // Pressed twice: the first press is being handled.
  if (isBeginning) return null;
  isBeginning = true;
  const isClaimed = await claim(async () => {
    const stop = new AbortController();
    ended = stop;
    const begun = {
      at: Date.now(),
      share:
        journal.total === null
          ? (journal.plan.start?.share ?? 0)
          : journal.plan.done / Math.max(1, journal.total),
      done: journal.plan.done,
    };
    set({
      kind: 'run',
      run: {
        journal,
        phase: 'running',
        isWaiting: false,
        stop: null,
        leftMs: null,
        perMinute: null,
        raws: state.kind === 'run' ? state.run.raws : [],
      },
    });
    finishFirstStep('import');
    const isKept = await keepJournal(journal);
    if (isKept && handles !== null && worker === active) await keepHandles(journal.id, handles);
    const listener = callback({
      onStep: (step: ImportStep) => takeStep(step, begun, stop.signal),
      onWaiting: (isWaiting: boolean) => change({ isWaiting }),
      ensureTags: createTagMaker(stop.signal),
    });
    const run = active.ask(async (remote): Promise<ImportEnd> => {
      // An import that stopped while paused left the worker on hold.
      await remote.hold(false);
      return stop.signal.aborted ? { kind: 'cancelled' } : remote.run(journal.plan, listener);
    });
    const end = await run.catch((): ImportEnd => ({ kind: 'call', text: '' }));
    // Operations pending at cancellation failed because of it.
    await finish(stop.signal.aborted && end.kind !== 'done' ? { kind: 'cancelled' } : end);
  });
  isBeginning = false;
  return isClaimed ? null : 'other_tab';
}

export type Choice = Pick<ImportPlan, 'places' | 'from' | 'until'> & { readonly total: number | null };

/** Starts the import of the selection. */
export async function startImport({ total, ...choice }: Choice): Promise<ImportProblem | null> {
  if (state.kind !== 'choosing') return 'failed';
  const id = randomId();
  const journal: Journal = {
    id,
    at: Date.now(),
    files: state.files,
    plan: { importId: id, ...choice, done: 0 },
    total,
    state: 'open',
    share: 0,
    imported: 0,
    here: 0,
    bytes: 0,
    contacts: 0,
    skippedCount: 0,
    skipped: [],
  };
  return runJournal(journal, state.handles);
}

/** Resumes an import from before the page was loaded, with the files that the user chose again. */
export async function resumeWith(journal: Journal, files: readonly File[]): Promise<ImportProblem | null> {
  if (!isSame(journal.files, factsOf(files))) return 'other_files';
  const problem = await openImport(files);
  if (problem !== null || state.kind !== 'choosing') return problem;
  return runJournal(journal, state.handles);
}

/**
 * Like resumeWith, with the files of stored handles after asking for permission to read them; must
 * be called from a click.
 */
export async function resumeByHandles(
  journal: Journal,
  handles: readonly FileSystemFileHandle[],
): Promise<ImportProblem | null> {
  const files = await reopenFiles(handles);
  return files === null ? 'not_reopened' : resumeWith(journal, files);
}

/** Resumes an import where it stopped. */
export async function resumeStopped(): Promise<ImportProblem | null> {
  return state.kind === 'run' ? runJournal(state.run.journal) : null;
}

/** Pauses the import after the current step. */
export async function pauseImport(): Promise<void> {
  await worker?.remote.hold(true);
  // It may have ended in the meantime.
  if (state.kind === 'run' && state.run.phase === 'running') change({ phase: 'paused', leftMs: null });
}

/** Continues a paused import. */
export async function continueImport(): Promise<void> {
  await worker?.remote.hold(false);
  if (state.kind === 'run' && state.run.phase === 'paused') change({ phase: 'running' });
}

/** Cancels the import; messages already imported stay. */
export async function cancelImport(): Promise<void> {
  if (state.kind !== 'run') return;
  if (state.run.phase === 'stopped') return finish({ kind: 'cancelled' });
  ended.abort(new Error('cancelled'));
  await worker?.remote.cancel();
}

/** Deletes the record of a resumable or finished import. */
export async function forgetImport(id: string): Promise<void> {
  if (state.kind === 'run' && state.run.journal.id === id) closeImport();
  await Promise.all([dropJournal(id), dropHandles(id)]);
}
